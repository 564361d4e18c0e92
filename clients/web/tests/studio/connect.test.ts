// Ways to connect: rims that are sewn, points of surfaces, welds, joints.
import {describe, expect, it} from 'vitest';

import type {Point} from '../../src/studio/model/commands.js';
import {bodyOf, topologyOf, type Body, type Vec3} from '../../src/studio/model/values.js';
import {nearestOnSurface, nearestWeights, sewn, twoRims} from '../../src/studio/ui/panels/inspector/sewing.js';
import {jointed, onSurface, sidesOf, waysFor, weightsOf, welded} from '../../src/studio/ui/panels/inspector/ways.js';

// A sheet of side × side particles in the plane z, turned over if `flip`.
function sheet(id: number, side: number, z: number, flip = false): Body {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      positions.push((flip ? side - 1 - column : column) / (side - 1), row / (side - 1), z);
      if (row === side - 1 || column === side - 1) continue;
      const a = row * side + column;
      triangles.push(a, a + 1, a + side, a + 1, a + side + 1, a + side);
    }
  }
  const topology = topologyOf({positions, triangles, edges: [], tets: [], masses: positions.map(() => 1)});
  return bodyOf({body: id, kind: 'cloth', particles: side * side}, 1, topology);
}

function placesIn(bodies: ReadonlyMap<number, Body>) {
  return ({body, particle}: Point): Vec3 | null => {
    const rest = bodies.get(body)?.topology?.rest;
    return rest ? [rest[3 * particle]!, rest[3 * particle + 1]!, rest[3 * particle + 2]!] : null;
  };
}

const row = (body: number, count: number): Point[] => Array.from({length: count}, (_, particle) => ({body, particle}));

