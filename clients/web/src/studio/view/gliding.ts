// A point that is told now and then, and moves evenly between: what others point at, and where they look from.
import type {Vec3} from '../model/values.js';

// Two messages may lie so far apart.
const CONSTANT_S = 0.06;
const NEAR_M = 1e-4;

export class Gliding {
  private now: Vec3 | null = null;
  private goal: Vec3 | null = null;

  get at(): Vec3 | null {
    return this.now;
  }

  // One that was not there before is at its goal at once.
  aim(goal: Vec3 | null): void {
    this.goal = goal;
    if (goal === null || this.now === null) {
      this.now = goal;
    }
  }

  // Whether it moved. `still` takes it to its goal at once.
  advance(seconds: number, still: boolean): boolean {
    const {now, goal} = this;
    if (now === null || goal === null || now === goal) {
      return false;
    }
    const share = still ? 1 : 1 - Math.exp(-seconds / CONSTANT_S);
    const next = now.map((x, axis) => x + share * (goal[axis]! - x)) as unknown as Vec3;
    const left = Math.hypot(...next.map((x, axis) => goal[axis]! - x));
    this.now = left < NEAR_M ? goal : next;
    return true;
  }
}

// How much is seen of another person's camera at `eye`: 0 close to the own one, 1 away from it. `distance` is that from the own eye
// to what it looks at.
export function shareSeen(eye: Vec3, own: Vec3, distance: number): number {
  const apart = Math.hypot(...eye.map((x, axis) => x - own[axis]!)) / Math.max(distance, 1e-6);
  return Math.min(1, Math.max(0, (apart - CLOSE) / (AWAY - CLOSE)));
}

const CLOSE = 0.2;
const AWAY = 0.6;
