// Joints as they are drawn: their anchors and axes in the frames of what they hold. Tables of constraints have none of
// that, so it is asked for when somebody draws joints.
import type {Client, ConstraintListResult} from '../../lib/index.js';
import {f64sOf, u32sOf, type Vec3} from './values.js';

export const JOINT_TYPES = ['ball', 'fixed', 'hinge', 'slider', 'distance'] as const;
export type JointType = (typeof JOINT_TYPES)[number];
export const MOTORS = ['none', 'speed', 'target'] as const;

export interface Joint {
  readonly constraint: number;
  readonly type: JointType;
  // The piece, and then what there is of the second side: nothing (the world), a piece, a particle, the ends of a segment
  // of a rod, or three corners.
  readonly bodies: readonly number[];
  readonly particles: readonly number[];
  // One weight for each particle of the second side.
  readonly weights: readonly number[];
  // Whether the second side is a segment of a rod.
  readonly segment: boolean;
  // In the frame of the piece, and in that of the second side's piece or segment or in the world; zeros for particles.
  readonly anchors: readonly [Vec3, Vec3];
  // x, y, z, w: from the frame of the joint, whose third axis is its axis, to those of both sides.
  readonly frames: readonly [readonly number[], readonly number[]];
  // The first above the second: none.
  readonly limits: readonly [number, number];
  readonly parted: boolean;
}

const STRIDE = 4;
const PAGE = 1000;

export function jointsOf(page: ConstraintListResult): Joint[] {
  const ids = u32sOf(page.constraints);
  const [bodies, particles, weights] = [u32sOf(page.bodies), u32sOf(page.particles), f64sOf(page.weights)];
  const [anchors, frames, limits] = [f64sOf(page.joint_anchors), f64sOf(page.joint_frames), f64sOf(page.limits)];
  const types = u32sOf(page.joints);
  const parted = new Set(u32sOf(page.parted));
  const vec = (i: number): Vec3 => [anchors[i] ?? 0, anchors[i + 1] ?? 0, anchors[i + 2] ?? 0];
  return Array.from(ids, (constraint, row) => {
    // Those that weigh nothing stand for nothing, and the piece itself on the second side for the world.
    const at = (k: number) => `${bodies[STRIDE * row + k]} ${particles[STRIDE * row + k]}`;
    const segment = at(3) === at(1) && at(2) !== at(1);
    const weighs = (k: number) => (weights[STRIDE * row + k] ?? 0) > 0 && at(k) !== at(0);
    const used = [0, 1, 2, 3].filter((k) => k === 0 || (segment ? k < 3 : weighs(k)));
    return {
      constraint,
      type: JOINT_TYPES[types[row] ?? 0] ?? 'ball',
      bodies: used.map((k) => bodies[STRIDE * row + k] ?? 0),
      particles: used.map((k) => particles[STRIDE * row + k] ?? 0),
      weights: used.slice(1).map((k) => weights[STRIDE * row + k] ?? 0),
      segment,
      anchors: [vec(6 * row), vec(6 * row + 3)],
      frames: [Array.from(frames.subarray(8 * row, 8 * row + 4)), Array.from(frames.subarray(8 * row + 4, 8 * row + 8))],
      limits: [limits[2 * row] ?? 1, limits[2 * row + 1] ?? -1],
      parted: parted.has(constraint),
    };
  });
}

export async function readJoints(client: Client, world: number): Promise<readonly Joint[]> {
  const all: Joint[] = [];
  for (let after = 0; ;) {
    const page = await client.call('constraint.list', {world, type: 'joint', after, limit: PAGE});
    all.push(...jointsOf(page));
    if (page.next === 0) return all;
    after = page.next;
  }
}
