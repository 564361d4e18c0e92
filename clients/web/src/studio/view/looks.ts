// Where the camera is sent: to what is selected, to the whole of a world, and where a new thing would be seen best.
import {Box3, Sphere, Vector3} from 'three';
import type {App} from '../model/app.js';
import type {Vec3} from '../model/values.js';
import type {CameraPose} from '../model/viewstate.js';
import type {CameraRig} from './camera.js';
import type {Content} from './content.js';
import {hitPlane, toPage} from './pick.js';

// A ball that is looked at is no smaller and no larger, in metres.
const SMALLEST = 0.1;
const LARGEST = 40;
// From where a world is looked at first.
const FIRST = new Vector3(0.5, 0.34, 1).normalize();
// And a world in which there is nothing yet.
const HOME: CameraPose = {position: [2.2, 1.7, 4.4], target: [0, 0, 0]};

export function wantsStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export class Looks {
  private readonly box = new Box3();
  private readonly other = new Box3();
  private readonly ball = new Sphere();

  constructor(
    private readonly app: App,
    private readonly rig: CameraRig,
    private readonly content: Content,
    private readonly canvas: HTMLElement,
  ) {}

  focus(what: 'selection' | 'all'): void {
    const selected = this.app.selection.selected.peek();
    const bodies = new Set([...selected.bodies, ...selected.particles.keys()]);
    for (const id of selected.constraints.keys()) {
      this.app.document.constraints.find(id)?.bodies.forEach((body) => bodies.add(body));
    }
    const some = what === 'selection' && bodies.size + selected.colliders.size > 0;
    this.content.bounds(this.box, some ? {bodies, colliders: selected.colliders} : null);
    if (!this.box.isEmpty()) {
      this.frameBox(true);
    }
  }

  // Things that are new: if hardly anything of them is seen, they are brought into view beside what was seen before.
  bring(bodies: ReadonlySet<number>, colliders: ReadonlySet<number>): void {
    this.content.bounds(this.box, {bodies, colliders});
    if (this.box.isEmpty() || this.share(this.box) >= 0.5) {
      return;
    }
    for (const {min, max} of this.content.boxes()) {
      this.other.min.fromArray(min as unknown as number[]);
      this.other.max.fromArray(max as unknown as number[]);
      if (this.share(this.other) >= 0.5) {
        this.box.union(this.other);
      }
    }
    this.frameBox(true);
  }

  // Whether a part of it all is out of sight.
  get misses(): boolean {
    this.content.bounds(this.box);
    return !this.box.isEmpty() && this.share(this.box) < 0.98;
  }

  // How much of a box is in sight, as a share of the rectangle round it on the page; 0 for what is behind the camera.
  private share(box: Box3): number {
    const {screen} = this.content;
    const at = {x: 0, y: 0, depth: 0};
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let corner = 0; corner < 8; corner++) {
      const {min, max} = box;
      toPage(
        screen,
        corner & 1 ? max.x : min.x,
        corner & 2 ? max.y : min.y,
        corner & 4 ? max.z : min.z,
        at,
      );
      if (at.depth <= 0) {
        return 0;
      }
      [x0, y0, x1, y1] = [Math.min(x0, at.x), Math.min(y0, at.y), Math.max(x1, at.x), Math.max(y1, at.y)];
    }
    const within = (low: number, high: number, size: number) =>
      Math.max(0, Math.min(high, size) - Math.max(low, 0)) / Math.max(1e-6, high - low);
    return within(x0, x1, screen.width) * within(y0, y1, screen.height);
  }

  private frameBox(animate: boolean): void {
    const {center, radius} = this.box.getBoundingSphere(this.ball);
    const size = Math.min(LARGEST, Math.max(SMALLEST, radius));
    this.rig.frame(center.toArray(), size, animate && !wantsStillness());
  }

  // All of it, from a little above. Whether there is anything; if not, where it will stand is looked at (`home`).
  first(home: boolean): boolean {
    this.content.bounds(this.box);
    if (this.box.isEmpty()) {
      if (home) {
        this.rig.goTo(HOME, false);
      }
      return false;
    }
    const {center, radius} = this.box.getBoundingSphere(this.ball);
    const {x, y, z} = center;
    this.rig.goTo({target: [x, y, z], position: [x + FIRST.x, y + FIRST.y, z + FIRST.z]}, false);
    // The ball's rim is mostly empty.
    this.rig.frame([x, y, z], Math.min(LARGEST, Math.max(0.3, 0.88 * radius)), false);
    return true;
  }

  // Height of the ground, the highest if there are several; null if there is none.
  ground(): number | null {
    let highest: number | null = null;
    for (const {kind, normal, position} of this.app.document.colliders.peek().values()) {
      if (kind === 'plane' && normal[1] > 0.7) {
        highest = Math.max(highest ?? -Infinity, position[1]);
      }
    }
    return highest;
  }

  // On the ground in the middle of the view; where none is seen there, below what is looked at.
  dropPoint(): Vec3 {
    const rect = this.canvas.getBoundingClientRect();
    const ray = this.content.rayAt(rect.left + rect.width / 2, rect.top + rect.height / 2);
    const {target} = this.rig;
    const level = this.ground() ?? Math.min(0, target.y);
    const [x, y, z] = ray.origin;
    const down = hitPlane({origin: [x, y - level, z], direction: ray.direction});
    if (down !== null && down < 4 * this.rig.distance) {
      return [x + down * ray.direction[0], level, z + down * ray.direction[2]];
    }
    return [target.x, level, target.z];
  }
}
