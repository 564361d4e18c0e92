// One mesh out of the corners that a file has: vertices that lie in one place become one, and what a triangle is not
// any more (two of its corners are one) is left out.

export interface Soup {
  // x, y, z of each vertex.
  readonly positions: Float64Array;
  // Three vertices each; absent: no faces.
  readonly triangles: Uint32Array;
  // Two vertices each.
  readonly lines: Uint32Array;
  // How many polygons cross themselves, so that their triangles may overlap; absent: none.
  readonly uncut?: number;
}

export interface Welded {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  readonly lines: Uint32Array;
  // How many vertices went into others, and how many triangles and lines collapsed.
  readonly merged: number;
  readonly collapsed: number;
  // Vertices that no triangle or line uses are left out where there are any of those.
  readonly unused: number;
  // As in Soup.
  readonly uncut?: number;
}

// Vertices whose coordinates are within this part of the mesh's size are in one place.
const SAME = 1e-6;
const TOLD = 1 << 16;

// `tell` is called now and then with how much is done, 0 to 1.
export function weld(soup: Soup, tell: (share: number) => void = () => undefined): Welded {
  const count = soup.positions.length / 3;
  const {low} = boundsOf(soup.positions);
  const cell = Math.max(sizeOf(soup.positions) * SAME, Number.MIN_VALUE);
  const places = new Places(count);
  const target = new Uint32Array(count);
  const kept = new Uint32Array(count);
  const used = usedBy(soup, count);
  let left = 0;
  let merged = 0;
  let unused = 0;
  for (let i = 0; i < count; ++i) {
    if (i % TOLD === 0) tell(i / count);
    if (!used[i]) {
      unused += 1;
      continue;
    }
    const at = (axis: 0 | 1 | 2) => Math.round(((soup.positions[3 * i + axis] ?? 0) - low[axis]) / cell);
    const known = places.take(at(0), at(1), at(2), left);
    target[i] = known;
    if (known === left) {
      kept[left++] = i;
    } else {
      merged += 1;
    }
  }
  const positions = new Float64Array(3 * left);
  for (let to = 0; to < left; ++to) {
    const from = 3 * (kept[to] ?? 0);
    positions.set(soup.positions.subarray(from, from + 3), 3 * to);
  }
  const triangles = moved(soup.triangles, target, 3);
  const lines = moved(soup.lines, target, 2);
  const collapsed = (soup.triangles.length - triangles.length) / 3 + (soup.lines.length - lines.length) / 2;
  return {positions, triangles, lines, merged, collapsed, unused, uncut: soup.uncut ?? 0};
}

// Which vertex was first in a place, in flat arrays: there may be millions.
class Places {
  private readonly mask: number;
  // 1 + the vertex; 0 where there is none.
  private readonly table: Uint32Array;
  private readonly cells: Int32Array;

  constructor(count: number) {
    let size = 16;
    while (size < 2 * count) size *= 2;
    this.mask = size - 1;
    this.table = new Uint32Array(size);
    this.cells = new Int32Array(3 * count);
  }

  // The vertex that is there already, or `vertex`, which is then.
  take(x: number, y: number, z: number, vertex: number): number {
    const {table, cells, mask} = this;
    let slot = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
    slot = (slot ^ (slot >>> 15)) & mask;
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const other = (table[slot] ?? 1) - 1;
      if (cells[3 * other] === x && cells[3 * other + 1] === y && cells[3 * other + 2] === z) return other;
    }
    table[slot] = vertex + 1;
    cells.set([x, y, z], 3 * vertex);
    return vertex;
  }
}

function usedBy(soup: Soup, count: number): Uint8Array {
  const used = new Uint8Array(count);
  if (soup.triangles.length === 0 && soup.lines.length === 0) return used.fill(1);
  for (const i of soup.triangles) used[i] = 1;
  for (const i of soup.lines) used[i] = 1;
  return used;
}

function moved(indices: Uint32Array, target: Uint32Array, corners: number): Uint32Array {
  const out = new Uint32Array(indices.length);
  let at = 0;
  for (let i = 0; i + corners <= indices.length; i += corners) {
    for (let k = 0; k < corners; ++k) out[at + k] = target[indices[i + k] ?? 0] ?? 0;
    const [a, b, c] = [out[at], out[at + 1], out[at + 2]];
    if (a !== b && (corners === 2 || (b !== c && c !== a))) at += corners;
  }
  return out.slice(0, at);
}

const AXES = [0, 1, 2] as const;

// Lowest and highest x, y, z.
export function boundsOf(positions: ArrayLike<number>): {
  low: [number, number, number];
  high: [number, number, number];
} {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < positions.length; i += 3) {
    for (const axis of AXES) {
      const x = positions[i + axis] ?? 0;
      if (x < low[axis]) low[axis] = x;
      if (x > high[axis]) high[axis] = x;
    }
  }
  return {low, high};
}

export function sizeOf(positions: ArrayLike<number>): number {
  const {low, high} = boundsOf(positions);
  return Math.max(0, ...high.map((x, axis) => x - (low[axis] ?? 0)));
}
