// Where something new stands: as near as can be to where it was wanted, and not inside of what is there.
import type {Values} from '../forms/binding.js';
import type {Made} from './pieces.js';

type Vec3 = readonly [number, number, number];

export interface Extent {
  readonly min: Vec3;
  readonly max: Vec3;
}

// Between two things, m.
const APART = 0.08;
const RINGS = 24;

export function extentOf(positions: ArrayLike<number>): Extent {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < positions.length; i += 3) {
    for (const axis of [0, 1, 2] as const) {
      min[axis] = Math.min(min[axis], positions[i + axis] ?? 0);
      max[axis] = Math.max(max[axis], positions[i + axis] ?? 0);
    }
  }
  return {min, max};
}

export function together(all: readonly Extent[]): Extent {
  return extentOf(all.flatMap(({min, max}) => [...min, ...max]));
}

// Of the parameters of collider.add; a ball around it, however it is turned.
export function colliderExtent(values: Values): Extent {
  const [x, y, z] = (values['position'] ?? [0, 0, 0]) as Vec3;
  const half = (values['half_extents'] ?? [0.5, 0.5, 0.5]) as Vec3;
  const radius = Number(values['radius'] ?? 1);
  const halfLength = Number(values['length'] ?? 1) / 2;
  const heights: Values = {capsule: radius + halfLength, cylinder: halfLength};
  const kind = String(values['kind']);
  if (kind === 'height_field') {
    const {columns = 2, heights = []} = values as {columns?: number; heights?: readonly number[]};
    const spacing = Number(values['spacing'] ?? 1);
    const [a, c] = [((columns - 1) * spacing) / 2, ((heights.length / columns - 1) * spacing) / 2];
    const high = heights.reduce((most, one) => Math.max(most, one), -Infinity);
    return {min: [x - a, y - 1, z - c], max: [x + a, y + high, z + c]};
  }
  const [a, b, c] = kind === 'box' ? half : [radius, Number(heights[kind] ?? radius), radius];
  return {min: [x - a, y - b, z - c], max: [x + a, y + b, z + c]};
}

export function madeExtent({mesh, look, colliders = []}: Made): Extent {
  return together([extentOf((look ?? mesh).positions), ...colliders.map(colliderExtent)]);
}

function meets(a: Extent, b: Extent): boolean {
  return [0, 1, 2].every((axis) => {
    const i = axis as 0 | 1 | 2;
    return a.min[i] < b.max[i] + APART && b.min[i] < a.max[i] + APART;
  });
}

// How far it has to go, level, to be free: in rings round where it was wanted, and in the end beside everything.
export function wayOut(extent: Extent, taken: readonly Extent[]): Vec3 {
  const moved = (x: number, z: number): Extent => ({
    min: [extent.min[0] + x, extent.min[1], extent.min[2] + z],
    max: [extent.max[0] + x, extent.max[1], extent.max[2] + z],
  });
  const free = (x: number, z: number) => !taken.some((other) => meets(moved(x, z), other));
  if (free(0, 0)) return [0, 0, 0];
  const step = Math.max(0.1, Math.min(extent.max[0] - extent.min[0], extent.max[2] - extent.min[2]) / 4);
  for (let ring = 1; ring <= RINGS; ++ring) {
    const around = 8 * ring;
    // To the right first, then to the left: what is beside something is seen better than what is behind it.
    for (let i = 0; i < around; ++i) {
      const turn = (i % 2 === 0 ? i / 2 : around / 2 - (i - 1) / 2) / around;
      const [x, z] = [
        ring * step * Math.cos(2 * Math.PI * turn),
        ring * step * Math.sin(2 * Math.PI * turn),
      ];
      if (free(x, z)) return [x, 0, z];
    }
  }
  return [together(taken).max[0] + APART - extent.min[0], 0, 0];
}
