// What lies under a point of the page, found on the processor from the positions as they are drawn.
//
// A ray is tried against every triangle of the bodies whose box it meets: some 5 ns each, so that a cloth of 100 × 100
// takes a tenth of a millisecond. Particles, ropes and constraints are found by their distance on the page.
import type {Vec3} from '../model/values.js';

export interface Ray {
  readonly origin: Vec3;
  // A unit vector.
  readonly direction: Vec3;
}

export interface TriangleHit {
  readonly distance: number;
  // Index of the first corner.
  readonly triangle: number;
  // Weights of the second and third corner.
  readonly u: number;
  readonly v: number;
}

export interface Box {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

export function emptyBox(): Box {
  return {min: new Float64Array(3).fill(Infinity), max: new Float64Array(3).fill(-Infinity)};
}

export function boxOf(positions: ArrayLike<number>, box: Box = emptyBox()): Box {
  let [x0, y0, z0] = [Infinity, Infinity, Infinity];
  let [x1, y1, z1] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    x0 = x < x0 ? x : x0;
    x1 = x > x1 ? x : x1;
    y0 = y < y0 ? y : y0;
    y1 = y > y1 ? y : y1;
    z0 = z < z0 ? z : z0;
    z1 = z > z1 ? z : z1;
  }
  box.min.set([x0, y0, z0]);
  box.max.set([x1, y1, z1]);
  return box;
}

// Whether the ray meets the box nearer than `limit`.
export function meetsBox(ray: Ray, box: Box, limit = Infinity): boolean {
  let near = 0;
  let far = limit;
  for (let axis = 0; axis < 3; axis++) {
    const inverse = 1 / ray.direction[axis];
    let one = (box.min[axis] - ray.origin[axis]) * inverse;
    let other = (box.max[axis] - ray.origin[axis]) * inverse;
    // Parallel and on the face: 0 · ∞. Such a ray grazes the box.
    if (Number.isNaN(one)) {
      one = -Infinity;
    }
    if (Number.isNaN(other)) {
      other = Infinity;
    }
    near = Math.max(near, Math.min(one, other));
    far = Math.min(far, Math.max(one, other));
  }
  return near <= far;
}

// Vertices as the ray sees them: two coordinates across it and one along, three numbers each. Kept from call to call.
let seen = new Float64Array(0);

function lookAlong(ray: Ray, positions: Float32Array): Float64Array {
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  // Two unit vectors across it.
  const helper = Math.abs(dx) < 0.7 ? 1 : 0;
  const length = helper ? Math.hypot(dy, dz) : Math.hypot(dx, dz);
  const [ex, ey, ez] = helper ? [0, dz / length, -dy / length] : [-dz / length, 0, dx / length];
  const [fx, fy, fz] = [dy * ez - dz * ey, dz * ex - dx * ez, dx * ey - dy * ex];
  if (seen.length < positions.length) {
    seen = new Float64Array(positions.length);
  }
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const x = positions[i] - ox;
    const y = positions[i + 1] - oy;
    const z = positions[i + 2] - oz;
    seen[i] = x * ex + y * ey + z * ez;
    seen[i + 1] = x * fx + y * fy + z * fz;
    seen[i + 2] = x * dx + y * dy + z * dz;
  }
  return seen;
}

// The triangle in which the ray's foot lies, as the ray sees it, from both sides: it does where the areas that it cuts
// off with each side have the same sign. Neighbours share those areas, so that nothing slips through between them.
// The nearest hit before `limit`, or null.
export function hitTriangles(
  ray: Ray,
  positions: Float32Array,
  triangles: Uint32Array | Uint16Array,
  limit = Infinity,
): TriangleHit | null {
  const at = lookAlong(ray, positions);
  let best = limit;
  let found = -1;
  let bestU = 0;
  let bestV = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ofA = at[b] * at[c + 1] - at[b + 1] * at[c];
    const ofB = at[c] * at[a + 1] - at[c + 1] * at[a];
    if ((ofA < 0 && ofB > 0) || (ofA > 0 && ofB < 0)) {
      continue;
    }
    const ofC = at[a] * at[b + 1] - at[a + 1] * at[b];
    const all = ofA + ofB + ofC;
    if (((ofA < 0 || ofB < 0 || ofC < 0) && (ofA > 0 || ofB > 0 || ofC > 0)) || all === 0) {
      continue;
    }
    const distance = (ofA * at[a + 2] + ofB * at[b + 2] + ofC * at[c + 2]) / all;
    if (distance > 0 && distance < best) {
      best = distance;
      found = t;
      bestU = ofB / all;
      bestV = ofC / all;
    }
  }
  return found < 0 ? null : {distance: best, triangle: found, u: bestU, v: bestV};
}

