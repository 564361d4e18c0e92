// The outer triangles of tetrahedra: for pictures.
export function skinOf(tets: Uint32Array): Uint32Array {
  const faces = new Map<string, number[]>();
  for (let t = 0; t < tets.length; t += 4) {
    const [a, b, c, d] = [tets[t]!, tets[t + 1]!, tets[t + 2]!, tets[t + 3]!];
    for (const face of [
      [a, c, b],
      [a, b, d],
      [a, d, c],
      [b, c, d],
    ]) {
      const key = [...face].sort((x, y) => x - y).join();
      if (!faces.delete(key)) faces.set(key, face);
    }
  }
  return Uint32Array.from([...faces.values()].flat());
}
