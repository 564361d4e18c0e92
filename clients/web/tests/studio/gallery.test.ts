// What the gallery makes: meshes without holes, inside out or doubled parts.
import {describe, expect, it} from 'vitest';

import {
  ballOfTets,
  boxOfTets,
  chain,
  sheet,
  surfaceOf,
  volume6,
  type Mesh,
} from '../../src/studio/ui/gallery/mesh.js';
import {OBSTACLES, PIECES} from '../../src/studio/ui/gallery/pieces.js';
import {madeExtent, wayOut} from '../../src/studio/ui/gallery/place.js';
import {formFields, refusalOf} from '../../src/studio/ui/forms/form.js';
import {METHODS} from '../../src/lib/index.js';

function volumes(mesh: Mesh): number[] {
  const tets = mesh.tets ?? new Uint32Array();
  return Array.from(
    {length: tets.length / 4},
    (_, i) => volume6(mesh.positions, tets.subarray(4 * i, 4 * i + 4)) / 6,
  );
}

// Every edge of a closed surface has two triangles, once in each direction.
function isClosed(triangles: Uint32Array): boolean {
  const open = new Set<string>();
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; ++k) {
      const [a, b] = [triangles[i + k], triangles[i + ((k + 1) % 3)]];
      if (open.has(`${a} ${b}`)) return false;
      if (!open.delete(`${b} ${a}`)) open.add(`${a} ${b}`);
    }
  }
  return open.size === 0;
}

describe('meshes', () => {
  it('a sheet has two triangles a cell, all facing one way', () => {
    const mesh = sheet(4, 3, (u, v) => [u, 0, v]);
    expect(mesh.positions.length / 3).toBe(5 * 4);
    expect(mesh.triangles!.length / 3).toBe(2 * 4 * 3);
    for (let i = 0; i < mesh.triangles!.length; i += 3) {
      const [p, q, r] = [0, 1, 2].map((k) =>
        [0, 2].map((axis) => mesh.positions[3 * mesh.triangles![i + k]! + axis]!),
      ) as [number[], number[], number[]];
      expect((q[0]! - p[0]!) * (r[1]! - p[1]!) - (q[1]! - p[1]!) * (r[0]! - p[0]!)).toBeLessThan(0);
    }
  });

  it('a chain has its edges end to end', () => {
    expect([...chain(3, (t) => [t, 0, 0]).edges!]).toEqual([0, 1, 1, 2, 2, 3]);
  });

  it('a box of tetrahedra fills the box, none inverted, with a closed surface', () => {
    const mesh = boxOfTets([3, 2, 4], [0.6, 0.4, 0.8], [0, 1, 0]);
    expect(Math.min(...volumes(mesh))).toBeGreaterThan(0);
    expect(volumes(mesh).reduce((a, b) => a + b)).toBeCloseTo(0.6 * 0.4 * 0.8, 12);
    expect(isClosed(surfaceOf(mesh.tets!))).toBe(true);
  });

  it('a ball of tetrahedra is round, none inverted or flat, with a closed surface', () => {
    for (const times of [1, 2, 3]) {
      const mesh = ballOfTets(times, 0.5, [0, 0, 0]);
      const all = volumes(mesh);
      expect(all.length).toBe(20 * 8 ** times);
      expect(Math.min(...all) / Math.max(...all)).toBeGreaterThan(0.2);
      expect(all.reduce((a, b) => a + b)).toBeGreaterThan(
        (times === 1 ? 0.7 : 0.9) * ((4 / 3) * Math.PI * 0.125),
      );
      const surface = surfaceOf(mesh.tets!);
      expect(isClosed(surface)).toBe(true);
      const radii = Array.from(surface, (i) => Math.hypot(...mesh.positions.subarray(3 * i, 3 * i + 3)));
      expect(radii.every((radius) => Math.abs(radius - 0.5) < 1e-9)).toBe(true);
      expect(new Set(mesh.tets).size).toBe(mesh.positions.length / 3);
    }
  });
});