// The corner with the greatest weight: 0, 1 or 2.
export function nearestCorner(hit: TriangleHit): 0 | 1 | 2 {
  const w = 1 - hit.u - hit.v;
  return w >= hit.u && w >= hit.v ? 0 : hit.u >= hit.v ? 1 : 2;
}

// -- on the page

// World to page: clip coordinates by a column-major 4 × 4 matrix, then pixels from the top left.
export interface Screen {
  readonly matrix: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

// x, y in pixels and the depth along the view; depth ≤ 0 is behind the camera.
export function toPage(
  screen: Screen,
  x: number,
  y: number,
  z: number,
  out: {x: number; y: number; depth: number},
): void {
  const m = screen.matrix;
  const w = m[3] * x + m[7] * y + m[11] * z + m[15];
  out.depth = w;
  out.x = (0.5 + (0.5 * (m[0] * x + m[4] * y + m[8] * z + m[12])) / w) * screen.width;
  out.y = (0.5 - (0.5 * (m[1] * x + m[5] * y + m[9] * z + m[13])) / w) * screen.height;
}

export interface ParticleHit {
  readonly particle: number;
  readonly depth: number;
  // On the page, px.
  readonly off: number;
}

// The particle nearest to a point of the page, within `reach` pixels and nearer than `depthLimit`. Of those about as
// near, the one in front.
export function nearestParticle(
  screen: Screen,
  positions: Float32Array,
  x: number,
  y: number,
  reach: number,
  depthLimit = Infinity,
): ParticleHit | null {
  const m = screen.matrix;
  // The inequality |p − (x, y)| < reach in clip space, without a division for those that fail it.
  const toX = (2 * x) / screen.width - 1;
  const toY = 1 - (2 * y) / screen.height;
  const reachX = (2 * reach) / screen.width;
  const reachY = (2 * reach) / screen.height;
  let best: ParticleHit | null = null;
  let bestScore = Infinity;
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const px = positions[i];
    const py = positions[i + 1];
    const pz = positions[i + 2];
    const w = m[3] * px + m[7] * py + m[11] * pz + m[15];
    if (w <= 0 || w >= depthLimit) {
      continue;
    }
    const offX = m[0] * px + m[4] * py + m[8] * pz + m[12] - toX * w;
    if (offX > reachX * w || offX < -reachX * w) {
      continue;
    }
    const offY = m[1] * px + m[5] * py + m[9] * pz + m[13] - toY * w;
    if (offY > reachY * w || offY < -reachY * w) {
      continue;
    }
    const off = Math.hypot((0.5 * screen.width * offX) / w, (0.5 * screen.height * offY) / w);
    // A pixel off counts as half a percent of depth.
    const score = w * (1 + 0.005 * off);
    if (off <= reach && score < bestScore) {
      bestScore = score;
      best = {particle: i / 3, depth: w, off};
    }
  }
  return best;
}

// Distance from a point to a segment on the page, px; and where along it, 0 to 1.
export function segmentDistance(
  px: number,
  py: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): {off: number; along: number} {
  const dx = bx - ax;
  const dy = by - ay;
  const length2 = dx * dx + dy * dy;
  const along = length2 > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length2)) : 0;
  return {off: Math.hypot(px - ax - along * dx, py - ay - along * dy), along};
}

// The line (pairs of x, y, z) nearest to a point of the page within `reach`, or −1. Lines in front win over those
// about as near.
export function nearestLine(
  screen: Screen,
  lines: Float32Array,
  x: number,
  y: number,
  reach: number,
  depthLimit = Infinity,
): number {
  const a = {x: 0, y: 0, depth: 0};
  const b = {x: 0, y: 0, depth: 0};
  let best = -1;
  let bestScore = Infinity;
  for (let i = 0; i + 5 < lines.length; i += 6) {
    toPage(screen, lines[i], lines[i + 1], lines[i + 2], a);
    if (a.depth <= 0) {
      continue;
    }
    toPage(screen, lines[i + 3], lines[i + 4], lines[i + 5], b);
    if (b.depth <= 0) {
      continue;
    }
    const {off, along} = segmentDistance(x, y, a.x, a.y, b.x, b.y);
    const depth = a.depth + along * (b.depth - a.depth);
    const score = depth * (1 + 0.02 * off);
    if (off <= reach && depth < depthLimit && score < bestScore) {
      bestScore = score;
      best = i / 6;
    }
  }
  return best;
}

