// A surface's triangles all one way round, outward where it closes, and how closed it is. What lies within another part
// keeps its way against it: the other way round it is a hollow. The same as clients/mesh/orient.c.
import {Winding} from './winding.js';

export interface Surface {
  readonly triangles: Uint32Array;
  readonly volume: number;
  readonly area: number;
  // Edges that only one triangle has, and the area of the openings that they are around.
  readonly openEdges: number;
  readonly holeArea: number;
}

// Beyond so many parts none of them is taken for a hollow.
const NESTED_MAX = 1000;
const NONE = 0xffffffff;

interface Part {
  readonly members: number[];
  open: boolean;
  flip: boolean;
  volume: number;
}

type Point = readonly [number, number, number];

export function orient(positions: Float64Array, given: Uint32Array): Surface {
  const count = given.length / 3;
  const vertices = positions.length / 3;
  // Sides of each edge: 3 t + k goes from corner k of triangle t to the next.
  const edges = new Map<number, number[]>();
  const from = (side: number) => given[side]!;
  const to = (side: number) => given[side % 3 === 2 ? side - 2 : side + 1]!;
  for (let side = 0; side < given.length; side++) {
    const key = Math.min(from(side), to(side)) * vertices + Math.max(from(side), to(side));
    const sides = edges.get(key);
    if (sides) sides.push(side);
    else edges.set(key, [side]);
  }
  const across = new Uint32Array(given.length).fill(NONE);
  for (const sides of edges.values()) {
    const [a, b] = sides;
    if (sides.length !== 2 || a === undefined || b === undefined) continue;
    across[a] = b;
    across[b] = a;
  }

  const turned = new Uint8Array(count);
  const parts = partsOf(count, across, turned, (a, b) => from(a) < to(a) === from(b) < to(b));
  faceOutward(positions, given, parts, turned);

  let openEdges = 0;
  const rims = new Map<number, number[]>();
  for (const sides of edges.values()) {
    openEdges += sides.length === 1 ? 1 : 0;
    let balance = 0;
    const ways = sides.map((side) => from(side) < to(side) !== (turned[Math.floor(side / 3)] === 1));
    for (const up of ways) balance += up ? 1 : -1;
    const [low, high] = [Math.min(from(sides[0]!), to(sides[0]!)), Math.max(from(sides[0]!), to(sides[0]!))];
    for (let i = 0; i < Math.abs(balance); i++) {
      const [start, end] = balance > 0 ? [low, high] : [high, low];
      rims.set(start, [...(rims.get(start) ?? []), end]);
    }
  }
  const triangles = given.slice();
  for (let t = 0; t < count; t++) {
    if (!turned[t]) continue;
    triangles[3 * t + 1] = given[3 * t + 2]!;
    triangles[3 * t + 2] = given[3 * t + 1]!;
  }
  return {triangles, ...sizeOf(positions, triangles), openEdges, holeArea: holeArea(positions, rims)};
}

// What hangs together, each triangle turned so that it agrees with where it was reached from; most stay as they are.
function partsOf(
  count: number,
  across: Uint32Array,
  turned: Uint8Array,
  alike: (a: number, b: number) => boolean,
): Part[] {
  const seen = new Uint8Array(count);
  const parts: Part[] = [];
  for (let first = 0; first < count; first++) {
    if (seen[first]) continue;
    const part: Part = {members: [first], open: false, flip: false, volume: 0};
    seen[first] = 1;
    let flipped = 0;
    for (let at = 0; at < part.members.length; at++) {
      const t = part.members[at]!;
      flipped += turned[t]!;
      for (let side = 3 * t; side < 3 * t + 3; side++) {
        const other = across[side]!;
        if (other === NONE) {
          part.open = true;
          continue;
        }
        const neighbor = Math.floor(other / 3);
        const wanted = turned[t]! ^ (alike(side, other) ? 1 : 0);
        if (!seen[neighbor]) {
          seen[neighbor] = 1;
          turned[neighbor] = wanted;
          part.members.push(neighbor);
        } else if (turned[neighbor] !== wanted) {
          part.open = true; // one-sided: it has no inside
        }
      }
    }
    if (flipped > Math.floor(part.members.length / 2)) for (const t of part.members) turned[t]! ^= 1;
    parts.push(part);
  }
  return parts;
}

