// Where the camera is: it turns about a target, at a distance, and goes softly to where it was told to go.
//
// Angles: yaw about +y (0 looks along −z), pitch upwards, both of the camera as seen from the target.
import {MathUtils, PerspectiveCamera, Vector3} from 'three';
import type {CameraPose} from '../model/viewstate.js';
import type {Vec3} from '../model/values.js';

const PITCH_MAX = MathUtils.degToRad(89.9);
const NEAREST = 0.02;
const FARTHEST = 2000;
// Hands are followed closely, flights take their time.
const FOLLOW_S = 0.045;
const FLIGHT_S = 0.16;
const FLY_PER_S = 0.9;
// How far above a floor it stays, as a share of the distance.
const CLEARANCE = 0.02;

const OPENING = 38;
// What is orthographic is drawn from so far away that lines which are parallel stay so within a third of a degree: it goes
// the same way as any other picture, and what is picked, pulled and shadowed needs no second way.
const OPENING_FLAT = 0.3;
const FAR_OFF = Math.tan(MathUtils.degToRad(OPENING / 2)) / Math.tan(MathUtils.degToRad(OPENING_FLAT / 2));

interface Place {
  readonly target: Vector3;
  yaw: number;
  pitch: number;
  distance: number;
}

function placeOf(pose: CameraPose): Place {
  const target = new Vector3(...pose.target);
  const off = new Vector3(...pose.position).sub(target);
  const distance = Math.max(NEAREST, off.length());
  return {
    target,
    distance,
    yaw: Math.atan2(off.x, off.z),
    pitch: MathUtils.clamp(Math.asin(off.y / distance), -PITCH_MAX, PITCH_MAX),
  };
}

export class CameraRig {
  readonly camera = new PerspectiveCamera(OPENING, 1, 0.01, 1000);
  private now: Place;
  private goal: Place;
  private constant = FOLLOW_S;
  private far = 1;
  private readonly right = new Vector3();
  private readonly up = new Vector3();
  private readonly forward = new Vector3();
  // Of the keys that fly: to the right, up, forward, each −1 to 1.
  readonly fly = new Vector3();
  // Of the keys that turn.
  readonly turn = {yaw: 0, pitch: 0};
  // Whether somebody turned, shifted, neared or flew it since this was set to false.
  handled = false;
  // Turning does not take the camera through this height from above; flying does.
  floor: number | null = null;

  constructor(pose: CameraPose) {
    this.now = placeOf(pose);
    this.goal = placeOf(pose);
    this.place();
  }

  get flat(): boolean {
    return this.far > 1;
  }

  set flat(flat: boolean) {
    this.far = flat ? FAR_OFF : 1;
    this.camera.fov = flat ? OPENING_FLAT : OPENING;
    this.place();
  }

  // How many times farther away the camera is than the picture says.
  get farther(): number {
    return this.far;
  }

  lookAlong(side: 'front' | 'side' | 'top', animate = true): void {
    const {x, y, z} = this.goal.target;
    const {distance} = this.goal;
    const off = {front: [0, 0, distance], side: [distance, 0, 0], top: [0, distance, 0]}[side];
    this.goTo({target: [x, y, z], position: [x + off[0], y + off[1], z + off[2]]}, animate);
  }

  get target(): Vector3 {
    return this.now.target;
  }

  get distance(): number {
    return this.now.distance;
  }

  get pitch(): number {
    return this.now.pitch;
  }

  get pose(): CameraPose {
    const {x, y, z} = this.goal.target;
    const at = this.positionOf(this.goal);
    return {position: [at.x, at.y, at.z], target: [x, y, z]};
  }

  goTo(pose: CameraPose, animate = true): void {
    const goal = placeOf(pose);
    // The short way round.
    goal.yaw =
      this.now.yaw + MathUtils.euclideanModulo(goal.yaw - this.now.yaw + Math.PI, 2 * Math.PI) - Math.PI;
    this.goal = goal;
    this.constant = FLIGHT_S;
    if (!animate) {
      this.now = {...goal, target: goal.target.clone()};
      this.place();
    }
  }

  // Looks at the whole of a ball, from where it looks now.
  frame(center: Vec3, radius: number, animate = true): void {
    const {aspect} = this.camera;
    const half = MathUtils.degToRad(OPENING / 2);
    const narrow = Math.min(half, Math.atan(Math.tan(half) * aspect));
    this.goal = {
      ...this.goal,
      target: new Vector3(...center),
      distance: Math.max(0.05, (1.12 * radius) / Math.sin(narrow)),
    };
    this.goTo(this.pose, animate);
  }

