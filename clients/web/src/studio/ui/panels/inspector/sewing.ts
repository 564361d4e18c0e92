// Pairs of particles of two rims, for sewing, and points of surfaces, for joins to triangles.
import type {Point} from '../../../model/commands.js';
import {distance} from '../../../model/geometry.js';
import type {Body, Vec3} from '../../../model/values.js';

type Places = (point: Point) => Vec3 | null;
type Bodies = ReadonlyMap<number, Body>;

// Edges between the given particles of a body, as neighbours of each.
function neighboursOf(body: Body | undefined, particles: ReadonlySet<number>): Map<number, number[]> {
  const all = new Map<number, number[]>();
  const add = (a: number, b: number) => {
    if (!particles.has(a) || !particles.has(b)) return;
    const list = all.get(a) ?? [];
    if (!list.includes(b)) all.set(a, [...list, b]);
  };
  const {triangles = new Uint32Array(), edges = new Uint32Array()} = body?.topology ?? {};
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[i + k] ?? 0, triangles[i + ((k + 1) % 3)] ?? 0];
      add(a, b);
      add(b, a);
    }
  }
  for (let i = 0; i + 1 < edges.length; i += 2) {
    add(edges[i] ?? 0, edges[i + 1] ?? 0);
    add(edges[i + 1] ?? 0, edges[i] ?? 0);
  }
  return all;
}

export interface Rim {
  readonly points: readonly Point[];
  readonly closed: boolean;
}

// The selected particles of a body as rims: each in the order in which edges lead along it.
function rimsOf(id: number, particles: readonly number[], body: Body | undefined): Rim[] {
  const neighbours = neighboursOf(body, new Set(particles));
  const left = new Set(particles);
  const rims: Rim[] = [];
  while (left.size > 0) {
    const piece = connected(neighbours, [...left][0] ?? 0);
    piece.forEach((particle) => left.delete(particle));
    // It begins at an end, if there is one.
    const end = piece.find((particle) => (neighbours.get(particle)?.length ?? 0) < 2);
    const order = [end ?? piece[0] ?? 0];
    const seen = new Set(order);
    for (;;) {
      const here = order[order.length - 1] ?? 0;
      const next = (neighbours.get(here) ?? []).find((particle) => !seen.has(particle));
      if (next === undefined) break;
      seen.add(next);
      order.push(next);
    }
    rims.push({points: order.map((particle) => ({body: id, particle})), closed: end === undefined && order.length > 2});
  }
  return rims;
}

function connected(neighbours: ReadonlyMap<number, readonly number[]>, from: number): number[] {
  const found = new Set([from]);
  for (const here of found) (neighbours.get(here) ?? []).forEach((next) => found.add(next));
  return [...found];
}

// The two rims of a selection: those of two bodies, or both of one. null if there are not two.
export function twoRims(points: readonly Point[], bodies: Bodies): readonly [Rim, Rim] | null {
  const byBody = new Map<number, number[]>();
  points.forEach(({body, particle}) => byBody.set(body, [...(byBody.get(body) ?? []), particle]));
  const rims = [...byBody].flatMap(([id, particles]) => rimsOf(id, particles, bodies.get(id)));
  const [first, second] = rims;
  return rims.length === 2 && first && second ? [first, second] : null;
}

// Shares of the way along a rim, 0 to 1, at each of its points.
function sharesOf(points: readonly Point[], places: Places, closed: boolean): number[] {
  const lengths = points.map((point, i) => {
    const [a, b] = [places(points[Math.max(0, i - 1)] ?? point), places(point)];
    return i > 0 && a && b ? distance(a, b) : 0;
  });
  const [first, last] = [places(points[0] as Point), places(points[points.length - 1] as Point)];
  const whole = lengths.reduce((sum, one) => sum + one, 0) + (closed && first && last ? distance(first, last) : 0);
  let way = 0;
  return lengths.map((one, i) => {
    way += one;
    return whole > 0 ? way / whole : i / Math.max(1, points.length - 1);
  });
}

