// Pieces of rigid bodies in the gallery: balls, capsules, boxes, hulls and crossed bars, alone or one above the other.
import type {Field} from '../../../lib/index.js';
import type {Values} from '../forms/binding.js';
import type {Mesh} from './mesh.js';

type Vec3 = readonly [number, number, number];

// A closed surface of a piece around its middle, for the picture and for the size that it takes up.
function ball(radius: Vec3, rings = 10): Mesh {
  const around = 2 * rings;
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let j = 0; j <= rings; j++) {
    const up = (Math.PI * j) / rings;
    for (let i = 0; i < around; i++) {
      const turn = (2 * Math.PI * i) / around;
      positions.push(
        radius[0] * Math.sin(up) * Math.cos(turn),
        radius[1] * Math.cos(up),
        radius[2] * Math.sin(up) * Math.sin(turn),
      );
    }
  }
  for (let j = 0; j < rings; j++) {
    for (let i = 0; i < around; i++) {
      const [a, b] = [j * around + i, j * around + ((i + 1) % around)];
      triangles.push(a, b, a + around, b, b + around, a + around);
    }
  }
  return {positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles)};
}

function stretched(mesh: Mesh, half: number): Mesh {
  return {...mesh, positions: mesh.positions.map((x, i) => (i % 3 === 1 ? x + Math.sign(x) * half : x))};
}

function box([x, y, z]: Vec3): Mesh {
  const positions = Array.from({length: 8}, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat();
  const quads = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  const triangles = quads.flatMap(([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, a, c, d]);
  return {positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles)};
}

// Points of solids with straight sides, at a distance of 1.
const GOLDEN = (1 + Math.sqrt(5)) / 2;
const SOLIDS: Readonly<Record<string, readonly Vec3[]>> = {
  tetrahedron: [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]],
  octahedron: [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]],
  icosahedron: [-1, 1].flatMap((a) =>
    [-GOLDEN, GOLDEN].flatMap((b): Vec3[] => [
      [0, a, b],
      [a, b, 0],
      [b, 0, a],
    ]),
  ),
};

export function solidPoints(name: string, radius: number): Float64Array {
  const points = SOLIDS[name] ?? SOLIDS['octahedron'] ?? [];
  return Float64Array.from(points.flatMap((p) => p.map((x) => (radius * x) / Math.hypot(...p))));
}

// Faces of a hull of few points: every triangle that has all others on one side.
function hull(points: Float64Array): Mesh {
  const count = points.length / 3;
  const at = (i: number): Vec3 => [points[3 * i] ?? 0, points[3 * i + 1] ?? 0, points[3 * i + 2] ?? 0];
  const triangles: number[] = [];
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      for (let c = b + 1; c < count; c++) {
        const [p, q, r] = [at(a), at(b), at(c)];
        const [u, v] = [q.map((x, k) => x - (p[k] ?? 0)), r.map((x, k) => x - (p[k] ?? 0))] as unknown as [Vec3, Vec3];
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const side = (i: number) => at(i).reduce((sum, x, k) => sum + (x - (p[k] ?? 0)) * (n[k] ?? 0), 0);
        const sides = Array.from({length: count}, (_, i) => side(i));
        if (sides.every((d) => d < 1e-9)) triangles.push(a, b, c);
        else if (sides.every((d) => d > -1e-9)) triangles.push(a, c, b);
      }
    }
  }
  return {positions: points, triangles: Uint32Array.from(triangles)};
}

function together(meshes: readonly Mesh[]): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    positions.push(...mesh.positions);
    triangles.push(...(mesh.triangles ?? []).map((corner) => first + corner));
  }
  return {positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles)};
}

// Between two pieces that stand one above the other, m.
const APART = 0.002;

interface Shape {
  // Parameters of body.add's rigid.
  readonly rigid: Values;
  readonly look: Mesh;
  // From its middle to its top.
  readonly half: number;
}

export type RigidForm = 'sphere' | 'capsule' | 'box' | 'hull' | 'compound';

export function shapeFor(form: RigidForm, number: (name: string) => number, solid = 'octahedron'): Shape {
  const radius = number('radius');
  switch (form) {
    case 'sphere':
      return {rigid: {form, radius}, look: ball([radius, radius, radius]), half: radius};
    case 'capsule': {
      const half_height = number('length') / 2;
      const look = stretched(ball([radius, radius, radius], 9), half_height);
      return {rigid: {form, radius, half_height}, look, half: radius + half_height};
    }
    case 'box': {
      const half_extents: Vec3 = [number('width') / 2, number('height') / 2, number('depth') / 2];
      return {rigid: {form, half_extents}, look: box(half_extents), half: half_extents[1]};
    }
    case 'hull': {
      const points = solidPoints(solid, radius);
      return {rigid: {form, points}, look: hull(points), half: radius};
    }
    case 'compound': {
      const [half, thin] = [number('length') / 2, number('width') / 2];
      const bars: readonly Vec3[] = [[half, thin, thin], [thin, half, thin], [thin, thin, half]];
      const parts = bars.map((half_extents) => ({form: 'box', half_extents, position: [0, 0, 0], rotation: [0, 0, 0, 1]}));
      return {rigid: {form, parts}, look: together(bars.map(box)), half};
    }
  }
}

// So many pieces, one above the other: the lowest has its middle at the position. `look` shows all of them.
export function stacked({rigid, look, half}: Shape, count: number, [x, y, z]: Vec3) {
  const each = look.positions.length;
  const positions = new Float64Array(3 * count);
  const shown = new Float64Array(count * each);
  const triangles = look.triangles ?? new Uint32Array();
  const corners = new Uint32Array(count * triangles.length);
  for (let i = 0; i < count; i++) {
    const middle = [x, y + i * (2 * half + APART), z];
    positions.set(middle, 3 * i);
    look.positions.forEach((p, k) => (shown[i * each + k] = p + (middle[k % 3] ?? 0)));
    triangles.forEach((corner, k) => (corners[i * triangles.length + k] = corner + (i * each) / 3));
  }
  return {mesh: {positions}, rigid, look: {positions: shown, triangles: corners}};
}

export const RIGID_FIELDS = (length: (name: string, value: number, min: number, max: number, doc: string) => Field) => ({
  radius: length('radius', 0.15, 0.001, 4, 'Radius.'),
  length: length('length', 0.4, 0.001, 8, 'Distance between the centres of its ends.'),
  bars: [
    length('length', 0.4, 0.004, 8, 'Length of each bar.'),
    length('width', 0.06, 0.002, 8, 'Width of each bar.'),
  ],
  sides: [
    length('width', 0.3, 0.002, 8, 'Size along x.'),
    length('height', 0.3, 0.002, 8, 'Size along y.'),
    length('depth', 0.3, 0.002, 8, 'Size along z.'),
  ],
});
