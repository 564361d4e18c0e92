// One mesh out of the corners that a file has: vertices that lie in one place become one, and what a triangle is not
// any more (two of its corners are one) is left out.

export interface Soup {
  // x, y, z of each vertex.
  readonly positions: Float64Array;
  // Three vertices each; absent: no faces.
  readonly triangles: Uint32Array;
  // Two vertices each.
  readonly lines: Uint32Array;
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
}

// Vertices whose coordinates are within this part of the mesh's size are in one place.
const SAME = 1e-6;

export function weld(soup: Soup): Welded {
  const count = soup.positions.length / 3;
  const cell = Math.max(sizeOf(soup.positions) * SAME, Number.MIN_VALUE);
  const places = new Map<string, number>();
  const target = new Uint32Array(count);
  const kept: number[] = [];
  const used = usedBy(soup, count);
  let merged = 0;
  let unused = 0;
  for (let i = 0; i < count; ++i) {
    if (!used[i]) {
      unused += 1;
      continue;
    }
    const key = [0, 1, 2].map((axis) => Math.round((soup.positions[3 * i + axis] ?? 0) / cell)).join();
    const known = places.get(key);
    if (known === undefined) {
      target[i] = kept.length;
      places.set(key, kept.length);
      kept.push(i);
    } else {
      target[i] = known;
      merged += 1;
    }
  }
  const positions = new Float64Array(3 * kept.length);
  kept.forEach((from, to) => positions.set(soup.positions.subarray(3 * from, 3 * from + 3), 3 * to));
  const triangles = moved(soup.triangles, target, 3);
  const lines = moved(soup.lines, target, 2);
  const collapsed = (soup.triangles.length - triangles.length) / 3 + (soup.lines.length - lines.length) / 2;
  return {positions, triangles, lines, merged, collapsed, unused};
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
    if (new Set(out.subarray(at, at + corners)).size === corners) at += corners;
  }
  return out.slice(0, at);
}

// Lowest and highest x, y, z.
export function boundsOf(positions: ArrayLike<number>): {
  low: [number, number, number];
  high: [number, number, number];
} {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    const axis = (i % 3) as 0 | 1 | 2;
    const x = positions[i] ?? 0;
    if (x < low[axis]) low[axis] = x;
    if (x > high[axis]) high[axis] = x;
  }
  return {low, high};
}

export function sizeOf(positions: ArrayLike<number>): number {
  const {low, high} = boundsOf(positions);
  return Math.max(0, ...high.map((x, axis) => x - (low[axis] ?? 0)));
}
