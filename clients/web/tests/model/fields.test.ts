// Physical fields: the air, and stress from the forces of constraints.
import {describe, expect, it} from 'vitest';

import {Air, shareAt, wayOn} from '../../src/studio/model/air.js';
import {forceOf} from '../../src/studio/model/forcefields.js';
import {areasOf, stressOf} from '../../src/studio/model/stress.js';
import {emptyTable} from '../../src/studio/model/table.js';
import {bodyOf, topologyOf, windOf} from '../../src/studio/model/values.js';

const NO_WAY = [0, 0, 0, 0] as const;
const QUANTUM = 2 ** -27;

function at(air: Air, x: number, y: number, z: number): number[] {
  const u: [number, number, number] = [0, 0, 0];
  air.at(x, y, z, u);
  return u;
}

describe('the air', () => {
  const gusty = windOf({velocity: [4, 0, 0], density: 1.2, gusts: 2, gust_length: 3, gust_seed: 7});

  it('gusts around its mean, with the strength that is asked for', () => {
    const air = new Air(gusty, [], NO_WAY, QUANTUM);
    const sums = [0, 0, 0];
    const squares = [0, 0, 0];
    const count = 4000;
    for (let i = 0; i < count; i++) {
      const u = at(air, (i % 20) * 17.3, (Math.floor(i / 20) % 20) * 19.1, Math.floor(i / 400) * 23.7);
      u.forEach((one, axis) => {
        const off = one - (axis === 0 ? 4 : 0);
        sums[axis]! += off / count;
        squares[axis]! += (off * off) / count;
      });
    }
    sums.forEach((mean) => expect(Math.abs(mean)).toBeLessThan(0.15));
    // The octaves hold 0.94 of the square (docs/concepts/wind.md).
    squares.forEach((square) => expect(Math.abs(square / (4 * 0.94) - 1)).toBeLessThan(0.12));
  });

  it('comes out of nothing nowhere', () => {
    const air = new Air(gusty, [], [3, 1, -2, 5], QUANTUM);
    const h = 1e-4;
    for (const [x, y, z] of [[0.3, 1.7, 2.2], [-5, 9.1, 0.4], [12.6, -3.3, 8]] as const) {
      const slope = [0, 1, 2].map((axis) => {
        const step = [0, 1, 2].map((one) => (one === axis ? h : 0)) as [number, number, number];
        const ahead = at(air, x + step[0], y + step[1], z + step[2]);
        const behind = at(air, x - step[0], y - step[1], z - step[2]);
        return (ahead[axis]! - behind[axis]!) / (2 * h);
      });
      expect(Math.max(...slope.map(Math.abs))).toBeGreaterThan(0.01);
      expect(Math.abs(slope[0]! + slope[1]! + slope[2]!)).toBeLessThan(1e-5);
    }
  });

  it('is carried along by the wind', () => {
    const still = {...gusty, gusts: 2};
    const later = new Air(still, [], wayOn(NO_WAY, {...still, gusts: 0}, 0.5), QUANTUM);
    const now = new Air(still, [], NO_WAY, QUANTUM);
    at(later, 3 + 4 * 0.5, 1, 2).forEach((one, axis) => expect(one).toBeCloseTo(at(now, 3, 1, 2)[axis]!, 9));
  });

  it('is a jet before a fan, and still where the world has none', () => {
    const fan = forceOf({kind: 'fan', position: [0, 1, 0], axis: [2, 0, 0], strength: 6, width: 0.5, radius: 8}, 1);
    const air = new Air(windOf({}), [fan], NO_WAY, QUANTUM);
    expect(at(air, 1, 1, 0)[0]).toBeCloseTo(6, 9);
    expect(at(air, 6, 1, 0)[0]).toBeCloseTo(3, 9); // 6 D / s
    // Half of its speed at its half width.
    expect(at(air, 6, 1 + 0.094 * 6, 0)[0]! / 3).toBeCloseTo(0.5, 3);
    expect(at(air, -0.3, 1, 0)[0]).toBe(0);
    expect(at(air, 9, 1, 0)[0]).toBe(0);
    const box = forceOf({kind: 'wind', velocity: [0, 3, 0], half_extents: [1, 1, 1], margin: 0.5}, 2);
    expect(shareAt(box, 0.75, 0, 0)).toBeCloseTo(0.5, 12);
    expect([shareAt(box, 0, 0, 0), shareAt(box, 1.1, 0, 0)]).toEqual([1, 0]);
  });
});

describe('stress', () => {
  it('of a grid that is pulled alike along both ways is that pull for each metre', () => {
    const side = 5;
    const spacing = 0.2;
    const positions: number[] = [];
    const triangles: number[] = [];
    const pairs: number[] = [];
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const a = row * side + column;
        positions.push(column * spacing, row * spacing, 0);
        if (column < side - 1) pairs.push(a, a + 1);
        if (row < side - 1) pairs.push(a, a + side);
        if (column < side - 1 && row < side - 1) triangles.push(a, a + 1, a + side, a + 1, a + side + 1, a + side);
      }
    }
    const count = pairs.length / 2;
    const topology = topologyOf({positions, triangles, edges: [], tets: [], masses: []});
    const constraints = {distance: {first: 1, count}};
    const cloth = bodyOf({body: 1, kind: 'cloth', particles: side * side, constraints}, 1, topology);
    const table = {
      ...emptyTable('distance'),
      ids: Uint32Array.from({length: count}, (_, i) => i + 1),
      bodies: new Uint32Array(2 * count).fill(1),
      particles: Uint32Array.from(pairs),
    };
    const tension = 30;
    const forces = {table, pulls: new Float64Array(count).fill(tension * spacing)};
    const bodies = new Map([[1, cloth]]);
    const areas = new Map([[1, areasOf(cloth)]]);
    const stress = stressOf([forces], bodies, areas, () => topology.rest).get(1)!;
    for (const inner of [6, 7, 8, 11, 12, 13]) expect(stress[inner]).toBeCloseTo(tension, 3);
    // A constraint that was added by hand is no stress of the body.
    const loose = {...forces, table: {...table, ids: table.ids.map((id) => id + 1000)}};
    expect(stressOf([loose], bodies, areas, () => topology.rest).size).toBe(0);
  });

  it('of a rope is the pull of its segments', () => {
    const topology = topologyOf({positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], triangles: [], edges: [0, 1, 1, 2], tets: [], masses: []});
    const rope = bodyOf({body: 2, kind: 'rope', particles: 3, constraints: {distance: {first: 1, count: 2}}}, 1, topology);
    const table = {...emptyTable('distance'), ids: Uint32Array.of(1, 2), bodies: Uint32Array.of(2, 2, 2, 2), particles: Uint32Array.of(0, 1, 1, 2)};
    const stress = stressOf([{table, pulls: Float64Array.of(4, 2)}], new Map([[2, rope]]), new Map(), () => topology.rest);
    expect([...stress.get(2)!]).toEqual([4, 3, 2]);
  });
});
