// Lengths, volumes and angles of constraints, as the server measures them.
import type {Vec3} from './values.js';

export function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// The two points are six numbers.
export function lengthOf(p: ArrayLike<number>): number {
  return Math.hypot(p[0] - p[3], p[1] - p[4], p[2] - p[5]);
}

// Three points as nine numbers: from the first to the second, and `ratio` times on to the third.
export function pathOf(p: ArrayLike<number>, ratio: number): number {
  return lengthOf(p) + ratio * Math.hypot(p[6] - p[3], p[7] - p[4], p[8] - p[5]);
}

// Three points as nine numbers: how far the first is from the line between the others.
export function offOf(p: ArrayLike<number>): number {
  const way = [0, 1, 2].map((axis) => p[6 + axis] - p[3 + axis]);
  const from = [0, 1, 2].map((axis) => p[axis] - p[3 + axis]);
  const square = way.reduce((sum, d) => sum + d * d, 0);
  const along = way.reduce((sum, d, axis) => sum + d * from[axis], 0);
  const part = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
  return Math.hypot(...from.map((d, axis) => d - part * way[axis]));
}

// Writes the ends of the segment of a rail that is nearest to a ring, whose place is the first three numbers of `p`, behind
// that. The rail is the particles from `first` to `last`, x, y, z of each.
export function nearestOnRail(rail: ArrayLike<number>, first: number, last: number, p: Float64Array | number[]): void {
  let best = Infinity;
  let at = first;
  for (let i = first; i < last; i++) {
    let square = 0;
    let along = 0;
    let off = 0;
    for (let axis = 0; axis < 3; axis++) {
      const from = rail[3 * i + axis];
      const way = rail[3 * i + 3 + axis] - from;
      const ring = p[axis] - from;
      square += way * way;
      along += way * ring;
      off += ring * ring;
    }
    const part = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
    const apart = off - 2 * part * along + part * part * square;
    if (apart < best) {
      best = apart;
      at = i;
    }
  }
  for (let k = 0; k < 6; k++) p[3 + k] = rail[3 * at + k];
}

// Three points as nine numbers: strains along the warp and along the weft. One metre of warp goes to a1 (x1 - x0) +
// a2 (x2 - x0), and one of weft in the same way; gradients are a1, a2, b1, b2. Returns the one that is farther from 0.
export function yarnStrainOf(p: ArrayLike<number>, gradients: ArrayLike<number>): number {
  const yarn = (first: number, second: number) => {
    const along = (axis: number) => first * (p[3 + axis] - p[axis]) + second * (p[6 + axis] - p[axis]);
    return Math.hypot(along(0), along(1), along(2)) - 1;
  };
  const warp = yarn(gradients[0], gradients[1]);
  const weft = yarn(gradients[2], gradients[3]);
  return Math.abs(warp) >= Math.abs(weft) ? warp : weft;
}

// Four points as twelve numbers, for what is measured many thousand times a frame; as points, for all else.
const four = new Float64Array(12);

function flat(a: Vec3, b: Vec3, c: Vec3, d: Vec3): Float64Array {
  four.set(a, 0);
  four.set(b, 3);
  four.set(c, 6);
  four.set(d, 9);
  return four;
}

// V = ((b − a) × (c − a)) · (d − a) / 6, signed.
export function tetVolumeOf(p: ArrayLike<number>): number {
  const [ux, uy, uz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
  const [vx, vy, vz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
  return (
    ((uy * vz - uz * vy) * (p[9] - p[0]) +
      (uz * vx - ux * vz) * (p[10] - p[1]) +
      (ux * vy - uy * vx) * (p[11] - p[2])) /
    6
  );
}

export function tetVolume(a: Vec3, b: Vec3, c: Vec3, d: Vec3): number {
  return tetVolumeOf(flat(a, b, c, d));
}

// Signed angle between the normals of the triangles (a, b, c) and (b, a, d) about their edge ab; 0 where flat.
export function bendAngleOf(p: ArrayLike<number>): number {
  const [ex, ey, ez] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  if (length === 0) {
    return 0;
  }
  const [cx, cy, cz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
  const [dx, dy, dz] = [p[9] - p[0], p[10] - p[1], p[11] - p[2]];
  // n = e × c, m = d × e
  const [nx, ny, nz] = [ey * cz - ez * cy, ez * cx - ex * cz, ex * cy - ey * cx];
  const [mx, my, mz] = [dy * ez - dz * ey, dz * ex - dx * ez, dx * ey - dy * ex];
  const sine = (ny * mz - nz * my) * ex + (nz * mx - nx * mz) * ey + (nx * my - ny * mx) * ez;
  return Math.atan2(sine / length, nx * mx + ny * my + nz * mz);
}

export function bendAngle(a: Vec3, b: Vec3, c: Vec3, d: Vec3): number {
  return bendAngleOf(flat(a, b, c, d));
}
