// The faces that only one tetrahedron has, in the order of clients/cli/surface.c: recordings of both are alike.

// Facing outwards in the rest shape.
export function surfaceOf(tets: Uint32Array, rest: ArrayLike<number>): Uint32Array {
  const faces: {readonly corners: readonly number[]; readonly sorted: readonly number[]}[] = [];
  const at = (particle: number, axis: number) => Math.fround(rest[3 * particle + axis]);
  for (let t = 0; t < tets.length; t += 4) {
    for (let opposite = 0; opposite < 4; opposite++) {
      const corners = [0, 1, 2, 3].filter((k) => k !== opposite).map((k) => tets[t + k]);
      const [a, b, c] = corners;
      const side = (particle: number) => [0, 1, 2].map((axis) => at(particle, axis) - at(a, axis));
      const [u, v, w] = [side(b), side(c), side(tets[t + opposite])];
      const volume =
        (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
      faces.push({
        corners: volume > 0 ? [a, c, b] : corners,
        sorted: [...corners].sort((x, y) => x - y),
      });
    }
  }
  const compare = (x: readonly number[], y: readonly number[]) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  faces.sort((x, y) => compare(x.sorted, y.sorted));
  return Uint32Array.from(
    faces
      .filter(({sorted}, i) => {
        const like = (other: number) => faces[other] !== undefined && compare(faces[other].sorted, sorted) === 0;
        return !like(i - 1) && !like(i + 1);
      })
      .flatMap(({corners}) => corners),
  );
}