// Particles within a closed line on the page, given as x, y pairs. A box is four of them.
export function particlesWithin(
  screen: Screen,
  positions: Float32Array,
  outline: ArrayLike<number>,
): Uint32Array {
  let found = new Uint32Array(64);
  let count = 0;
  const at = {x: 0, y: 0, depth: 0};
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < outline.length; i += 2) {
    x0 = Math.min(x0, outline[i]);
    x1 = Math.max(x1, outline[i]);
    y0 = Math.min(y0, outline[i + 1]);
    y1 = Math.max(y1, outline[i + 1]);
  }
  for (let i = 0; i + 2 < positions.length; i += 3) {
    toPage(screen, positions[i], positions[i + 1], positions[i + 2], at);
    const inBox = at.depth > 0 && at.x >= x0 && at.x <= x1 && at.y >= y0 && at.y <= y1;
    if (inBox && isWithin(at.x, at.y, outline)) {
      if (count === found.length) {
        const wider = new Uint32Array(4 * count);
        wider.set(found);
        found = wider;
      }
      found[count++] = i / 3;
    }
  }
  return found.slice(0, count);
}

// Even-odd rule.
export function isWithin(x: number, y: number, outline: ArrayLike<number>): boolean {
  let inside = false;
  const n = outline.length;
  for (let i = 0, j = n - 2; i + 1 < n; j = i, i += 2) {
    const yi = outline[i + 1];
    const yj = outline[j + 1];
    if (yi > y !== yj > y && x < outline[i] + ((outline[j] - outline[i]) * (y - yi)) / (yj - yi)) {
      inside = !inside;
    }
  }
  return inside;
}

// -- colliders, each in its own frame (the ray turned there)

export function hitSphere(ray: Ray, radius: number): number | null {
  const [ox, oy, oz] = ray.origin;
  const b = ox * ray.direction[0] + oy * ray.direction[1] + oz * ray.direction[2];
  const c = ox * ox + oy * oy + oz * oz - radius * radius;
  return nearRoot(b, c, 1);
}

// The least positive s of  a s² + 2 b s + c = 0.
function nearRoot(b: number, c: number, a: number): number | null {
  const disc = b * b - a * c;
  if (disc < 0 || a === 0) {
    return null;
  }
  const root = Math.sqrt(disc);
  const near = (-b - root) / a;
  const far = (-b + root) / a;
  return near > 0 ? near : far > 0 ? far : null;
}

// Along y, `length` between the centres of its ends.
export function hitCapsule(ray: Ray, radius: number, length: number): number | null {
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  const half = length / 2;
  let best: number | null = null;
  const offer = (s: number | null, valid: boolean) => {
    if (s !== null && valid && (best === null || s < best)) {
      best = s;
    }
  };
  const side = nearRoot(ox * dx + oz * dz, ox * ox + oz * oz - radius * radius, dx * dx + dz * dz);
  offer(side, side !== null && Math.abs(oy + side * dy) <= half);
  for (const end of [-half, half]) {
    offer(hitSphere({origin: [ox, oy - end, oz], direction: ray.direction}, radius), true);
  }
  return best;
}

export function hitCylinder(ray: Ray, radius: number, length: number): number | null {
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  const half = length / 2;
  const side = nearRoot(ox * dx + oz * dz, ox * ox + oz * oz - radius * radius, dx * dx + dz * dz);
  const ends = [-half, half].map((end) => (end - oy) / dy);
  const hits = [
    ...(side !== null && Math.abs(oy + side * dy) <= half ? [side] : []),
    ...ends.filter((s) => s > 0 && Math.hypot(ox + s * dx, oz + s * dz) <= radius),
  ];
  return hits.length ? Math.min(...hits) : null;
}

export function hitBox(ray: Ray, half: Vec3): number | null {
  let near = -Infinity;
  let far = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const inverse = 1 / ray.direction[axis];
    const one = (-half[axis] - ray.origin[axis]) * inverse;
    const other = (half[axis] - ray.origin[axis]) * inverse;
    near = Math.max(near, Math.min(one, other));
    far = Math.min(far, Math.max(one, other));
  }
  return near > far || far <= 0 ? null : near > 0 ? near : far;
}

// y = 0, from above.
export function hitPlane(ray: Ray): number | null {
  const down = ray.direction[1];
  const s = -ray.origin[1] / down;
  return down < 0 && s > 0 && Number.isFinite(s) ? s : null;
}
