// Polygons of files are cut without overlap, as protocol/polygon/polygon.c cuts them.
import {describe, expect, it} from 'vitest';
import {Files, type Soup, type Welded} from '../../src/files/index.js';
import {readPly} from '../../src/studio/ui/files/ply.js';
import {missing, module} from '../studio/module.js';

type Place = readonly [number, number];

// Not welded, which would make one of the corners where a polygon passes a bridge twice.
function read(work: (files: Files) => void): Welded {
  const files = new Files(module);
  work(files);
  return files.mesh();
}

const readObj = (text: string) => read((files) => files.obj('', new TextEncoder().encode(text)));
const readSoup = (soup: Soup) => read((files) => files.soup(soup));

// Three corners for each triangle.
function cutPolygon(corners: number[][]): number[] {
  const count = corners.length;
  const fan = Array.from({length: count - 2}, (_, i) => [0, i + 1, i + 2]).flat();
  const soup = {positions: Float64Array.from(corners.flat()), triangles: Uint32Array.from(fan), lines: new Uint32Array()};
  return [...readSoup({...soup, polygons: Uint32Array.from([0, count])}).triangles];
}

const L: Place[] = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
const U: Place[] = [[0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]];
const HOLE: Place[] = [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0], [3, 3], [3, 6], [6, 6], [6, 3], [3, 3]];
const SHAPES: [string, number, Place[]][] = [['an L', 3, L], ['a U', 5, U], ['a square with a hole', 72, HOLE]];

const turned = (shape: Place[], first: number) => [...shape.slice(first), ...shape.slice(0, first)];

function areaOf({positions, triangles}: Pick<Soup, 'positions' | 'triangles'>): number {
  let sum = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[i + k]!) as [number, number, number];
    const at = (from: number, axis: number) => positions[from + axis]!;
    sum += Math.abs(
      (at(b, 0) - at(a, 0)) * (at(c, 1) - at(a, 1)) - (at(b, 1) - at(a, 1)) * (at(c, 0) - at(a, 0)),
    );
  }
  return sum / 2;
}

const obj = (shape: Place[]) =>
  `f ${shape.map((_, i) => i + 1).join(' ')}\n` + shape.map(([x, y]) => `v ${x} ${y} 0\n`).join('');

const ply = (shape: Place[]) =>
  `ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex ${shape.length}\n` +
  'property double x\nproperty double y\nproperty double z\nend_header\n' +
  `${shape.length} ${shape.map((_, i) => i).join(' ')}\n` + shape.map(([x, y]) => `${x} ${y} 0\n`).join('');

const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

describe.skipIf(missing).each(SHAPES)('%s', (_name, area, shape) => {
  it.each(shape.map((_, i) => i))('is cut within itself from corner %i on', (first) => {
    const soups = [readObj(obj(turned(shape, first))), readSoup(readPly(bytes(ply(turned(shape, first)))))];
    for (const soup of soups) {
      expect(soup.triangles).toHaveLength(3 * (shape.length - 2));
      expect(areaOf(soup)).toBe(area);
      expect(soup.uncut).toBe(0);
    }
  });
});

describe.skipIf(missing)('a polygon', () => {
  it('stays a fan where that has no overlap', () => {
    expect(cutPolygon([[0, 0, 0], [2, 0, 0], [3, 1, 0], [2, 2, 0], [0, 2, 0]])).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4]);
  });

  it('is cut as the shell cuts it', () => {
    expect(cutPolygon([[-4, 4, 0], [0, 0, 0], [4, 4, 0], [0, 1, 0]])).toEqual([3, 0, 1, 1, 2, 3]);
  });

  it('that crosses itself is counted', () => {
    expect(readObj('v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n').uncut).toBe(1);
  });

  it('is judged by exact areas', () => {
    const cut = cutPolygon([[0.5, 0.5, 0], [12, 12, 0], [24, 24, 0], [0.5 + 2 ** -52, 0.5, 0]]);
    expect(cut.slice(0, 3)).toContain(3);
    expect(cut.slice(3)).toContain(3);
  });
});