describe('the gallery', () => {
  it('makes every piece from its defaults, with pins that are there', () => {
    for (const piece of PIECES) {
      const made = piece.make(piece.material);
      const count = made.mesh.positions.length / 3;
      expect(count, piece.id).toBeGreaterThan(0);
      expect(made.mesh.positions.every(Number.isFinite), piece.id).toBe(true);
      for (const indices of [made.mesh.triangles, made.mesh.edges, made.mesh.tets, made.pins]) {
        expect(
          Array.from(indices ?? []).every((index) => index < count),
          piece.id,
        ).toBe(true);
      }
    }
  });

  it('gives only what body.add and collider.add take', () => {
    const names = (method: 'body.add' | 'collider.add') => METHODS[method].params.map((field) => field.name);
    for (const piece of PIECES) {
      for (const name of Object.keys(piece.material)) expect(names('body.add')).toContain(name);
      for (const collider of piece.make(piece.material).colliders ?? []) {
        for (const name of Object.keys(collider)) expect(names('collider.add')).toContain(name);
      }
    }
    for (const obstacle of OBSTACLES) {
      const shown = formFields('collider.add', obstacle.only).map(({name}) => name);
      expect(shown).toEqual(obstacle.only);
    }
  });

  it('puts a piece where it is told', () => {
    for (const piece of PIECES) {
      const made = piece.make({...piece.material, position: [10, 3, -4]});
      const xs = made.mesh.positions.filter((_, i) => i % 3 === 0);
      expect((Math.min(...xs) + Math.max(...xs)) / 2, piece.id).toBeCloseTo(10, 6);
    }
  });
});

describe('a place for something new', () => {
  const box = (x: number, z: number, half = 0.5) => ({
    min: [x - half, 0, z - half] as const,
    max: [x + half, 1, z + half] as const,
  });
  const apart = (a: ReturnType<typeof box>, b: ReturnType<typeof box>, [x, , z]: readonly number[]) =>
    a.min[0] + x! >= b.max[0] || a.max[0] + x! <= b.min[0] || a.min[2] + z! >= b.max[2] || a.max[2] + z! <= b.min[2];

  it('is where it was wanted if nothing is there', () => {
    expect(wayOut(box(0, 0), [box(3, 0)])).toEqual([0, 0, 0]);
    // Above something is not in it.
    expect(wayOut({min: [0, 1.2, 0], max: [1, 2, 1]}, [box(0, 0)])).toEqual([0, 0, 0]);
  });

  it('is near by and in nothing else', () => {
    const taken = [box(0, 0), box(1.2, 0), box(-1.2, 0), box(0, 1.2), box(0, -1.2)];
    const way = wayOut(box(0, 0), taken);
    expect(taken.every((other) => apart(box(0, 0), other, way))).toBe(true);
    expect(Math.hypot(...way)).toBeLessThan(2.5);
  });

  it('is beside everything where there is no room for long', () => {
    const [x] = wayOut(box(0, 0, 0.1), [box(0, 0, 50)]);
    expect(x).toBeGreaterThan(50);
  });

  it('counts what belongs to a piece, and makes nothing beyond its limits', () => {
    const piece = PIECES.find(({id}) => id === 'tablecloth')!;
    const {min, max} = madeExtent(piece.make({...piece.material, position: [2, 1.1, 0], width: 1}));
    expect([min[0], max[0]]).toEqual([1.5, 2.5]);
    expect(min[1]).toBeLessThan(0.2);
    expect(piece.make({cells: 5000}).mesh.positions.length).toBe(3 * 201 * 201);
    const cells = piece.fields.find(({name}) => name === 'cells')!;
    expect(refusalOf(cells, 5000)).toBe('At most 200.');
    expect(refusalOf(cells, 0)).toBe('At least 1.');
    expect(refusalOf(cells, 2.5)).toBe('A whole number.');
    expect(refusalOf(cells, 12)).toBe(undefined);
  });
});