// One pair for each point of the longer rim, with the point of the other that is as far along. Of both directions, and of
// the places at which a closed rim may begin, those with the shortest threads are taken.
export function sewn([a, b]: readonly [Rim, Rim], places: Places): Point[] {
  const [long, short] = a.points.length >= b.points.length ? [a, b] : [b, a];
  const from = long.points;
  const shares = sharesOf(from, places, long.closed);
  let best: readonly Point[] = [];
  let least = Infinity;
  const starts = short.closed ? short.points.map((_, i) => i) : [0];
  for (const start of starts) {
    const turned = [...short.points.slice(start), ...short.points.slice(0, start)];
    for (const order of [turned, short.closed ? [turned[0] as Point, ...turned.slice(1).reverse()] : [...turned].reverse()]) {
      const pairs = matched(shares, order, places, short.closed);
      const sum = pairs.reduce((all, point, i) => {
        const [p, q] = [places(from[i] as Point), places(point)];
        return all + (p && q ? distance(p, q) : 0);
      }, 0);
      if (sum < least) [best, least] = [pairs, sum];
    }
  }
  return from.flatMap((point, i) => [point, best[i] ?? point]);
}

function matched(shares: readonly number[], order: readonly Point[], places: Places, closed: boolean): Point[] {
  const own = sharesOf(order, places, closed);
  return shares.map((share) => {
    let nearest = 0;
    const apart = (i: number) => {
      const way = Math.abs((own[i] ?? 0) - share);
      return closed ? Math.min(way, 1 - way) : way;
    };
    own.forEach((_, i) => {
      if (apart(i) < apart(nearest)) nearest = i;
    });
    return order[nearest] as Point;
  });
}

export interface OnSurface {
  readonly corners: readonly number[];
  readonly weights: readonly number[];
  readonly distance: number;
}

// The point of a triangle, an edge or a particle that is nearest to a place, as barycentric weights.
export function nearestWeights(p: Vec3, corners: readonly Vec3[]): number[] {
  const [a, b, c] = corners;
  if (!a || !b) return [1];
  if (!c) {
    const t = along(p, a, b);
    return [1 - t, t];
  }
  const [ab, ac, ap] = [minus(b, a), minus(c, a), minus(p, a)];
  const [d00, d01, d11, d20, d21] = [dot(ab, ab), dot(ab, ac), dot(ac, ac), dot(ap, ab), dot(ap, ac)];
  const det = d00 * d11 - d01 * d01;
  if (det > 0) {
    const v = (d11 * d20 - d01 * d21) / det;
    const w = (d00 * d21 - d01 * d20) / det;
    if (v >= 0 && w >= 0 && v + w <= 1) return [1 - v - w, v, w];
  }
  // It is nearest to an edge.
  const sides = [
    [a, b, 0, 1],
    [b, c, 1, 2],
    [c, a, 2, 0],
  ] as const;
  let best: number[] = [1, 0, 0];
  let least = Infinity;
  for (const [from, to, i, k] of sides) {
    const t = along(p, from, to);
    const apart = distance(p, between(from, to, t));
    if (apart < least) {
      least = apart;
      best = [0, 0, 0];
      best[i] = 1 - t;
      best[k] = t;
    }
  }
  return best;
}

// The nearest point of a surface: its triangle and the weights there. null if the body has no triangles.
export function nearestOnSurface(p: Vec3, triangles: ArrayLike<number>, positions: ArrayLike<number>): OnSurface | null {
  let best: OnSurface | null = null;
  const at = (i: number): Vec3 => [positions[3 * i] ?? 0, positions[3 * i + 1] ?? 0, positions[3 * i + 2] ?? 0];
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const corners = [triangles[i] ?? 0, triangles[i + 1] ?? 0, triangles[i + 2] ?? 0];
    const places = corners.map(at) as [Vec3, Vec3, Vec3];
    const weights = nearestWeights(p, places);
    const apart = distance(p, mean(places, weights));
    if (!best || apart < best.distance) best = {corners, weights, distance: apart};
  }
  return best;
}

export function mean(places: readonly Vec3[], weights: readonly number[]): Vec3 {
  const sum = (axis: 0 | 1 | 2) => places.reduce((all, place, k) => all + (weights[k] ?? 0) * place[axis], 0);
  return [sum(0), sum(1), sum(2)];
}

function along(p: Vec3, a: Vec3, b: Vec3): number {
  const way = minus(b, a);
  const square = dot(way, way);
  return square > 0 ? Math.min(1, Math.max(0, dot(minus(p, a), way) / square)) : 0;
}

function between(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
