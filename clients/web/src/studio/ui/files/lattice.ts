// A closed surface filled with a lattice that carries it. The same as clients/mesh/lattice.c, which `weft load --soft` uses.
//
//     cells ──▶ five tetrahedra each ──▶ particles ──▶ each vertex of the surface by the tetrahedron it lies in
//
// A cube's two ways of being cut in five are mirror images. Taken by turns, like the colours of a chessboard, the
// diagonals of neighbouring faces fall together.
import {tetVolume} from '../../model/geometry.js';
import type {Vec3} from '../../model/values.js';
import {Grid} from './grid.js';
import type {Tell} from './read.js';
import {orient} from './surface.js';
import {Winding} from './winding.js';

export interface Lattice {
  readonly positions: Float64Array;
  readonly tets: Uint32Array;
  readonly skin: {
    readonly particles: Uint32Array;
    readonly weights: Float32Array;
    readonly triangles: Uint32Array;
  };
}

const TRIES_MAX = 6;
// A block over the mesh may have so many cells for each that is wanted; it is gone through cell by cell.
const BLOCK_MIN = 65536;
const BLOCK_MAX = 1 << 25;
const BLOCK_FOR_EACH = 2000;
const TOLD = 1 << 14;
const HOLES_MAX = 0.01; // of the area

// Corner k of a cell lies at x = k & 1, y = k >> 1 & 1, z = k >> 2.
const CUTS = [
  [
    [0, 1, 2, 4],
    [3, 2, 1, 7],
    [5, 1, 4, 7],
    [6, 4, 2, 7],
    [1, 2, 4, 7],
  ],
  [
    [1, 3, 0, 5],
    [2, 0, 3, 6],
    [4, 5, 0, 6],
    [7, 3, 5, 6],
    [0, 5, 3, 6],
  ],
] as const;

// Throws an Error, for people, where the surface cannot be filled. `tell` is called now and then.
export function fill(
  positions: Float64Array,
  given: Uint32Array,
  cells: number,
  tell: Tell = () => undefined,
): Lattice {
  tell('Looking at the surface', null);
  const surface = orient(positions, given);
  const {triangles, area, volume, holeArea, openEdges} = surface;
  if (triangles.length === 0) throw new Error('There is no surface to fill.');
  if (holeArea > HOLES_MAX * area) {
    const percent = Number(((100 * holeArea) / area).toPrecision(3));
    throw new Error(
      `The surface is open: it has ${openEdges} open edges, and its openings are ${percent} % of its area. Only a closed surface can be filled.`,
    );
  }
  if (!(Math.abs(volume) > 1e-9 * area * Math.sqrt(area)))
    throw new Error('The surface encloses no volume. Only a closed surface can be filled.');
  const grid = findGrid(positions, triangles, volume, cells, tell);
  tell('Carrying the surface', null);
  const number = new Map<number, number>();
  const corner = (x: number, y: number, z: number, k: number) =>
    ((z + (k >> 2)) * (grid.size[1] + 1) + y + ((k >> 1) & 1)) * (grid.size[0] + 1) + x + (k & 1);
  const taken: [number, number, number][] = [];
  for (let z = 0; z < grid.size[2]; z++)
    for (let y = 0; y < grid.size[1]; y++)
      for (let x = 0; x < grid.size[0]; x++) if (grid.has(x, y, z)) taken.push([x, y, z]);
  // Particles in the order of the grid's corners.
  const corners = new Set<number>();
  for (const [x, y, z] of taken) for (let k = 0; k < 8; k++) corners.add(corner(x, y, z, k));
  const places = new Float64Array(3 * corners.size);
  const side = [grid.size[0] + 1, grid.size[1] + 1];
  for (const at of Uint32Array.from(corners).sort()) {
    const place = [
      at % side[0]!,
      Math.floor(at / side[0]!) % side[1]!,
      Math.floor(at / (side[0]! * side[1]!)),
    ];
    places.set(
      place.map((step, axis) => grid.low[axis]! + step * grid.cell),
      3 * number.size,
    );
    number.set(at, number.size);
  }
  const tets = new Uint32Array(20 * taken.length);
  taken.forEach(([x, y, z], i) => {
    CUTS[((x + y + z) % 2) as 0 | 1].forEach((cut, t) =>
      cut.forEach((k, j) => (tets[20 * i + 4 * t + j] = number.get(corner(x, y, z, k))!)),
    );
  });
  return {
    positions: places,
    tets,
    skin: {...carried(positions, grid, (cell, k) => number.get(corner(...cell, k))!, tell), triangles},
  };
}

// The grid whose count of cells comes near to what is wanted: the count goes about with 1 / cell^3.
function findGrid(
  positions: Float64Array,
  triangles: Uint32Array,
  volume: number,
  wanted: number,
  tell: Tell,
): Grid {
  const winding = new Winding(positions, triangles);
  const most = Math.max(BLOCK_MIN, Math.min(BLOCK_MAX, wanted * BLOCK_FOR_EACH));
  let best: Grid | null = null;
  let bestMiss = Infinity;
  let cell = Math.cbrt(Math.abs(volume) / wanted);
  for (let tries = 0; tries < TRIES_MAX && bestMiss > 0.05; tries++) {
    let grid: Grid;
    try {
      grid = new Grid(positions, triangles, winding, volume < 0 ? -1 : 1, cell, most, (share) =>
        tell(`Filling, try ${tries + 1}`, share),
      );
    } catch (error) {
      if (best) break; // a finer one would be too large: the one there is will do
      throw error;
    }
    const miss = Math.abs(grid.taken - wanted) / wanted;
    cell *= Math.cbrt(grid.taken / wanted);
    if (miss < bestMiss) [best, bestMiss] = [grid, miss];
  }
  if (!best) throw new Error('The surface cannot be filled.');
  return best;
}

// Each vertex by the tetrahedron that it lies in, or deepest in: barycentric weights in the unit cube.
function carried(
  positions: Float64Array,
  grid: Grid,
  numberOf: (cell: [number, number, number], k: number) => number,
  tell: Tell,
) {
  const count = positions.length / 3;
  const particles = new Uint32Array(4 * count);
  const weights = new Float32Array(4 * count);
  const cornerAt = (k: number): Vec3 => [k & 1, (k >> 1) & 1, k >> 2];
  for (let i = 0; i < count; i++) {
    if (i % TOLD === 0) tell('Carrying the surface', i / count);
    const at = [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!] as const;
    const cell = grid.cellAt(...at);
    const point = at.map((x, axis) =>
      Math.min(1, Math.max(0, (x - grid.low[axis]!) / grid.cell - cell[axis]!)),
    ) as unknown as Vec3;
    let best = -Infinity;
    for (const cut of CUTS[((cell[0] + cell[1] + cell[2]) % 2) as 0 | 1]) {
      const corners = cut.map(cornerAt) as [Vec3, Vec3, Vec3, Vec3];
      const whole = tetVolume(...corners);
      const parts = corners.map((_, k) => {
        const [a, b, c, d] = corners.map((one, j) => (j === k ? point : one)) as [Vec3, Vec3, Vec3, Vec3];
        return tetVolume(a, b, c, d) / whole;
      });
      const least = Math.min(...parts);
      if (least <= best) continue;
      best = least;
      cut.forEach((k, j) => {
        particles[4 * i + j] = numberOf(cell, k);
        weights[4 * i + j] = parts[j]!;
      });
    }
    weights[4 * i + 3] = 1 - weights[4 * i]! - weights[4 * i + 1]! - weights[4 * i + 2]!;
  }
  return {particles, weights};
}
