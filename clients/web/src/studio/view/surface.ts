// From a body's elements to what is drawn: triangles with the vertices they need, and unique edges.
//
// Cloth is drawn with one vertex a particle, so that positions go to the graphics card as they came. A soft body shows
// its outer faces; where its rest shape has a crease (the edges of a cube) a particle gets a vertex for each side, so
// that the crease stays sharp and the rest stays smooth. So do skins; see carried.ts.

// Four particles and three weights for each vertex.
export interface Carrier {
  readonly particles: Uint32Array;
  readonly weights: Float32Array;
}

// Pieces of a rigid body.
export interface Pieces {
  // x, y, z of each vertex in the frame of its piece.
  readonly local: Float32Array;
  // Unit quaternions x, y, z, w of the pieces, as drawn.
  readonly turns: Float32Array;
}

// A surface wears the colours of a mesh by this; dressed.ts makes it.
export interface Dress {
  // Corners, as vertices and copies.
  readonly corners: Uint32Array;
  // The vertex that each copy is of.
  readonly copies: Uint32Array;
  // u, v and the number of the image, or -1, of each vertex and copy.
  readonly places: Float32Array;
  // Linear red, green and blue of each.
  readonly shades: Float32Array;
}

export interface Surface {
  // Corners, as vertices.
  readonly triangles: Uint32Array;
  // Particle of each vertex; null where vertex i is particle i, or where particles carry it.
  readonly particleOf: Uint32Array | null;
  readonly vertexCount: number;
  // Of a skin.
  readonly carrier?: Carrier;
  // Only a rigid body has pieces. particleOf then gives the piece of each vertex.
  readonly pieces?: Pieces;
  // Only a mesh with colours of its own has this.
  readonly dress?: Dress | null;
}

// Corners of the four faces of a tetrahedron, each seen counterclockwise from outside where its volume is positive:
// (p1 − p0) × (p2 − p0) · (p3 − p0) > 0.
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const;

function volume6(rest: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const x = (i: number, axis: number) => rest[3 * i + axis] - rest[3 * a + axis];
  return (
    (x(b, 1) * x(c, 2) - x(b, 2) * x(c, 1)) * x(d, 0) +
    (x(b, 2) * x(c, 0) - x(b, 0) * x(c, 2)) * x(d, 1) +
    (x(b, 0) * x(c, 1) - x(b, 1) * x(c, 0)) * x(d, 2)
  );
}

// The faces that only one tetrahedron has, as particles, facing outwards in the rest shape. Faces are met by a hash
// table of their sorted corners, in flat arrays: a body may have hundreds of thousands.
export function outerFaces(tets: Uint32Array, rest: ArrayLike<number>): Uint32Array {
  const count = tets.length;
  const faces = new Uint32Array(3 * count);
  const sorted = new Uint32Array(3 * count);
  const shared = new Uint8Array(count);
  let size = 16;
  while (size < 2 * count) {
    size *= 2;
  }
  // 1 + the index of a face; 0 where there is none.
  const table = new Uint32Array(size);
  let face = 0;
  for (let t = 0; t < count; t += 4) {
    const flip = volume6(rest, tets[t], tets[t + 1], tets[t + 2], tets[t + 3]) < 0;
    for (const [i, j, k] of FACES) {
      const a = tets[t + i];
      const b = tets[t + (flip ? k : j)];
      const c = tets[t + (flip ? j : k)];
      const low = Math.min(a, b, c);
      const high = Math.max(a, b, c);
      const middle = a + b + c - low - high;
      faces.set([a, b, c], 3 * face);
      sorted.set([low, middle, high], 3 * face);
      let at =
        (Math.imul(low, 73856093) ^ Math.imul(middle, 19349663) ^ Math.imul(high, 83492791)) & (size - 1);
      for (; table[at] !== 0; at = (at + 1) & (size - 1)) {
        const other = table[at] - 1;
        if (sorted[3 * other] === low && sorted[3 * other + 1] === middle && sorted[3 * other + 2] === high) {
          shared[other] = 1;
          shared[face] = 1;
          break;
        }
      }
      if (table[at] === 0) {
        table[at] = face + 1;
      }
      face++;
    }
  }
  return faces.filter((_, corner) => shared[Math.floor(corner / 3)] === 0);
}

// Pairs of particles, each once however it is turned, in the order in which they came, with how often: in flat arrays,
// since a body may have millions.
class Pairs {
  private ends: Uint32Array;
  private uses: Uint8Array;
  private table: Uint32Array;
  private count = 0;

  constructor(expected: number) {
    let size = 16;
    while (size < 2 * expected) {
      size *= 2;
    }
    // 1 + the index of a pair; 0 where there is none.
    this.table = new Uint32Array(size);
    this.ends = new Uint32Array(2 * expected);
    this.uses = new Uint8Array(expected);
  }

