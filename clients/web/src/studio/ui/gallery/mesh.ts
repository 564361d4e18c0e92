// Meshes that need no file: sheets, ropes, and tetrahedra in boxes and balls. Metres, y up.

export interface Mesh {
  // x, y, z of each particle.
  readonly positions: Float64Array;
  readonly triangles?: Uint32Array;
  readonly edges?: Uint32Array;
  readonly tets?: Uint32Array;
}

type Vec3 = readonly [number, number, number];

// A sheet of columns × rows cells whose diagonals alternate; `place` says where the point (u, v) of the unit square is.
export function sheet(columns: number, rows: number, place: (u: number, v: number) => Vec3): Mesh {
  const positions = new Float64Array(3 * (columns + 1) * (rows + 1));
  for (let row = 0; row <= rows; ++row) {
    for (let column = 0; column <= columns; ++column) {
      positions.set(place(column / columns, row / rows), 3 * (row * (columns + 1) + column));
    }
  }
  const triangles = new Uint32Array(6 * columns * rows);
  let at = 0;
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const a = row * (columns + 1) + column;
      const [b, c, d] = [a + 1, a + columns + 1, a + columns + 2];
      triangles.set((row + column) % 2 === 0 ? [a, c, d, a, d, b] : [a, c, b, b, c, d], at);
      at += 6;
    }
  }
  return {positions, triangles};
}

// A chain of `count` edges along `place`, from 0 to 1.
export function chain(count: number, place: (t: number) => Vec3): Mesh {
  const positions = new Float64Array(3 * (count + 1));
  const edges = new Uint32Array(2 * count);
  for (let i = 0; i <= count; ++i) positions.set(place(i / count), 3 * i);
  for (let i = 0; i < count; ++i) edges.set([i, i + 1], 2 * i);
  return {positions, edges};
}

// A box of cells, each five tetrahedra: one in the middle and one at every other corner. Which corners those are is
// the same for neighbours, so that their faces meet.
export function boxOfTets(cells: Vec3, size: Vec3, centre: Vec3): Mesh {
  const [nx, ny, nz] = cells;
  const index = (x: number, y: number, z: number) => (z * (ny + 1) + y) * (nx + 1) + x;
  const positions = new Float64Array(3 * (nx + 1) * (ny + 1) * (nz + 1));
  for (let z = 0; z <= nz; ++z) {
    for (let y = 0; y <= ny; ++y) {
      for (let x = 0; x <= nx; ++x) {
        positions.set(
          [
            centre[0] + size[0] * (x / nx - 0.5),
            centre[1] + size[1] * (y / ny - 0.5),
            centre[2] + size[2] * (z / nz - 0.5),
          ],
          3 * index(x, y, z),
        );
      }
    }
  }
  const tets: number[] = [];
  for (let z = 0; z < nz; ++z) {
    for (let y = 0; y < ny; ++y) {
      for (let x = 0; x < nx; ++x) {
        const corner = (i: number) => index(x + (i & 1), y + ((i >> 1) & 1), z + ((i >> 2) & 1));
        const odd = (x + y + z) % 2;
        // Corners by the bits of z, y, x; those with an even count of bits are cut off, or the odd ones.
        const cut = odd ? [1, 2, 4, 7] : [0, 3, 5, 6];
        const kept = odd ? [0, 3, 5, 6] : [1, 2, 4, 7];
        for (const apex of cut) {
          const around = kept.filter((other) => isPowerOfTwo(other ^ apex));
          tets.push(...[apex, ...around].map(corner));
        }
        tets.push(...kept.map(corner));
      }
    }
  }
  return {positions, tets: turnedRight(positions, tets)};
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

// A ball: the twenty tetrahedra between the centre and the faces of an icosahedron, each cut into eight `times`
// times, the new points drawn out to their spheres.
export function ballOfTets(times: number, radius: number, centre: Vec3): Mesh {
  const golden = (1 + Math.sqrt(5)) / 2;
  const points: number[][] = [[0, 0, 0]];
  for (const s of [-1, 1]) {
    for (const t of [-golden, golden]) points.push([0, s, t], [s, t, 0], [t, 0, s]);
  }
  for (const point of points.slice(1)) point.forEach((x, i) => (point[i] = x / Math.hypot(1, golden)));
  let tets: number[][] = [];
  const near = (i: number, j: number) => distance(points[i], points[j]) < 1.06; // an edge has 1.0515
  for (let i = 1; i <= 12; ++i) {
    for (let j = i + 1; j <= 12; ++j) {
      for (let k = j + 1; k <= 12; ++k) if (near(i, j) && near(j, k) && near(i, k)) tets.push([0, i, j, k]);
    }
  }
  for (let time = 0; time < times; ++time) tets = cutInEight(points, tets);
  const positions = new Float64Array(points.flatMap((p) => p.map((x, i) => radius * x + (centre[i] ?? 0))));
  return {positions, tets: turnedRight(positions, tets.flat())};
}

function distance(a: readonly number[] = [], b: readonly number[] = []): number {
  return Math.hypot(...a.map((x, i) => x - (b[i] ?? 0)));
}

function cutInEight(points: number[][], tets: readonly number[][]): number[][] {
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const [p = [], q = []] = [points[a], points[b]];
    const halfway = p.map((x, i) => (x + (q[i] ?? 0)) / 2);
    const wanted = (Math.hypot(...p) + Math.hypot(...q)) / 2;
    const length = Math.hypot(...halfway);
    points.push(halfway.map((x) => (x * wanted) / length));
    middles.set(key, points.length - 1);
    return points.length - 1;
  };
  const out: number[][] = [];
  for (const [a = 0, b = 0, c = 0, d = 0] of tets) {
    const [ab, ac, ad, bc, bd, cd] = [
      middle(a, b),
      middle(a, c),
      middle(a, d),
      middle(b, c),
      middle(b, d),
      middle(c, d),
    ];
    out.push([a, ab, ac, ad], [b, ab, bc, bd], [c, ac, bc, cd], [d, ad, bd, cd]);
    // What is left is an octahedron; it is cut along its shortest diagonal, around which the other four points lie.
    const ways = [
      {ends: [ab, cd], ring: [ac, ad, bd, bc]},
      {ends: [ac, bd], ring: [ab, ad, cd, bc]},
      {ends: [ad, bc], ring: [ab, ac, cd, bd]},
    ] as const;
    const lengths = ways.map(({ends}) => distance(points[ends[0]], points[ends[1]]));
    const {ends, ring} = ways[lengths.indexOf(Math.min(...lengths))] ?? ways[0];
    ring.forEach((from, i) => out.push([ends[0], ends[1], from, ring[(i + 1) % 4] ?? 0]));
  }
  return out;
}

