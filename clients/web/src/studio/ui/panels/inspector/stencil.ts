// In which order particles make a constraint. A selection has none, so it is found: from the triangles of the body
// they belong to, or from where they are.
import type {Point} from '../../../model/commands.js';
import {distance, tetVolume} from '../../../model/geometry.js';
import type {Body, Vec3} from '../../../model/values.js';

// Edge first, then wings, as the server takes them.
export interface Stencil {
  readonly key: string;
  readonly words: string;
  readonly points: readonly Point[];
}

// Pairs for distances: each with the next.
export function chained(points: readonly Point[]): Point[] {
  return points.slice(1).flatMap((point, i) => [points[i] ?? point, point]);
}

// Three for a slide, with the ring between the ends of the rope.
export function ringed(points: readonly Point[], ring: Point): Point[] {
  const ends = points.filter((point) => point !== ring);
  return [...ends.slice(0, 1), ring, ...ends.slice(1)];
}

// Three for a ring on a rail: the ring, and the ends of the rail in the order of their indices.
export function railed(points: readonly Point[], ring: Point): Point[] {
  const ends = points.filter((point) => point !== ring);
  return [ring, ...ends.sort((a, b) => a.particle - b.particle)];
}

export function lengthOf(places: readonly (Vec3 | null)[]): number | null {
  const [a, b] = places;
  return a && b ? distance(a, b) : null;
}

// The likeliest edge first: one that two triangles of a body share, else the one whose wings lie farthest apart.
export function edgesOf(
  points: readonly Point[],
  places: readonly (Vec3 | null)[],
  bodies: ReadonlyMap<number, Body>,
): Stencil[] {
  if (points.length !== 4) return [];
  const pairs = [0, 1, 2].flatMap((i) => [1, 2, 3].filter((j) => j > i).map((j) => [i, j] as const));
  const scored = pairs.map(([i, j]) => {
    const [k = 0, l = 0] = [0, 1, 2, 3].filter((at) => at !== i && at !== j);
    const [p, q] = [places[k], places[l]];
    const apart = p && q ? distance(p, q) : 0;
    const order = [i, j, k, l].map((at) => points[at] as Point);
    return {order, score: (shared(order, bodies) ? 1e12 : 0) + apart};
  });
  scored.sort((a, b) => b.score - a.score);
  return scored.map(({order}) => {
    const words = `#${order[0]?.particle}–#${order[1]?.particle}`;
    return {key: order.map((point) => `${point.body}:${point.particle}`).join(), words, points: order};
  });
}

function shared([a, b, c, d]: readonly Point[], bodies: ReadonlyMap<number, Body>): boolean {
  if (!a || !b || !c || !d || [b, c, d].some((point) => point.body !== a.body)) return false;
  const triangles = bodies.get(a.body)?.topology?.triangles;
  if (!triangles) return false;
  const has = (...corners: number[]) => {
    const wanted = corners.sort((x, y) => x - y).join();
    for (let i = 0; i + 2 < triangles.length; i += 3) {
      if (
        [triangles[i] ?? 0, triangles[i + 1] ?? 0, triangles[i + 2] ?? 0].sort((x, y) => x - y).join() ===
        wanted
      )
        return true;
    }
    return false;
  };
  return has(a.particle, b.particle, c.particle) && has(a.particle, b.particle, d.particle);
}

// A tetrahedron with a positive volume, if the places are known.
export function orderFor(points: readonly Point[], places: readonly (Vec3 | null)[]): readonly Point[] {
  const [a, b, c, d] = places;
  if (!a || !b || !c || !d || tetVolume(a, b, c, d) >= 0) return points;
  const [p, q, r, s] = points;
  return p && q && r && s ? [p, r, q, s] : points;
}