describe('a seam', () => {
  it('pairs rims that run against each other, and one that is finer with one that is coarser', () => {
    const bodies = new Map([
      [1, sheet(1, 4, 0)],
      [2, sheet(2, 7, 0.1, true)],
    ]);
    const points = [...row(1, 4), ...row(2, 7)];
    const rims = twoRims(points, bodies);
    expect(rims?.map(({points: all, closed}) => [all.length, closed])).toEqual([[4, false], [7, false]]);
    const pairs = sewn(rims!, placesIn(bodies));
    // Each of the seven is with the one of the four that is nearest: both sheets begin at opposite ends.
    const found = new Map<number, number>();
    for (let i = 0; i < pairs.length; i += 2) found.set(pairs[i]!.particle, pairs[i + 1]!.particle);
    expect([...found.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([found.get(0), found.get(2), found.get(4), found.get(6)]).toEqual([3, 2, 1, 0]);
  });

  it('begins a closed rim where it is nearest to the other', () => {
    const ring = (id: number, z: number, turn: number) => {
      const positions: number[] = [];
      const edges: number[] = [];
      for (let i = 0; i < 8; i++) {
        const angle = (Math.PI / 4) * (i + turn);
        positions.push(Math.cos(angle), Math.sin(angle), z);
        edges.push(i, (i + 1) % 8);
      }
      const topology = topologyOf({positions, triangles: [], edges, tets: [], masses: []});
      return bodyOf({body: id, kind: 'rope', particles: 8}, 1, topology);
    };
    const bodies = new Map([[1, ring(1, 0, 0)], [2, ring(2, 0.2, 3)]]);
    const rims = twoRims([...row(1, 8), ...row(2, 8)], bodies)!;
    expect(rims.every(({closed}) => closed)).toBe(true);
    const pairs = sewn(rims, placesIn(bodies));
    for (let i = 0; i < pairs.length; i += 2) {
      expect((pairs[i + 1]!.particle + 3) % 8).toBe(pairs[i]!.particle);
    }
  });

  it('is not offered for one rim, or three', () => {
    const bodies = new Map([[1, sheet(1, 5, 0)]]);
    expect(twoRims(row(1, 5), bodies)).toBeNull();
    expect(waysFor(row(1, 5), bodies)).not.toContain('sewing');
    expect(twoRims([0, 2, 4].map((particle) => ({body: 1, particle})), bodies)).toBeNull();
  });
});

describe('joins to surfaces', () => {
  it('have the weights of the nearest point', () => {
    const corners: Vec3[] = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    const close = (a: number[], b: number[]) => a.forEach((x, i) => expect(x).toBeCloseTo(b[i]!, 9));
    close(nearestWeights([0.25, 0.5, 3], corners), [0.25, 0.25, 0.5]);
    close(nearestWeights([0.3, -2, 0], corners), [0.7, 0.3, 0]);
    close(nearestWeights([-1, -1, 0], corners), [1, 0, 0]);
    close(nearestWeights([0.75, 9, 0], corners.slice(0, 2)), [0.25, 0.75]);
  });

  it('join each particle to the triangle below it', () => {
    const cloth = sheet(2, 4, 0);
    const points = [{body: 1, particle: 0}];
    const made = onSurface(points, cloth, cloth.topology!.rest, () => [0.1, 0.1, 0.5]);
    const found = nearestOnSurface([0.1, 0.1, 0.5], cloth.topology!.triangles, cloth.topology!.rest)!;
    expect(made.points.map(({particle}) => particle)).toEqual([0, ...found.corners]);
    expect([...(made.extra.sides as Uint32Array)]).toEqual([1, 3]);
    const [own, ...weights] = made.extra.weights as Float64Array;
    expect(own).toBe(1);
    expect(weights.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    expect(found.distance).toBeCloseTo(0.5, 12);
  });

  it('have two sides: the particles of two bodies, or one and the rest', () => {
    const mixed = [{body: 1, particle: 4}, {body: 2, particle: 0}, {body: 2, particle: 1}, {body: 2, particle: 2}];
    expect(sidesOf(mixed)?.map((side) => side.length)).toEqual([1, 3]);
    const own = row(1, 4);
    expect(sidesOf(own, '1:2')).toEqual([[own[2]], [own[0], own[1], own[3]]]);
    expect(sidesOf(row(1, 5))).toBeNull();
    expect(weightsOf([[own[0]!], own.slice(1)], () => null)).toEqual([1, 1 / 3, 1 / 3, 1 / 3]);
  });

  it('weld to three particles that are not in a line', () => {
    const cloth = sheet(2, 5, 0);
    const made = welded([{body: 1, particle: 7}], cloth, cloth.topology!.rest, () => [0.01, 0, 0.3]);
    expect(made.type).toBe('distance');
    expect(made.points.map(({particle}) => particle)).toEqual([7, 0, 7, 1, 7, 5]);
  });
});

describe('a joint', () => {
  const rigid = bodyOf({body: 1, kind: 'rigid', particles: 1, rigid: {form: 'sphere', radius: 1}}, 1, null);
  const bodies = new Map([[1, rigid], [2, sheet(2, 3, 0)]]);
  const of = {type: 'hinge', anchor: [1, 2, 3], axis: [0, 0, 1], limits: [-1, 1], world: true} as const;
  const places = (point: Point) => (point.body === 1 ? ([5, 5, 5] as const) : placesIn(bodies)(point));

  it('is offered where a piece is among what is selected', () => {
    expect(waysFor([{body: 1, particle: 0}], bodies)).toContain('joint');
    expect(waysFor(row(2, 2), bodies)).not.toContain('joint');
  });

  it('holds a piece to the world, or to a point of a triangle', () => {
    const points = [{body: 1, particle: 0}, ...row(2, 3)];
    const world = jointed(points, bodies, places, of)!;
    expect(world.points).toEqual([points[0]]);
    expect([...(world.extra.sides as Uint32Array)]).toEqual([1, 0]);
    expect([...(world.extra.limits as Float64Array)]).toEqual([-1, 1]);
    const hung = jointed(points, bodies, places, {...of, type: 'ball', limits: null, world: false})!;
    expect([...(hung.extra.sides as Uint32Array)]).toEqual([1, 3]);
    expect((hung.extra.weights as Float64Array).length).toBe(4);
    expect('limits' in hung.extra).toBe(false);
    // A distance joint holds from the middle of the piece.
    const cord = jointed(points.slice(0, 2), bodies, places, {...of, type: 'distance', world: false})!;
    expect([...(cord.extra.anchors as Float64Array)]).toEqual([5, 5, 5, 1, 2, 3]);
    expect(jointed(points.slice(0, 3), bodies, places, {...of, world: false})).toBeNull();
  });

  it('holds a piece to a segment of a rod, which one or both of its ends name', () => {
    const positions = [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0];
    const topology = topologyOf({positions, triangles: [], edges: [0, 1, 1, 2, 2, 3], tets: [], masses: [1, 1, 1, 1]});
    const rod = {...bodyOf({body: 3, kind: 'rope', particles: 4}, 1, topology), rod: {radius: 0.01, young: 1e7} as never};
    const all = new Map([[1, rigid], [2, sheet(2, 3, 0)], [3, rod]]);
    const piece = {body: 1, particle: 0};
    const held = (type: 'fixed' | 'ball', ...particles: number[]) => {
      const points = [piece, ...particles.map((particle) => ({body: 3, particle}))];
      const made = jointed(points, all, () => null, {...of, type, limits: null, world: false});
      return made && [[...(made.extra.sides as Uint32Array)], made.points.slice(1).map(({particle}) => particle)];
    };
    expect(held('fixed', 0)).toEqual([[1, 2], [0, 1]]);
    expect(held('fixed', 3)).toEqual([[1, 2], [2, 3]]);
    expect(held('fixed', 2, 1)).toEqual([[1, 2], [1, 2]]);
    expect(held('ball', 1, 2)).toEqual([[1, 2], [1, 2]]);
    expect(held('ball', 1)).toEqual([[1, 1], [1]]);
    expect(held('fixed', 0, 2)).toBeNull();
    expect(jointed([piece, {body: 2, particle: 0}], all, () => null, {...of, world: false})).toBeNull();
  });
});
