// Meshes of scenes from a few numbers, particle by particle as protocol/scene/generate.c makes them.
import {LIMITS} from '../../../lib/index.js';
import {turnOf} from './place.js';
import {refuse, type Spec} from './spec.js';

export interface SceneMesh {
  readonly positions: Float64Array;
  readonly elements: Uint32Array;
  // Of an element: 2 an edge, 3 a triangle, 4 a tetrahedron; 0 without elements.
  readonly corners: number;
  // Of a grid; 0 for all else.
  readonly columns: number;
}

function reserve(spec: Spec, particles: number, elements: number, corners: number, columns = 0) {
  const most = LIMITS.particles.value;
  if (particles > most) refuse(spec.place, `would have ${particles} particles; a world may hold ${most}`);
  return {
    positions: new Float64Array(3 * particles),
    elements: new Uint32Array(corners * elements),
    corners,
    columns,
  };
}

function grid(spec: Spec): SceneMesh {
  spec.check(['size', 'cells', 'upright']);
  const upright = spec.get('upright') ?? false;
  if (typeof upright !== 'boolean') refuse(spec.at('upright'), 'must be true or false');
  const [width = 1, height = 1] = spec.sizes(2);
  const [across = 1, down = 1] = spec.wholes('cells', 2, 2048);
  const columns = across + 1;
  const mesh = reserve(spec, columns * (down + 1), 2 * across * down, 3, columns);
  let out = 0;
  for (let i = 0; i < mesh.positions.length / 3; i++) {
    const column = i % columns;
    const row = Math.floor(i / columns);
    const x = (width * column) / across - width / 2;
    const y = (height * row) / down - height / 2;
    mesh.positions.set([x, upright ? -y : 0, upright ? 0 : y], 3 * i);
    if (column < across && row < down) {
      const [a, b, c, d] = [i, i + 1, i + columns, i + columns + 1];
      const turned = (column + row) % 2 !== 0;
      mesh.elements.set([a, c, turned ? d : b, turned ? a : b, turned ? d : c, turned ? b : d], out);
      out += 6;
    }
  }
  return mesh;
}

function disc(spec: Spec): SceneMesh {
  spec.check(['radius', 'rings']);
  const radius = spec.number('radius', 1e-6, 1e6, 1);
  const rings = spec.whole('rings', 1, 1000, 16);
  const mesh = reserve(spec, 1 + 3 * rings * (rings + 1), 6 * rings * rings, 3);
  const triangles: number[] = [];
  let [first, inner] = [1, 0]; // of ring k, and of the one inside it
  for (let k = 1; k <= rings; k++) {
    for (let j = 0; j < 6 * k; j++) {
      const [cosine, sine] = turnOf((60 * j) / k);
      mesh.positions.set(
        [((radius * k) / rings) * cosine, 0, ((-radius * k) / rings) * sine],
        3 * (first + j),
      );
      // Each of six sides has k steps here and k - 1 inside.
      const step = j % k;
      const below = k === 1 ? 0 : Math.floor(j / k) * (k - 1) + step;
      const ring = k === 1 ? 1 : 6 * (k - 1);
      const [a, b] = [first + j, first + ((j + 1) % (6 * k))];
      triangles.push(a, b, inner + (below % ring));
      if (step + 1 < k) triangles.push(b, inner + ((below + 1) % ring), inner + (below % ring));
    }
    inner = first;
    first += 6 * k;
  }
  mesh.elements.set(triangles);
  return mesh;
}

function rope(spec: Spec): SceneMesh {
  spec.check(['from', 'to', 'segments']);
  const from = spec.vector('from', 3, [0, 0, 0]);
  const to = spec.vector('to', 3, [0, -1, 0]);
  const segments = spec.whole('segments', 1, 1_000_000, 20);
  const mesh = reserve(spec, segments + 1, segments, 2);
  for (let i = 0; i <= segments; i++) {
    for (let axis = 0; axis < 3; axis++)
      mesh.positions[3 * i + axis] = from[axis]! + ((to[axis]! - from[axis]!) * i) / segments;
    if (i < segments) mesh.elements.set([i, i + 1], 2 * i);
  }
  return mesh;
}

const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [1, 0, 2],
  [2, 1, 0],
] as const;

// Cells of six tetrahedra each: from the least corner to the greatest, along the axes in each of their orders.
function lattice(spec: Spec, size: readonly number[], cells: readonly number[]): SceneMesh {
  const sides = cells.map((count) => count + 1);
  const strides = [1, sides[0]!, sides[0]! * sides[1]!];
  const mesh = reserve(spec, strides[2]! * sides[2]!, 6 * cells[0]! * cells[1]! * cells[2]!, 4);
  let out = 0;
  for (let i = 0; i < mesh.positions.length / 3; i++) {
    const at = [i % strides[1]!, Math.floor(i / strides[1]!) % sides[1]!, Math.floor(i / strides[2]!)];
    for (let axis = 0; axis < 3; axis++)
      mesh.positions[3 * i + axis] = (size[axis]! * at[axis]!) / cells[axis]! - size[axis]! / 2;
    if (at.some((place, axis) => place >= cells[axis]!)) continue;
    for (const [n, order] of ORDERS.entries()) {
      const path = [i];
      for (const axis of order) path.push(path[path.length - 1]! + strides[axis]!);
      // An odd order would turn the tetrahedron inside out.
      mesh.elements.set([path[n < 3 ? 0 : 1]!, path[n < 3 ? 1 : 0]!, path[2]!, path[3]!], out);
      out += 4;
    }
  }
  return mesh;
}

const SOLID_CELLS_MAX = 128;

function box(spec: Spec): SceneMesh {
  spec.check(['size', 'cells']);
  return lattice(spec, spec.sizes(3), spec.wholes('cells', 3, SOLID_CELLS_MAX));
}

function sphere(spec: Spec): SceneMesh {
  spec.check(['radius', 'cells']);
  const radius = spec.number('radius', 1e-6, 1e6, 1);
  const across = spec.whole('cells', 2, SOLID_CELLS_MAX, 8);
  const mesh = lattice(spec, [2, 2, 2], [across, across, across]);
  const {positions} = mesh;
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
    const length = Math.sqrt(x * x + y * y + z * z);
    const greatest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    // Shells of the cube become shells of the ball.
    if (length > 0) for (let axis = 0; axis < 3; axis++) positions[i + axis]! *= (radius * greatest) / length;
  }
  return mesh;
}

export const GENERATORS: Readonly<Record<string, (spec: Spec) => SceneMesh>> = {
  grid,
  disc,
  rope,
  box,
  sphere,
};
