// Others in the picture: a cross where each points, the pyramid that each looks through, and what they have selected, in their
// colour and with their name. They move evenly between two messages. A camera close to the own one fades out.
import {Box3, Color, Group, Vector3} from 'three';
import type {People, Presence} from '../model/people.js';
import type {Vec3} from '../model/values.js';
import type {CameraRig} from './camera.js';
import type {Content} from './content.js';
import {Gliding, shareSeen} from './gliding.js';
import {Lines} from './lines.js';
import {toPage} from './pick.js';
import {packed} from './strain.js';

const LINES_EACH = 3 + 8;
// Of the picture's height, as wide as a pyramid and a cross are.
const ASPECT = 1.5;
const CROSS_SHARE = 0.012;
const DEPTH_SHARE = 0.12;

// How the alpha of a packed colour is set.
const faded = (color: number, share: number) => ((color & 0xffffff) | (Math.round(255 * share) << 24)) >>> 0;

interface Shown {
  readonly cursor: Gliding;
  readonly eye: Gliding;
  readonly target: Gliding;
}

export class Others {
  readonly object = new Group();
  private readonly lines = new Lines(0.9, false, 6);
  private readonly layer: HTMLElement;
  private readonly names: HTMLElement[] = [];
  private readonly shown = new Map<number, Shown>();
  private readonly box = new Box3();
  private positions = new Float32Array(0);
  private colors = new Uint32Array(0);
  private readonly forward = new Vector3();
  private readonly right = new Vector3();
  private readonly up = new Vector3();

  constructor(
    private readonly people: People,
    private readonly content: Content,
    private readonly rig: CameraRig,
    stage: HTMLElement,
  ) {
    this.object.add(this.lines.object);
    this.layer = document.createElement('div');
    this.layer.className = 'view-others';
    // The list of people says the same.
    this.layer.setAttribute('aria-hidden', 'true');
    stage.append(this.layer);
  }

  dispose(): void {
    this.lines.dispose();
    this.layer.remove();
  }

  // Whose selection a thing is in; null: nobody's.
  holderOf(kind: 'bodies' | 'colliders', id: number): Color | null {
    for (const other of this.people.others.peek().values()) {
      if (other[kind].has(id)) {
        return new Color(other.color);
      }
    }
    return null;
  }

  // Moves them toward where they are now. Whether anything did.
  advance(seconds: number, still: boolean): boolean {
    const others = this.people.others.peek();
    for (const session of this.shown.keys()) {
      if (!others.has(session)) {
        this.shown.delete(session);
      }
    }
    let moved = false;
    for (const [session, {cursor, camera, away}] of others) {
      const known = this.shown.get(session);
      const shown = known ?? {cursor: new Gliding(), eye: new Gliding(), target: new Gliding()};
      this.shown.set(session, shown);
      shown.cursor.aim(away ? null : cursor);
      shown.eye.aim(camera?.position ?? null);
      shown.target.aim(camera?.target ?? null);
      for (const one of [shown.cursor, shown.eye, shown.target]) {
        moved = one.advance(seconds, still) || moved;
      }
    }
    return moved;
  }

  // Before each drawing.
  place(): void {
    const others = [...this.people.others.peek().values()];
    this.reserve(others.length * LINES_EACH);
    let line = 0;
    const add = (a: Vec3, b: Vec3, color: number) => {
      this.positions.set(a, 6 * line);
      this.positions.set(b, 6 * line + 3);
      this.colors.fill(color, 2 * line, 2 * line + 2);
      line += 1;
    };
    let names = 0;
    for (const other of others) {
      const shown = this.shown.get(other.session);
      const {r, g, b} = new Color(other.color);
      const color = packed([r, g, b]);
      const cursor = shown?.cursor.at ?? null;
      const eye = shown?.eye.at ?? null;
      const target = shown?.target.at ?? null;
      const followed = other.session === this.people.following.peek();
      const seen = eye && !followed ? shareSeen(eye, this.rig.pose.position, this.rig.distance) : 0;
      if (cursor) {
        this.addCross(cursor, color, add);
      }
      if (other.camera && eye && target && seen > 0) {
        this.addPyramid({...other.camera, position: eye, target}, faded(color, seen), add);
      }
      // One name at the cursor, or else at the eye, and one at what is selected.
      names = this.name(names, other, 'cursor', cursor, 1);
      names = this.name(names, other, 'eye', cursor || other.away ? null : eye, seen);
      names = this.name(names, other, 'selection', this.topOf(other), 1);
    }
    this.names.slice(names).forEach((name) => {
      name.hidden = true;
    });
    this.lines.show(line, true);
  }

