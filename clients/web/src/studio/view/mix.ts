// Positions between two frames, written where the picture reads them.
import type {Chunk, Frame, Vec3, Vec4} from '../../lib/index.js';

// to[i] = (1 − alpha) a[i] + alpha b[i], from `offset` on; three at a time, since they come as x, y, z.
export function mix(to: Float32Array, offset: number, a: Float32Array, b: Float32Array, alpha: number): void {
  const count = Math.min(b.length, to.length - offset);
  const rest = 1 - alpha;
  for (let i = 0, at = offset; i + 2 < count; i += 3, at += 3) {
    to[at] = rest * a[i] + alpha * b[i];
    to[at + 1] = rest * a[i + 1] + alpha * b[i + 1];
    to[at + 2] = rest * a[i + 2] + alpha * b[i + 2];
  }
}

function matching(frame: Frame, chunk: Chunk, guess: number): Chunk | null {
  const fits = (other: Chunk | undefined) =>
    other !== undefined &&
    other.body === chunk.body &&
    other.first === chunk.first &&
    other.count === chunk.count;
  const at = frame.bodies[guess];
  return fits(at) ? at : (frame.bodies.find(fits) ?? null);
}

// Calls `each` with what every body's positions are between a and b. A body that is in one of them only is shown as it
// is there.
export function mixFrames(
  a: Frame,
  b: Frame,
  alpha: number,
  positionsOf: (body: number) => Float32Array | null,
  changed: (body: number) => void,
  turnsOf: (body: number) => Float32Array | null = () => null,
): void {
  const main = alpha > 0 ? b : a;
  const other = alpha > 0 ? a : b;
  main.bodies.forEach((chunk, i) => {
    const to = positionsOf(chunk.body);
    const {positions} = chunk;
    const offset = 3 * chunk.first;
    if (!to || !positions || offset + positions.length > to.length) {
      return;
    }
    const before = alpha > 0 && alpha < 1 ? matching(other, chunk, i)?.positions : null;
    if (before) {
      mix(to, offset, before, positions, alpha);
    } else {
      to.set(positions, offset);
    }
    const turns = turnsOf(chunk.body);
    if (turns && chunk.rotations && 4 * chunk.first + chunk.rotations.length <= turns.length) {
      const from = before ? matching(other, chunk, i)?.rotations : null;
      mixTurns(turns, 4 * chunk.first, from ?? chunk.rotations, chunk.rotations, alpha);
    }
    changed(chunk.body);
  });
}

// Unit quaternions between those of a and of b, the shorter way round.
export function mixTurns(
  to: Float32Array,
  offset: number,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
): void {
  for (let i = 0; i + 3 < b.length; i += 4) {
    let same = 0;
    for (let k = 0; k < 4; k++) {
      same += a[i + k] * b[i + k];
    }
    const rest = (same < 0 ? -1 : 1) * (1 - alpha);
    let length = 0;
    for (let k = 0; k < 4; k++) {
      to[offset + i + k] = rest * a[i + k] + alpha * b[i + k];
      length += to[offset + i + k] ** 2;
    }
    for (let k = 0; length > 0 && k < 4; k++) {
      to[offset + i + k] /= Math.sqrt(length);
    }
  }
}

// Calls `each` with where colliders that go by keyframes are between a and b. Turns are taken from the later frame.
export function mixPoses(
  a: Frame,
  b: Frame,
  alpha: number,
  each: (collider: number, position: Vec3, rotation: Vec4) => void,
): void {
  const main = alpha > 0 ? b : a;
  for (const {collider, position, rotation} of main.colliders ?? []) {
    const from = a.colliders?.find((pose) => pose.collider === collider)?.position;
    const between = (axis: 0 | 1 | 2) =>
      from && alpha > 0 ? from[axis] + alpha * (position[axis] - from[axis]) : position[axis];
    each(collider, [between(0), between(1), between(2)], rotation);
  }
}
