// Where the camera is sent: to what is selected, to the whole of a world, and where a new thing would be seen best.
import {Box3, Sphere, Vector3} from 'three';
import type {App} from '../model/app.js';
import type {Vec3} from '../model/values.js';
import type {CameraPose} from '../model/viewstate.js';
import type {CameraRig} from './camera.js';
import type {Content} from './content.js';
import {hitPlane} from './pick.js';

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
      const {center, radius} = this.box.getBoundingSphere(this.ball);
      this.rig.frame(center.toArray(), Math.min(LARGEST, Math.max(SMALLEST, radius)), !wantsStillness());
    }
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
    const grounds = [...this.app.document.colliders.peek().values()].filter(
      ({kind, normal}) => kind === 'plane' && normal[1] > 0.7,
    );
    return grounds.length > 0 ? Math.max(...grounds.map(({position}) => position[1])) : null;
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
