// How far a mesh reaches.
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
