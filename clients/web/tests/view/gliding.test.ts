import {describe, expect, it} from 'vitest';
import {Gliding, shareSeen} from '../../src/studio/view/gliding.js';

describe('a point that glides', () => {
  it('is there at once at first, then nears its goal evenly, and arrives', () => {
    const point = new Gliding();
    point.aim([1, 0, 0]);
    expect(point.at).toEqual([1, 0, 0]);
    expect(point.advance(0.016, false)).toBe(false);
    point.aim([2, 0, 0]);
    const path: number[] = [];
    while (point.advance(0.016, false)) path.push(point.at![0]);
    expect(path.length).toBeGreaterThan(10);
    expect(path.every((x, i) => x > (path[i - 1] ?? 1))).toBe(true);
    expect(point.at).toEqual([2, 0, 0]);
  });

  it('does not glide for those who want stillness, and is gone at once', () => {
    const point = new Gliding();
    point.aim([0, 0, 0]);
    point.aim([5, 5, 5]);
    expect(point.advance(0.016, true)).toBe(true);
    expect(point.at).toEqual([5, 5, 5]);
    point.aim(null);
    expect([point.at, point.advance(0.016, false)]).toEqual([null, false]);
  });
});

it('the camera of somebody who looks from the same place is not seen', () => {
  expect(shareSeen([0, 1, 4], [0, 1, 4.5], 5)).toBe(0);
  expect(shareSeen([0, 1, 2], [0, 1, 4], 5)).toBeCloseTo(0.5);
  expect(shareSeen([6, 1, 0], [0, 1, 4], 5)).toBe(1);
});
