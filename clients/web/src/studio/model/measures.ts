// Measures in the picture: distances and angles of points that were picked, and quantities of things. This file finds what
// each comes to; measuring.ts keeps them up to date.
import {distance} from './geometry.js';
import {angleText, areaText, changeText, lengthText, volumeText} from './quantities.js';
import type {Body, ConstraintKind, Topology, Vec3} from './values.js';

// A point that goes with a particle, with a piece of a rigid body, or with a collider. `at` is in the own axes of the piece or the
// collider, from its position.
export type Anchor =
  | {readonly kind: 'particle'; readonly body: number; readonly particle: number; readonly at?: Vec3}
  | {readonly kind: 'collider'; readonly collider: number; readonly at: Vec3};

export type Measure = {readonly id: number} & (
  | {readonly kind: 'distance' | 'angle'; readonly anchors: readonly Anchor[]}
  | {readonly kind: 'area' | 'length' | 'volume' | 'pull'; readonly body: number}
  | {readonly kind: 'force'; readonly constraint: number; readonly type: ConstraintKind}
  | {readonly kind: 'pin'; readonly body: number; readonly particle: number}
);

export interface Reading {
  // '523.4 mm'
  readonly text: string;
  // Further words, such as the value at rest.
  readonly more: string;
}

// The number of points that each kind of measure needs.
export const POINTS = {distance: 2, angle: 3} as const;
export type Picked = keyof typeof POINTS;

export function distanceReading(a: Vec3, b: Vec3): Reading {
  const parts = (['x', 'y', 'z'] as const).map((name, axis) => `${name} ${lengthText(b[axis]! - a[axis]!)}`);
  return {text: lengthText(distance(a, b)), more: parts.join(', ')};
}

// At the second of three points; 0 if it lies on another.
export function angleOf(a: Vec3, b: Vec3, c: Vec3): number {
  const u = a.map((x, axis) => x - b[axis]!);
  const v = c.map((x, axis) => x - b[axis]!);
  const cross = Math.hypot(
    u[1]! * v[2]! - u[2]! * v[1]!,
    u[2]! * v[0]! - u[0]! * v[2]!,
    u[0]! * v[1]! - u[1]! * v[0]!,
  );
  return Math.atan2(cross, u.reduce((sum, x, axis) => sum + x * v[axis]!, 0));
}

export function angleReading(a: Vec3, b: Vec3, c: Vec3): Reading {
  return {text: angleText(angleOf(a, b, c)), more: ''};
}

function cornersOf(p: ArrayLike<number>, triangles: ArrayLike<number>, t: number): number[] {
  const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
  return [p[a]!, p[a + 1]!, p[a + 2]!, p[b]!, p[b + 1]!, p[b + 2]!, p[c]!, p[c + 1]!, p[c + 2]!];
}

export function areaOf(p: ArrayLike<number>, triangles: ArrayLike<number>): number {
  let twice = 0;
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = cornersOf(p, triangles, t) as [
      number, number, number, number, number, number, number, number, number,
    ];
    const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
    twice += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  }
  return twice / 2;
}

// Inside a closed surface, whichever way its triangles turn.
export function volumeOf(p: ArrayLike<number>, triangles: ArrayLike<number>): number {
  let sixfold = 0;
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = cornersOf(p, triangles, t) as [
      number, number, number, number, number, number, number, number, number,
    ];
    sixfold += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return Math.abs(sixfold) / 6;
}

function tetsVolume(p: ArrayLike<number>, tets: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t + 3 < tets.length; t += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => {
      const i = 3 * tets[t + k]!;
      return [p[i]!, p[i + 1]!, p[i + 2]!];
    }) as [number[], number[], number[], number[]];
    const [u, v, w] = [b, c, d].map((one) => one.map((x, axis) => x - a[axis]!)) as [number[], number[], number[]];
    sum +=
      (u[0]! * (v[1]! * w[2]! - v[2]! * w[1]!) +
        u[1]! * (v[2]! * w[0]! - v[0]! * w[2]!) +
        u[2]! * (v[0]! * w[1]! - v[1]! * w[0]!)) /
      6;
  }
  return Math.abs(sum);
}

export function ropeLength(p: ArrayLike<number>, edges: ArrayLike<number>): number {
  let length = 0;
  for (let e = 0; e + 1 < edges.length; e += 2) {
    const [a, b] = [3 * edges[e]!, 3 * edges[e + 1]!];
    length += Math.hypot(p[a]! - p[b]!, p[a + 1]! - p[b + 1]!, p[a + 2]! - p[b + 2]!);
  }
  return length;
}

// Whether each edge of a surface has two triangles, which go along it in opposite ways.
export function isClosed(triangles: ArrayLike<number>): boolean {
  const open = new Set<string>();
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    for (const k of [0, 1, 2]) {
      const [a, b] = [triangles[t + k]!, triangles[t + ((k + 1) % 3)]!];
      if (!open.delete(`${b} ${a}`)) {
        if (open.has(`${a} ${b}`)) return false;
        open.add(`${a} ${b}`);
      }
    }
  }
  return triangles.length > 0 && open.size === 0;
}

// The measures that a body as a whole has.
export function offeredOf({kind}: Pick<Body, 'kind'>, topology: Topology): ('area' | 'length' | 'volume' | 'pull')[] {
  switch (kind) {
    case 'cloth':
      return ['area', ...(isClosed(topology.triangles) ? (['volume'] as const) : []), 'pull'];
    case 'rope':
      return ['length', 'pull'];
    case 'soft':
      return ['volume', 'pull'];
    default:
      return ['pull'];
  }
}

// A quantity of a body now, and at rest.
export function bodyReading(
  kind: 'area' | 'length' | 'volume',
  {triangles, edges, tets, rest}: Topology,
  positions: ArrayLike<number>,
): Reading {
  const of = (p: ArrayLike<number>) =>
    kind === 'area'
      ? areaOf(p, triangles)
      : kind === 'length'
        ? ropeLength(p, edges)
        : tets.length > 0
          ? tetsVolume(p, tets)
          : volumeOf(p, triangles);
  const text = kind === 'area' ? areaText : kind === 'length' ? lengthText : volumeText;
  const [now, before] = [of(positions), of(rest)];
  return {text: text(now), more: `${text(before)} at rest, ${changeText(now, before)}`.replace(/, $/, '')};
}
