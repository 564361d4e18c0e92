// Snapping: steps, what is met along the free axes.
import {describe, expect, it} from 'vitest';

import {ANGLE_STEP, gridStep, Points, snapAngle, snapFactor, snapMove, type Box, type Move} from '../../src/studio/model/snapping.js';

const cube = (x: number, y: number, z: number, half = 0.1): Box => ({
  min: [x - half, y - half, z - half],
  max: [x + half, y + half, z + half],
});
const move = (some: Partial<Move>): Move => ({
  box: cube(0, 1, 0),
  offset: [0, 0, 0],
  axes: [true, true, true],
  step: 0.1,
  others: [],
  ground: null,
  ...some,
});
const rounded = (offset: readonly number[]) => offset.map((x) => Number(x.toFixed(9)) + 0);

describe('a step', () => {
  it('is 1, 2 or 5 times a power of ten, and wide enough to be hit', () => {
    expect([0.0001, 0.0015, 0.004, 0.01, 0.5].map((pixel) => Number(gridStep(pixel).toPrecision(3)))).toEqual([0.001, 0.01, 0.05, 0.1, 5]);
    for (const pixel of [3e-7, 0.0023, 0.77]) expect(gridStep(pixel) / pixel).toBeGreaterThanOrEqual(6);
  });

  it('counts from where the move began, along the axes of the handle alone', () => {
    const {offset, caught} = snapMove(move({offset: [0.17, 0.03, -0.26], axes: [true, false, true]}));
    expect(rounded(offset)).toEqual([0.2, 0.03, -0.3]);
    expect(caught).toBe('step');
  });
});

describe('a move', () => {
  it('meets the ground, faces and middles of other things before steps', () => {
    expect(snapMove(move({offset: [0, -0.87, 0], ground: 0}))).toEqual({offset: [0, -0.9, 0], caught: 'ground'});
    // Its right face to the left one of the other.
    const beside = snapMove(move({offset: [0.53, 0, 0], others: [cube(0.75, 3, 3)], axes: [true, false, false]}));
    expect([rounded(beside.offset), beside.caught]).toEqual([[0.55, 0, 0], 'side']);
    const above = snapMove(move({offset: [0.74, 0, 0], others: [cube(0.72, 3, 3, 0.4)], axes: [true, false, false]}));
    expect([rounded(above.offset), above.caught]).toEqual([[0.72, 0, 0], 'middle']);
    // Things farther away than a step's reach do not catch.
    expect(rounded(snapMove(move({offset: [0.1, -0.8, 0], ground: 0})).offset)).toEqual([0.1, -0.8, 0]);
  });

  it('meets a vertex that lies on its way, and none beside it', () => {
    const own = [0.1, 1.1, 0.1];
    const points = new Points(0.045, [[0.63, 1.1, 0.1, 5, 5, 5]]);
    const met = snapMove(move({offset: [0.51, 0, 0], own, points, axes: [true, false, false]}));
    expect([rounded(met.offset), met.caught]).toEqual([[0.53, 0, 0], 'vertex']);
    const past = snapMove(move({offset: [0.51, 0.02, 0], own, points, axes: [true, false, false]}));
    expect(past.caught).toBe('step');
    const free = snapMove(move({offset: [0.51, 0.02, 0.01], own, points}));
    expect([rounded(free.offset), free.caught]).toEqual([[0.53, 0, 0], 'vertex']);
  });

  it('finds the nearest point across the borders of cells', () => {
    const points = new Points(1, [[0.95, 0, 0, 1.3, 0, 0, -0.2, 0, 0]]);
    expect(points.nearest(1.05, 0, 0)).toEqual([0.95, 0, 0]);
    expect(points.nearest(-0.6, 0, 0)).toEqual([-0.2, 0, 0]);
    expect(points.nearest(3, 0, 0)).toBeNull();
  });
});

describe('turns and sizes', () => {
  it('go by 15° and tenths', () => {
    expect(snapAngle(0.14) / ANGLE_STEP).toBeCloseTo(1, 12);
    expect(snapAngle(-0.1)).toBeCloseTo(0, 12);
    expect(snapFactor(1.27)).toBeCloseTo(1.3, 12);
    expect(snapFactor(0.01)).toBe(0.1);
  });
});
