// Surfaces with fewer triangles.
import {describe, expect, it} from 'vitest';

import {coarser} from '../../src/studio/view/coarse.js';
import {hem} from '../../src/studio/view/surface.js';

function grid(side: number): {rest: Float32Array; corners: Uint32Array} {
  const rest = new Float32Array(3 * side * side);
  const corners: number[] = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const i = row * side + column;
      rest.set([column / (side - 1), 0, row / (side - 1)], 3 * i);
      if (row + 1 < side && column + 1 < side) {
        corners.push(i, i + side, i + 1, i + 1, i + side, i + side + 1);
      }
    }
  }
  return {rest, corners: Uint32Array.from(corners)};
}

function area(corners: Uint32Array, rest: Float32Array): number {
  let sum = 0;
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [3 * corners[t]!, 3 * corners[t + 1]!, 3 * corners[t + 2]!];
    const x = (i: number, j: number) => rest[i]! - rest[j]!;
    sum += 0.5 * Math.abs(x(b, a) * x(c + 2, a + 2) - x(b + 2, a + 2) * x(c, a));
  }
  return sum;
}

describe('a coarser surface', () => {
  it('has about as many triangles as are wanted, on the vertices of the fine one, and covers it', () => {
    const {rest, corners} = grid(200);
    for (const wanted of [800, 5000, 20_000]) {
      const few = coarser(corners, rest, wanted);
      expect(few.length / 3).toBeGreaterThan(0.5 * wanted);
      expect(few.length / 3).toBeLessThan(1.6 * wanted);
      expect(few.every((vertex) => vertex < 200 * 200)).toBe(true);
      expect(area(few, rest)).toBeGreaterThan(0.93);
      expect(area(few, rest)).toBeLessThan(1.07);
      // Without holes: one hem, all of it near the old one.
      for (const vertex of hem(few)) {
        const [x, z] = [rest[3 * vertex]!, rest[3 * vertex + 2]!];
        expect(Math.min(x, z, 1 - x, 1 - z)).toBeLessThan(0.06);
      }
    }
  });

  it('leaves what has no area as it is', () => {
    const corners = Uint32Array.of(0, 1, 2);
    expect(coarser(corners, new Float32Array(9), 10)).toEqual(corners);
  });
});