  orbit(dx: number, dy: number): void {
    this.handled = true;
    const least = this.lowest();
    this.goal.yaw -= dx;
    this.goal.pitch = MathUtils.clamp(this.goal.pitch + dy, Math.min(least, this.goal.pitch), PITCH_MAX);
    this.constant = FOLLOW_S;
  }

  // The pitch at which it would touch the floor; that is none for a camera, or a target, that is below it already.
  private lowest(): number {
    const {target, distance, pitch} = this.goal;
    const height = target.y - (this.floor ?? -Infinity);
    if (height < 0 || height + Math.sin(pitch) * distance < 0) {
      return -PITCH_MAX;
    }
    return Math.max(-PITCH_MAX, Math.asin(Math.max(-1, CLEARANCE - height / distance)));
  }

  // By pixels of a view that is `height` pixels high.
  pan(dx: number, dy: number, height: number): void {
    this.handled = true;
    const perPixel = (2 * this.goal.distance * Math.tan(MathUtils.degToRad(OPENING / 2))) / height;
    this.axes(this.goal);
    this.goal.target.addScaledVector(this.right, -dx * perPixel).addScaledVector(this.up, dy * perPixel);
    this.constant = FOLLOW_S;
  }

  // factor below 1 goes nearer; `towards` stays where it is on the page.
  zoom(factor: number, towards: Vector3 | null): void {
    this.handled = true;
    const distance = MathUtils.clamp(this.goal.distance * factor, NEAREST, FARTHEST);
    const share = 1 - distance / this.goal.distance;
    if (towards) {
      this.goal.target.addScaledVector(towards.clone().sub(this.goal.target), share);
    }
    this.goal.distance = distance;
    this.constant = FOLLOW_S;
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  // Whether it moved.
  update(seconds: number): boolean {
    this.steer(seconds);
    const {now, goal} = this;
    const share = 1 - Math.exp(-seconds / this.constant);
    const reach = goal.distance;
    const off =
      now.target.distanceTo(goal.target) / reach +
      Math.abs(Math.log(now.distance / goal.distance)) +
      Math.abs(now.yaw - goal.yaw) +
      Math.abs(now.pitch - goal.pitch);
    if (off === 0) {
      return false;
    }
    if (off < 2e-5) {
      this.now = {...goal, target: goal.target.clone()};
    } else {
      now.target.lerp(goal.target, share);
      now.yaw += share * (goal.yaw - now.yaw);
      now.pitch += share * (goal.pitch - now.pitch);
      now.distance *= (goal.distance / now.distance) ** share;
    }
    this.place();
    return true;
  }

  private steer(seconds: number): void {
    const {fly, turn, goal} = this;
    if (turn.yaw !== 0 || turn.pitch !== 0) {
      this.orbit(turn.yaw * seconds * 1.6, turn.pitch * seconds * 1.2);
    }
    if (fly.lengthSq() > 0) {
      this.handled = true;
      this.axes(goal);
      const step = seconds * FLY_PER_S * Math.max(0.5, goal.distance);
      // Level, so that looking down does not fly into the ground.
      this.forward.setY(0).normalize();
      goal.target.addScaledVector(this.right, fly.x * step).addScaledVector(this.forward, fly.z * step);
      goal.target.y += fly.y * step;
      this.constant = FOLLOW_S;
    }
  }

  private positionOf(place: Place): Vector3 {
    const level = Math.cos(place.pitch) * place.distance;
    return new Vector3(
      Math.sin(place.yaw) * level,
      Math.sin(place.pitch) * place.distance,
      Math.cos(place.yaw) * level,
    ).add(place.target);
  }

  private axes(place: Place): void {
    this.forward.copy(place.target).sub(this.positionOf(place)).normalize();
    this.right.set(Math.cos(place.yaw), 0, -Math.sin(place.yaw));
    this.up.crossVectors(this.right, this.forward);
  }

  private place(): void {
    const {target, distance} = this.now;
    const {far} = this;
    this.camera.position.copy(this.positionOf(this.now)).sub(target).multiplyScalar(far).add(target);
    this.camera.lookAt(target);
    // Steps of depth that are about as fine as those of the other picture, where things are.
    const deep = this.flat ? Math.max(100 * distance, 60) : 0;
    this.camera.near = this.flat ? Math.max(0.1 * far * distance, far * distance - deep) : Math.max(0.002, distance / 200);
    this.camera.far = this.flat ? far * distance + deep : distance * 60 + 400;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}
