// Snapping of what is moved, turned or sized by its handles, and the numbers beside them, as functions of numbers alone.
//
// A move snaps along each axis that its handle frees: to a vertex of something else, or else to a face or the middle of another
// box or to the ground, or else to a step. Steps count from where the move began, so that the number beside the handle is round.
import type {Vec3} from './values.js';

export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

export type Caught = 'step' | 'side' | 'middle' | 'ground' | 'vertex';

export const ANGLE_STEP = Math.PI / 12;
export const FACTOR_STEP = 0.1;
// A step has at least so many pixels.
const STEP_PX = 6;
// A thing nearer than this share of a step catches.
const REACH = 0.45;
// A vertex that lies farther beside the way than this share of the reach is not met.
const BESIDE = 0.1;

// 1, 2 or 5 times a power of ten, in metres.
export function gridStep(metresPerPixel: number): number {
  const least = Math.max(1e-9, STEP_PX * metresPerPixel);
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

export const reachOf = (step: number): number => REACH * step;

// Points in cells of a size, so that those near a place are found at once.
export class Points {
  private readonly cells = new Map<string, number[]>();

  constructor(
    private readonly size: number,
    points: Iterable<ArrayLike<number>>,
  ) {
    for (const all of points) {
      for (let i = 0; i + 2 < all.length; i += 3) {
        const key = this.key(all[i]!, all[i + 1]!, all[i + 2]!, 0, 0, 0);
        const cell = this.cells.get(key) ?? [];
        cell.push(all[i]!, all[i + 1]!, all[i + 2]!);
        this.cells.set(key, cell);
      }
    }
  }

  // The nearest one that is no farther than a cell is wide; null if there is none.
  nearest(x: number, y: number, z: number): Vec3 | null {
    let best: Vec3 | null = null;
    let least = this.size;
    for (let at = 0; at < 27; at++) {
      const cell = this.cells.get(this.key(x, y, z, (at % 3) - 1, (Math.floor(at / 3) % 3) - 1, Math.floor(at / 9) - 1));
      for (let i = 0; cell && i < cell.length; i += 3) {
        const distance = Math.hypot(cell[i]! - x, cell[i + 1]! - y, cell[i + 2]! - z);
        if (distance <= least) {
          least = distance;
          best = [cell[i]!, cell[i + 1]!, cell[i + 2]!];
        }
      }
    }
    return best;
  }

  private key(x: number, y: number, z: number, dx: number, dy: number, dz: number): string {
    const cell = (at: number, by: number) => Math.floor(at / this.size) + by;
    return `${cell(x, dx)},${cell(y, dy)},${cell(z, dz)}`;
  }
}

export interface Move {
  // The place of the moved things when the move began.
  readonly box: Box;
  readonly offset: Vec3;
  // Along which the handle goes.
  readonly axes: readonly [boolean, boolean, boolean];
  readonly step: number;
  // The places of other things.
  readonly others: readonly Box[];
  // Height of the ground below; null: there is none.
  readonly ground: number | null;
  // Vertices of what is moved, where the move began, and of other things.
  readonly own?: ArrayLike<number>;
  readonly points?: Points | null;
}

export interface Snapped {
  readonly offset: Vec3;
  // The thing that it snapped to; the most important one if there are several.
  readonly caught: Caught | null;
}

const ORDER: readonly Caught[] = ['vertex', 'ground', 'middle', 'side', 'step'];

export function snapMove(move: Move): Snapped {
  const {box, offset, axes, step, others, ground} = move;
  const met = meetVertex(move);
  if (met) {
    return {offset: met, caught: 'vertex'};
  }
  const out: [number, number, number] = [...offset];
  const caught = new Set<Caught>();
  for (const axis of [0, 1, 2] as const) {
    if (!axes[axis]) continue;
    const [low, high] = [box.min[axis] + offset[axis], box.max[axis] + offset[axis]];
    const middle = (low + high) / 2;
    let best = {by: Math.round(offset[axis] / step) * step - offset[axis], what: 'step' as Caught};
    let least = reachOf(step);
    const offer = (by: number, what: Caught) => {
      if (Math.abs(by) < least) {
        least = Math.abs(by);
        best = {by, what};
      }
    };
    if (axis === 1 && ground !== null) offer(ground - low, 'ground');
    for (const other of others) {
      const [from, to] = [other.min[axis], other.max[axis]];
      offer((from + to) / 2 - middle, 'middle');
      for (const face of [from, to]) {
        offer(face - low, 'side');
        offer(face - high, 'side');
      }
    }
    out[axis] += best.by;
    caught.add(best.what);
  }
  return {offset: out, caught: ORDER.find((one) => caught.has(one)) ?? null};
}

function meetVertex({offset, axes, own, points, step}: Move): Vec3 | null {
  let best: Vec3 | null = null;
  let least = reachOf(step);
  for (let i = 0; own && points && i + 2 < own.length; i += 3) {
    const at = [own[i]! + offset[0], own[i + 1]! + offset[1], own[i + 2]! + offset[2]] as const;
    const there = points.nearest(...at);
    if (!there) continue;
    const by = there.map((x, axis) => x - at[axis]!) as unknown as Vec3;
    const along = Math.hypot(...by.map((x, axis) => (axes[axis] ? x : 0)));
    const beside = Math.hypot(...by.map((x, axis) => (axes[axis] ? 0 : x)));
    if (along < least && beside <= BESIDE * reachOf(step)) {
      least = along;
      best = offset.map((x, axis) => (axes[axis] ? x + by[axis]! : x)) as unknown as Vec3;
    }
  }
  return best;
}

export const snapAngle = (angle: number): number => Math.round(angle / ANGLE_STEP) * ANGLE_STEP;

// Never 0.
export const snapFactor = (factor: number): number =>
  Math.max(FACTOR_STEP, Math.round(Math.abs(factor) / FACTOR_STEP) * FACTOR_STEP);
