// A small picture of a mesh: its triangles from far to near, shaded by where they face. Drawn in the text's accent.
import type {Mesh} from './mesh.js';
import {surfaceOf} from './mesh.js';

type Vec3 = readonly [number, number, number];

export interface PictureProps {
  mesh: Mesh;
  pose?: (p: Vec3) => Vec3;
  width?: number;
  height?: number;
}

const LIGHT: Vec3 = normalized([-0.3, 0.62, 0.72]);
const TURN = -0.62;
const TILT = 0.42;
const BORDER = 6;
const SHADES = 12;
// Cosine of the greatest turn from a triangle to the mean around a corner that is no edge.
const SMOOTH = 0.82;

export function Picture({mesh, pose, width = 96, height = 72}: PictureProps) {
  const seen = look(mesh, pose);
  const xs = seen.map((p) => p[0]);
  const ys = seen.map((p) => p[1]);
  const [left, right, bottom, top] = [least(xs), most(xs), least(ys), most(ys)];
  const scale = Math.min(
    (width - 2 * BORDER) / Math.max(1e-9, right - left),
    (height - 2 * BORDER) / Math.max(1e-9, top - bottom),
  );
  const place = (p: Vec3) =>
    `${(width / 2 + scale * (p[0] - (left + right) / 2)).toFixed(1)} ${(height / 2 - scale * (p[1] - (top + bottom) / 2)).toFixed(1)}`;
  return (
    <svg class="picture" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {shapes(mesh, seen, place)}
    </svg>
  );
}

// Where the points are for somebody who looks from the front, a little from above and the side: right, up, near.
function look(mesh: Mesh, pose?: (p: Vec3) => Vec3): Vec3[] {
  const count = mesh.positions.length / 3;
  const middle = [0, 1, 2].map((axis) => {
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += mesh.positions[3 * i + axis] ?? 0;
    return sum / Math.max(1, count);
  }) as unknown as Vec3;
  const [ct, st, cu, su] = [Math.cos(TURN), Math.sin(TURN), Math.cos(TILT), Math.sin(TILT)];
  return Array.from({length: count}, (_, i) => {
    const at = [0, 1, 2].map(
      (axis) => (mesh.positions[3 * i + axis] ?? 0) - (middle[axis] ?? 0),
    ) as unknown as Vec3;
    const [x, y, z] = pose ? pose(at) : at;
    const [a, c] = [ct * x + st * z, -st * x + ct * z];
    return [a, cu * y - su * c, su * y + cu * c] as const;
  });
}

function shapes(mesh: Mesh, seen: readonly Vec3[], place: (p: Vec3) => string) {
  const corner = (i: number | undefined) => seen[i ?? 0] ?? ([0, 0, 0] as const);
  if (mesh.edges) {
    const line = [0, ...Array.from(mesh.edges).filter((_, i) => i % 2 === 1)]
      .map((i) => place(corner(i)))
      .join('L');
    return <path class="thread" d={`M${line}`} />;
  }
  const triangles = mesh.triangles ?? (mesh.tets ? surfaceOf(mesh.tets) : undefined);
  if (!triangles) {
    return seen.map((p) => {
      const [x, y] = place(p).split(' ');
      return <circle class="grain" cx={x} cy={y} r={1.6} />;
    });
  }
  // Triangles of one shade that follow each other from far to near are one path.
  const lit = lightOn(seen, triangles);
  const order = Array.from({length: triangles.length / 3}, (_, i) => {
    const [p, q, r] = [0, 1, 2].map((k) => corner(triangles[3 * i + k])) as [Vec3, Vec3, Vec3];
    const shade = Math.round((SHADES - 1) * (lit[i] ?? 0));
    return {path: `M${place(p)}L${place(q)}L${place(r)}Z`, depth: p[2] + q[2] + r[2], shade};
  }).sort((a, b) => a.depth - b.depth);
  const paths: {shade: number; d: string}[] = [];
  for (const {path, shade} of order) {
    const last = paths[paths.length - 1];
    if (last?.shade === shade) last.d += path;
    else paths.push({shade, d: path});
  }
  return paths.map(({shade, d}) => <path class={`shade-${shade}`} d={d} />);
}

// How much light each triangle has, 0 to 1: by the mean normals of its corners where the surface is smooth, and by its
// own where it has an edge. Both sides are lit alike.
function lightOn(seen: readonly Vec3[], triangles: ArrayLike<number>): number[] {
  const means = seen.map((): [number, number, number] => [0, 0, 0]);
  const own: Vec3[] = [];
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const corners = [0, 1, 2].map((k) => triangles[i + k] ?? 0);
    const [p, q, r] = corners.map((k) => seen[k] ?? [0, 0, 0]) as [Vec3, Vec3, Vec3];
    const [a, b] = [minus(q, p), minus(r, p)];
    const n: Vec3 = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    own.push(normalized(n));
    for (const k of corners) {
      const mean = means[k];
      if (mean) n.forEach((x, axis) => (mean[axis as 0 | 1 | 2] += x));
    }
  }
  return own.map((n, i) => {
    const normals = [0, 1, 2].map((k) => normalized(means[triangles[3 * i + k] ?? 0] ?? n));
    const smooth = normals.map((mean) => (dot(mean, n) > SMOOTH ? mean : n));
    return smooth.reduce((sum, mean) => sum + Math.abs(dot(mean, LIGHT)) / 3, 0);
  });
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function normalized(v: Vec3): Vec3 {
  const length = Math.hypot(...v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