function pointAt(positions: Float64Array, vertex: number): Point {
  return [positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!];
}

function sixfold(o: Point, a: Point, b: Point, c: Point): number {
  const [ax, ay, az] = [a[0] - o[0], a[1] - o[1], a[2] - o[2]];
  const [bx, by, bz] = [b[0] - o[0], b[1] - o[1], b[2] - o[2]];
  return (
    (ay * bz - az * by) * (c[0] - o[0]) +
    (az * bx - ax * bz) * (c[1] - o[1]) +
    (ax * by - ay * bx) * (c[2] - o[2])
  );
}

// Largest first, so that what is around a part has been decided before it.
function faceOutward(
  positions: Float64Array,
  given: Uint32Array,
  parts: readonly Part[],
  turned: Uint8Array,
): void {
  const closed = parts.filter(({open}) => !open);
  for (const part of closed) {
    const origin = pointAt(positions, given[3 * part.members[0]!]!);
    for (const t of part.members) {
      const [a, b, c] = [0, 1, 2].map((k) => pointAt(positions, given[3 * t + k]!)) as [Point, Point, Point];
      part.volume += ((turned[t] ? -1 : 1) * sixfold(origin, a, b, c)) / 6;
    }
  }
  closed.sort((a, b) => Math.abs(b.volume) - Math.abs(a.volume));
  const nested = closed.length > 1 && closed.length <= NESTED_MAX;
  const windings: Winding[] = [];
  closed.forEach((part, i) => {
    let around: Part | null = null;
    let depth = 0;
    const point = pointAt(positions, given[3 * part.members[0]!]!);
    for (let j = 0; nested && j < i; j++) {
      if (Math.abs(windings[j]!.at(...point)) <= 0.5) continue;
      around = closed[j]!;
      depth++;
    }
    part.flip = depth % 2 === 1 && around ? around.flip : part.volume < 0;
    if (!nested) return;
    const own = part.members.flatMap((t) => {
      const [a, b, c] = [given[3 * t]!, given[3 * t + 1]!, given[3 * t + 2]!];
      return turned[t] ? [a, c, b] : [a, b, c];
    });
    windings.push(new Winding(positions, Uint32Array.from(own)));
  });
  for (const {flip, members} of closed) if (flip) for (const t of members) turned[t]! ^= 1;
}

function sizeOf(positions: Float64Array, triangles: Uint32Array): {volume: number; area: number} {
  let [volume, area] = [0, 0];
  const origin = pointAt(positions, triangles[0] ?? 0);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => pointAt(positions, triangles[t + k]!)) as [Point, Point, Point];
    volume += sixfold(origin, a, b, c) / 6;
    const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    area += 0.5 * Math.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2);
  }
  return {volume, area};
}

// Of each loop of rims the length of 1/2 sum p x q, which a crack has next to none of.
function holeArea(positions: Float64Array, rims: Map<number, number[]>): number {
  let area = 0;
  for (const start of rims.keys()) {
    while (rims.get(start)!.length > 0) {
      const origin = pointAt(positions, start);
      const sum = [0, 0, 0];
      for (
        let at = start, next = rims.get(at)?.pop();
        next !== undefined;
        at = next, next = rims.get(at)?.pop()
      ) {
        const [p, q] = [pointAt(positions, at), pointAt(positions, next)];
        const [ux, uy, uz] = [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
        const [vx, vy, vz] = [q[0] - origin[0], q[1] - origin[1], q[2] - origin[2]];
        sum[0]! += uy * vz - uz * vy;
        sum[1]! += uz * vx - ux * vz;
        sum[2]! += ux * vy - uy * vx;
      }
      area += 0.5 * Math.hypot(...sum);
    }
  }
  return area;
}