  // The middle of the upper side of what somebody has selected; null if that is nothing.
  private topOf({bodies, colliders}: Presence): Vec3 | null {
    if (bodies.size + colliders.size === 0) {
      return null;
    }
    const {min, max} = this.content.bounds(this.box, {bodies, colliders});
    return min.x <= max.x ? [(min.x + max.x) / 2, max.y, (min.z + max.z) / 2] : null;
  }

  private reserve(lines: number): void {
    if (this.positions.length < 6 * lines) {
      this.positions = new Float32Array(12 * lines);
      this.colors = new Uint32Array(4 * lines);
      this.lines.take(this.positions, this.colors);
    }
  }

  private addCross(at: Vec3, color: number, add: (a: Vec3, b: Vec3, color: number) => void): void {
    const far = this.rig.camera.position.distanceTo(new Vector3(...at)) / this.rig.farther;
    const size = CROSS_SHARE * far;
    for (const axis of [0, 1, 2]) {
      const end = (by: number) => at.map((x, i) => x + (i === axis ? by : 0)) as unknown as Vec3;
      add(end(-size), end(size), color);
    }
  }

  private addPyramid(
    camera: NonNullable<Presence['camera']>,
    color: number,
    add: (a: Vec3, b: Vec3, color: number) => void,
  ): void {
    const eye = new Vector3(...camera.position);
    const toward = this.forward.set(...camera.target).sub(eye);
    const depth = DEPTH_SHARE * toward.length();
    if (!(depth > 0)) {
      return;
    }
    toward.normalize();
    this.right.set(...camera.up).cross(toward).negate().normalize();
    this.up.copy(this.right).cross(toward);
    const high = depth * Math.tan(Math.min(3, camera.fov) / 2);
    const corner = (x: number, y: number): Vec3 => {
      const at = eye
        .clone()
        .addScaledVector(toward, depth)
        .addScaledVector(this.right, x * high * ASPECT)
        .addScaledVector(this.up, y * high);
      return [at.x, at.y, at.z];
    };
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    corners.forEach((one, i) => {
      add(camera.position as Vec3, one, color);
      add(one, corners[(i + 1) % 4]!, color);
    });
  }

  // Shows a name as number i, if that place is in sight. Says how many names there are then.
  private name(i: number, other: Presence, kind: 'cursor' | 'eye' | 'selection', at: Vec3 | null, share: number): number {
    const where = {x: 0, y: 0, depth: 0};
    if (at !== null && share > 0) {
      toPage(this.content.screen, at[0], at[1], at[2], where);
    }
    if (!(where.depth > 0)) {
      return i;
    }
    const name = (this.names[i] ??= this.layer.appendChild(document.createElement('span')));
    name.hidden = false;
    name.className = `view-other ${kind}`;
    name.dataset['session'] = `${other.session}`;
    name.style.setProperty('--other', other.color);
    name.style.opacity = `${share}`;
    name.style.transform = `translate(${where.x.toFixed(1)}px, ${where.y.toFixed(1)}px)`;
    if (name.textContent !== other.name) {
      name.textContent = other.name;
    }
    return i + 1;
  }
}
