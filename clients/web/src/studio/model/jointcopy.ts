// Joints as they are copied: by where they hold now, as constraint.add takes them.
//
// A joint that is added counts angles and places from where its sides are then. So the limits and targets of a hinge or
// slider lose what the joint has turned or moved by.
import type {ConstraintListResult} from '../../lib/index.js';
import {jointsOf, MOTORS} from './joints.js';
import {product, rotated} from './rotation.js';
import {f64sOf, u32sOf, type Fields, type Vec3, type Vec4} from './values.js';

// The places of a body's particles now, and how its pieces stand; bodies that are no pieces have no rotations.
export interface Standing {
  readonly positions: ArrayLike<number>;
  readonly rotations: ArrayLike<number>;
}

function turnOf({rotations}: Standing, piece: number): Vec4 {
  return Array.from({length: 4}, (_, i) => rotations[4 * piece + i] ?? (i === 3 ? 1 : 0)) as unknown as Vec4;
}

function placeOf(standing: Standing, piece: number, anchor: Vec3): Vec3 {
  const offset = rotated(turnOf(standing, piece), anchor);
  return offset.map((x, axis) => x + (standing.positions[3 * piece + axis] ?? 0)) as unknown as Vec3;
}

// Those of a page that are wanted and hold. `numbers` has the number of each body in the copy.
export function jointRows(
  page: ConstraintListResult,
  wanted: ReadonlySet<number>,
  numbers: ReadonlyMap<number, number>,
  standing: ReadonlyMap<number, Standing>,
): Fields[] {
  const all = page as unknown as Fields;
  const value = (name: string, row: number) => f64sOf(all[name])[row] ?? 0;
  const above0 = (name: string, row: number) => (value(name, row) > 0 ? {[name]: [value(name, row)]} : {});
  const motors = u32sOf(all['motors']);
  return jointsOf(page).flatMap((joint, row) => {
    const [body = 0, other] = joint.bodies;
    const [piece = 0, second = 0] = joint.particles;
    const own = standing.get(body);
    if (!wanted.has(joint.constraint) || joint.parted || !own) return [];
    const anchor = placeOf(own, piece, joint.anchors[0]);
    const there = other === undefined ? undefined : standing.get(other);
    // A slider's place is 0 where its anchors meet; particles are their own anchors.
    const opposite =
      joint.type === 'slider' || joint.bodies.length === 4 || (there && there.rotations.length === 0)
        ? anchor
        : there
          ? placeOf(there, second, joint.anchors[1])
          : joint.anchors[1];
    const counted = joint.type === 'hinge' || joint.type === 'slider';
    const from = counted ? value('places', row) : 0;
    const [low, high] = joint.limits;
    const motor = MOTORS[motors[row] ?? 0] ?? 'none';
    return [
      {
        type: 'joint',
        joint: joint.type,
        bodies: Uint32Array.from(joint.bodies, (id) => numbers.get(id) ?? 0),
        particles: Uint32Array.from(joint.particles),
        sides: Uint32Array.from([1, joint.particles.length - 1]),
        ...(joint.weights.length > 0 ? {weights: [1, ...joint.weights]} : {}),
        anchors: [...anchor, ...opposite],
        axes: rotated(product(turnOf(own, piece), joint.frames[0] as unknown as Vec4), [0, 0, 1]),
        ...(low <= high ? {limits: [low - from, high - from]} : {}),
        compliance: [value('compliance', row)],
        damping: [value('damping', row)],
        ...above0('force_limit', row),
        ...above0('turn_compliance', row),
        ...(motor === 'none'
          ? {}
          : {
              motor,
              motor_target: [value('motor_target', row) - (motor === 'target' ? from : 0)],
              ...above0('motor_most', row),
              ...above0('motor_compliance', row),
            }),
      },
    ];
  });
}
