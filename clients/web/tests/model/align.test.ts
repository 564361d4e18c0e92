import {describe, expect, it} from 'vitest';

import {aligned, grounded, spread} from '../../src/studio/model/align.js';
import type {Box} from '../../src/studio/model/snapping.js';

const box = (from: number, to: number): Box => ({min: [from, from, 0], max: [to, to, 1]});

describe('alignment', () => {
  const boxes = [box(0, 1), box(2, 5), box(-1, 1)];

  it('brings all to one side of the box around them, or to its middle', () => {
    expect(aligned(boxes, 0, 'min').map(([x]) => x)).toEqual([-1, -3, 0]);
    expect(aligned(boxes, 1, 'max').map(([, y]) => y)).toEqual([4, 0, 4]);
    expect(aligned(boxes, 0, 'middle').map(([x]) => x)).toEqual([1.5, -1.5, 2]);
    expect(aligned(boxes, 0, 'min').every(([, y, z]) => y === 0 && z === 0)).toBe(true);
  });

  it('leaves gaps of one width between them, and the outermost where they are', () => {
    const row = [box(0, 1), box(8, 10), box(2, 4)];
    const moved = spread(row, 0).map(([x], i) => row[i]!.min[0] + x);
    // 5 m of things on 10 m: two gaps of 2.5 m.
    expect(moved).toEqual([0, 8, 3.5]);
    expect(spread(row.slice(0, 2), 0)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('puts each on the ground', () => {
    expect(grounded(boxes, 0.5).map(([, y]) => y)).toEqual([0.5, -1.5, 1.5]);
  });
});
