// A surface with fewer triangles, for machines that cannot draw all of them while something moves. Its corners are
// vertices of the surface, so that both are drawn from the same positions and normals: only the corners are others.
//
// Vertices that lie in one cell of a grid over the rest shape become one of them; of those the one at a hem, so that the
// outline stays. Triangles whose corners become fewer than three are gone.
import {hem} from './surface.js';

// About so many triangles; fewer never come out of it than the shape needs. `rest`: x, y, z of each vertex.
export function coarser(corners: Uint32Array, rest: ArrayLike<number>, wanted: number): Uint32Array {
  const vertices = rest.length / 3;
  // Each cell of a sheet has two triangles.
  const cell = Math.sqrt((2 * areaOf(corners, rest)) / wanted);
  if (!(cell > 0)) {
    return corners;
  }
  const rims = new Uint8Array(vertices);
  for (const vertex of hem(corners)) {
    rims[vertex] = 1;
  }
  let size = 16;
  while (size < 2 * Math.min(vertices, 2 * wanted)) {
    size *= 2;
  }
  // 1 + a vertex for each cell that was met; the cells may be more than was thought, so it grows.
  let table = new Uint32Array(size);
  let count = 0;
  const at = (vertex: number, axis: number) => Math.floor(rest[3 * vertex + axis] / cell);
  const slotOf = (vertex: number): number => {
    const [x, y, z] = [at(vertex, 0), at(vertex, 1), at(vertex, 2)];
    const mask = table.length - 1;
    let slot = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
    slot = (slot ^ (slot >>> 15)) & mask;
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const other = table[slot] - 1;
      if (at(other, 0) === x && at(other, 1) === y && at(other, 2) === z) {
        break;
      }
    }
    return slot;
  };
  for (let vertex = 0; vertex < vertices; vertex++) {
    const slot = slotOf(vertex);
    if (table[slot] === 0) {
      table[slot] = vertex + 1;
      if (2 * ++count > table.length) {
        const before = table;
        table = new Uint32Array(2 * before.length);
        before.forEach((entry) => {
          if (entry !== 0) {
            table[slotOf(entry - 1)] = entry;
          }
        });
      }
    } else if (rims[vertex] && !rims[table[slot] - 1]) {
      table[slot] = vertex + 1;
    }
  }
  const chosen = new Uint32Array(vertices);
  for (let vertex = 0; vertex < vertices; vertex++) {
    chosen[vertex] = table[slotOf(vertex)] - 1;
  }
  const out = new Uint32Array(corners.length);
  let end = 0;
  for (let t = 0; t + 2 < corners.length; t += 3) {
    const [a, b, c] = [chosen[corners[t]], chosen[corners[t + 1]], chosen[corners[t + 2]]];
    if (a !== b && b !== c && c !== a) {
      out[end] = a;
      out[end + 1] = b;
      out[end + 2] = c;
      end += 3;
    }
  }
  return out.slice(0, end);
}

function areaOf(corners: Uint32Array, rest: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t + 2 < corners.length; t += 3) {
    const [a, b, c] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
    const [ux, uy, uz] = [rest[b] - rest[a], rest[b + 1] - rest[a + 1], rest[b + 2] - rest[a + 2]];
    const [vx, vy, vz] = [rest[c] - rest[a], rest[c + 1] - rest[a + 1], rest[c + 2] - rest[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    sum += 0.5 * Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  return sum;
}