// Tetrahedra with a positive volume, (p1 − p0) × (p2 − p0) · (p3 − p0) > 0.
function turnedRight(positions: Float64Array, tets: readonly number[]): Uint32Array {
  const out = Uint32Array.from(tets);
  for (let i = 0; i < out.length; i += 4) {
    if (volume6(positions, out.subarray(i, i + 4)) >= 0) continue;
    const second = out[i + 1] ?? 0;
    out[i + 1] = out[i + 2] ?? 0;
    out[i + 2] = second;
  }
  return out;
}

// Six times the volume.
export function volume6(positions: Float64Array, tet: ArrayLike<number>): number {
  const at = (corner: number, axis: number) => positions[3 * (tet[corner] ?? 0) + axis] ?? 0;
  const side = (corner: number) =>
    [0, 1, 2].map((axis) => at(corner, axis) - at(0, axis)) as [number, number, number];
  const [a, b, c] = [side(1), side(2), side(3)];
  return (
    (a[1] * b[2] - a[2] * b[1]) * c[0] +
    (a[2] * b[0] - a[0] * b[2]) * c[1] +
    (a[0] * b[1] - a[1] * b[0]) * c[2]
  );
}

// The faces that belong to one tetrahedron alone, seen from outside counter-clockwise.
export function surfaceOf(tets: ArrayLike<number>): Uint32Array {
  const FACES = [
    [1, 2, 3],
    [0, 3, 2],
    [0, 1, 3],
    [0, 2, 1],
  ] as const;
  const open = new Map<string, number[]>();
  for (let i = 0; i + 3 < tets.length; i += 4) {
    for (const face of FACES) {
      const corners = face.map((k) => tets[i + k] ?? 0);
      const key = [...corners].sort((a, b) => a - b).join(' ');
      if (!open.delete(key)) open.set(key, corners);
    }
  }
  return Uint32Array.from([...open.values()].flat());
}
