// Smooth normals, each frame: the sum of the area vectors of a vertex' triangles. They are not made unit vectors; the
// vertex shader does that anyway. A vertex whose triangles have no area gets a tiny vector rather than zero, which
// nothing could be made a unit vector of.

const TINY = 1e-20;

export function smoothNormals(
  positions: Float32Array,
  triangles: Uint32Array | Uint16Array,
  normals: Float32Array,
): void {
  normals.fill(TINY);
  const count = triangles.length;
  for (let t = 0; t < count; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const ux = positions[b] - ax;
    const uy = positions[b + 1] - ay;
    const uz = positions[b + 2] - az;
    const vx = positions[c] - ax;
    const vy = positions[c + 1] - ay;
    const vz = positions[c + 2] - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    normals[a] += nx;
    normals[a + 1] += ny;
    normals[a + 2] += nz;
    normals[b] += nx;
    normals[b + 1] += ny;
    normals[b + 2] += nz;
    normals[c] += nx;
    normals[c + 1] += ny;
    normals[c + 2] += nz;
  }
}
