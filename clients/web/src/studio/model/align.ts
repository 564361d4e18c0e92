// By how much things are moved so that they are aligned, evenly apart, or on the ground. Boxes are those that the things take up.
import type {Box} from './snapping.js';
import type {Vec3} from './values.js';

export type Axis = 0 | 1 | 2;
export type Side = 'min' | 'middle' | 'max';

const along = (axis: Axis, by: number): Vec3 => [axis === 0 ? by : 0, axis === 1 ? by : 0, axis === 2 ? by : 0];

function at({min, max}: Box, axis: Axis, side: Side): number {
  return side === 'middle' ? (min[axis] + max[axis]) / 2 : side === 'min' ? min[axis] : max[axis];
}

// To the side of the box around all of them.
export function aligned(boxes: readonly Box[], axis: Axis, side: Side): Vec3[] {
  const whole = {
    min: along(axis, Math.min(...boxes.map(({min}) => min[axis]))),
    max: along(axis, Math.max(...boxes.map(({max}) => max[axis]))),
  };
  return boxes.map((box) => along(axis, at(whole, axis, side) - at(box, axis, side)));
}

// With gaps of one width between them, from the first to the last, which stay. The gaps may be less than nothing.
export function spread(boxes: readonly Box[], axis: Axis): Vec3[] {
  const order = boxes.map((_, i) => i).sort((a, b) => at(boxes[a]!, axis, 'middle') - at(boxes[b]!, axis, 'middle') || a - b);
  const size = ({min, max}: Box) => max[axis] - min[axis];
  const first = boxes[order[0] ?? 0];
  const last = boxes[order[order.length - 1] ?? 0];
  if (!first || !last || boxes.length < 3) return boxes.map(() => [0, 0, 0]);
  const room = last.max[axis] - first.min[axis] - boxes.reduce((sum, box) => sum + size(box), 0);
  const gap = room / (boxes.length - 1);
  const out: Vec3[] = boxes.map(() => [0, 0, 0]);
  let next = first.min[axis];
  for (const i of order) {
    out[i] = along(axis, next - boxes[i]!.min[axis]);
    next += size(boxes[i]!) + gap;
  }
  return out;
}

// Each down or up to the ground.
export function grounded(boxes: readonly Box[], ground: number): Vec3[] {
  return boxes.map(({min}) => along(1, ground - min[1]));
}