  add(a: number, b: number): void {
    const {table, ends} = this;
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    const mask = table.length - 1;
    let at = Math.imul(low, 73856093) ^ Math.imul(high, 19349663);
    at = (at ^ (at >>> 15)) & mask;
    for (; table[at] !== 0; at = (at + 1) & mask) {
      const pair = table[at] - 1;
      const [one, other] = [ends[2 * pair], ends[2 * pair + 1]];
      if ((one === a && other === b) || (one === b && other === a)) {
        this.uses[pair] = Math.min(255, this.uses[pair] + 1);
        return;
      }
    }
    table[at] = ++this.count;
    ends[2 * this.count - 2] = a;
    ends[2 * this.count - 1] = b;
    this.uses[this.count - 1] = 1;
  }

  get all(): Uint32Array {
    return this.ends.slice(0, 2 * this.count);
  }

  get single(): Uint32Array {
    const {ends, uses, count} = this;
    return ends.subarray(0, 2 * count).filter((_, end) => uses[end >> 1] === 1);
  }
}

// Unique edges of triangles, tetrahedra or segments (`stride` corners each), in the order in which they first appear.
export function uniqueEdges(elements: Uint32Array, stride: 2 | 3 | 4): Uint32Array {
  const pairs = new Pairs((elements.length / stride) * ((stride * (stride - 1)) / 2));
  for (let e = 0; e + stride <= elements.length; e += stride) {
    for (let i = 0; i < stride; i++) {
      for (let j = i + 1; j < stride; j++) {
        if (elements[e + i] !== elements[e + j]) {
          pairs.add(elements[e + i], elements[e + j]);
        }
      }
    }
  }
  return pairs.all;
}

// Edges that only one triangle has, in pairs: the hem of a cloth. A closed surface has none.
export function hem(triangles: Uint32Array): Uint32Array {
  const pairs = new Pairs(triangles.length);
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    pairs.add(triangles[t], triangles[t + 1]);
    pairs.add(triangles[t + 1], triangles[t + 2]);
    pairs.add(triangles[t + 2], triangles[t]);
  }
  return pairs.single;
}

function faceNormals(triangles: Uint32Array, rest: ArrayLike<number>): Float64Array {
  const normals = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const u = [rest[b] - rest[a], rest[b + 1] - rest[a + 1], rest[b + 2] - rest[a + 2]];
    const v = [rest[c] - rest[a], rest[c + 1] - rest[a + 1], rest[c + 2] - rest[a + 2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(n[0], n[1], n[2]) || 1;
    normals.set([n[0] / length, n[1] / length, n[2] / length], t);
  }
  return normals;
}

// Splits vertices along edges whose faces turn by more than `crease` (radians) in the rest shape.
export function creased(triangles: Uint32Array, rest: ArrayLike<number>, crease: number): Surface {
  const normals = faceNormals(triangles, rest);
  const limit = Math.cos(crease);
  const cornersOf = new Map<number, number[]>();
  triangles.forEach((particle, corner) => {
    const corners = cornersOf.get(particle);
    if (corners) {
      corners.push(corner);
    } else {
      cornersOf.set(particle, [corner]);
    }
  });
  const out = new Uint32Array(triangles.length);
  const particleOf: number[] = [];
  for (const [particle, corners] of cornersOf) {
    // Corners whose faces share an edge here without a crease belong to one vertex.
    const group = corners.map((_, i) => i);
    const root = (i: number): number => (group[i] === i ? i : root(group[i]));
    for (let i = 0; i < corners.length; i++) {
      for (let j = i + 1; j < corners.length; j++) {
        if (
          shareEdge(triangles, corners[i], corners[j]) &&
          facing(normals, corners[i], corners[j]) >= limit
        ) {
          group[root(j)] = root(i);
        }
      }
    }
    const vertexOf = new Map<number, number>();
    corners.forEach((corner, i) => {
      let vertex = vertexOf.get(root(i));
      if (vertex === undefined) {
        vertex = particleOf.length;
        vertexOf.set(root(i), vertex);
        particleOf.push(particle);
      }
      out[corner] = vertex;
    });
  }
  return {triangles: out, particleOf: Uint32Array.from(particleOf), vertexCount: particleOf.length};
}

// Whether the faces of two corners of one particle have a second particle in common.
function shareEdge(triangles: Uint32Array, one: number, other: number): boolean {
  const a = one - (one % 3);
  const b = other - (other % 3);
  let shared = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      shared += triangles[a + i] === triangles[b + j] ? 1 : 0;
    }
  }
  return shared >= 2;
}

function facing(normals: Float64Array, one: number, other: number): number {
  const a = one - (one % 3);
  const b = other - (other % 3);
  return normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];
}

export const CREASE = (40 * Math.PI) / 180;

export function clothSurface(triangles: Uint32Array, particles: number): Surface {
  return {triangles, particleOf: null, vertexCount: particles};
}

export function softSurface(tets: Uint32Array, rest: ArrayLike<number>): Surface {
  return creased(outerFaces(tets, rest), rest, CREASE);
}
