// Surfaces in the colours and pictures of a mesh that was imported.
//
// Colours and uvs belong to corners of triangles. So a vertex at which several meet, as at a seam, gets copies, which lie
// behind all others. Normals and what the pointer meets go by the vertices without copies: a seam leaves no edge in the light.
import type {SurfaceColours} from '../model/values.js';
import type {Dress, Surface} from './surface.js';

const NONE = 0xffffffff;

// Null if the colours do not fit the surface.
export function dressOf({triangles, vertexCount}: Surface, look: SurfaceColours): Dress | null {
  const {uvs, materials, ofTriangles, images} = look;
  const count = triangles.length / 3;
  if ((uvs.length !== 0 && uvs.length !== 6 * count) || (ofTriangles.length !== 0 && ofTriangles.length !== count)) {
    return null;
  }
  const corners = new Uint32Array(triangles.length);
  // For each vertex and copy: a corner that it is at, and the next copy of the same vertex.
  const cornerOf: number[] = new Array<number>(vertexCount).fill(NONE);
  const next: number[] = new Array<number>(vertexCount).fill(NONE);
  const copies: number[] = [];
  const materialOf = (corner: number) => ofTriangles[Math.floor(corner / 3)] ?? 0;
  const same = (a: number, b: number) =>
    materialOf(a) === materialOf(b) && uvs[2 * a] === uvs[2 * b] && uvs[2 * a + 1] === uvs[2 * b + 1];
  for (let corner = 0; corner < triangles.length; corner++) {
    let vertex = triangles[corner];
    while (cornerOf[vertex] !== NONE && !same(cornerOf[vertex], corner) && next[vertex] !== NONE) {
      vertex = next[vertex];
    }
    if (cornerOf[vertex] !== NONE && !same(cornerOf[vertex], corner)) {
      next[vertex] = vertexCount + copies.length;
      vertex = next[vertex];
      copies.push(triangles[corner]);
      next.push(NONE);
    }
    cornerOf[vertex] = corner;
    corners[corner] = vertex;
  }
  const total = vertexCount + copies.length;
  const places = new Float32Array(3 * total);
  const shades = new Float32Array(3 * total).fill(1);
  for (let vertex = 0; vertex < total; vertex++) {
    const corner = cornerOf[vertex];
    const material = corner === NONE ? undefined : materials[materialOf(corner)];
    const image = material && material.image < images.length ? material.image : -1;
    places.set([uvs[2 * corner] ?? 0, uvs[2 * corner + 1] ?? 0, image], 3 * vertex);
    shades.set(material?.color ?? [1, 1, 1], 3 * vertex);
  }
  return {corners, copies: Uint32Array.from(copies), places, shades};
}

// Gives copies what their vertices have, three numbers each.
export function copyOver({copies}: Dress, vertexCount: number, values: Float32Array): void {
  for (let i = 0, to = 3 * vertexCount; i < copies.length; i++, to += 3) {
    const from = 3 * copies[i];
    values[to] = values[from];
    values[to + 1] = values[from + 1];
    values[to + 2] = values[from + 2];
  }
}
