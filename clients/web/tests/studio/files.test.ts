// Meshes from files: read, welded, placed; and what is said of those that cannot be read.
import {describe, expect, it} from 'vitest';

import {placed, scaleFor} from '../../src/studio/ui/files/placement.js';
import {readFiles} from '../../src/studio/ui/files/read.js';
import {boundsOf, weld} from '../../src/studio/ui/files/weld.js';
import {withinBytes} from '../../src/studio/ui/names.js';
import {csvOf} from '../../src/studio/ui/plots/export.js';
import {commonPrefix} from '../../src/studio/ui/plots/words.js';
import {asciiPly, binaryStl, cube, gltfWithData, glb, obj} from './meshes.mjs';

interface Gltf {
  accessors: {count: number}[];
  meshes: {primitives: {attributes: {POSITION: number}}[]}[];
  images: {uri: string}[];
}

const file = (name: string, content: BlobPart) => new File([content], name);

describe('files', () => {
  const all: [string, BlobPart][] = [
    ['cube.obj', obj()],
    ['cube.ply', asciiPly()],
    ['cube.stl', binaryStl()],
    ['cube.glb', glb()],
    ['cube.gltf', gltfWithData()],
  ];
  for (const [name, content] of all) {
    it(`${name} becomes eight particles and twelve triangles`, async () => {
      const mesh = await readFiles([file(name, content)]);
      expect(mesh.name).toBe('cube');
      expect(mesh.positions.length / 3).toBe(8);
      expect(mesh.triangles.length / 3).toBe(12);
      expect(mesh.merged).toBe(mesh.vertices - 8);
      expect(boundsOf(mesh.positions)).toEqual({low: [0, 0, 0], high: [1, 1, 1]});
    });
  }

  it('a glTF finds its buffer among the files that were dropped with it', async () => {
    const [json, bin] = gltfWithData({apart: true}) as [string, ArrayBuffer];
    const mesh = await readFiles([file('cube.gltf', json), file('cube.bin', bin)]);
    expect(mesh.triangles.length / 3).toBe(12);
    await expect(readFiles([file('cube.gltf', json)])).rejects.toThrow('It needs cube.bin');
  });

  it('a PLY without faces is a cloud of points', async () => {
    const mesh = await readFiles([file('dots.ply', asciiPly({faces: false}))]);
    expect(mesh.triangles.length).toBe(0);
    expect(mesh.positions.length / 3).toBe(8);
  });

  it('an OBJ of lines has edges', async () => {
    const mesh = await readFiles([file('line.obj', 'v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2\nl 2 3\n')]);
    expect(mesh.lines.length / 2).toBe(2);
    expect(mesh.positions.length / 3).toBe(3);
  });

  it('what cannot be read is said in words', async () => {
    await expect(readFiles([file('picture.png', 'x')])).rejects.toThrow('picture.png is not a mesh');
    await expect(readFiles([file('a.ply', 'nonsense')])).rejects.toThrow('a.ply could not be read');
    await expect(readFiles([file('a.gltf', '{')])).rejects.toThrow('its JSON cannot be read');
    await expect(readFiles([file('a.glb', glb({version: 1}))])).rejects.toThrow('Only glTF 2');
    await expect(readFiles([file('a.glb', glb({extension: 'KHR_draco_mesh_compression'}))])).rejects.toThrow(
      'compressed',
    );
    await expect(readFiles([file('a.obj', '# nothing\n')])).rejects.toThrow('no vertices');
    await expect(readFiles([file('a.glb', (glb() as ArrayBuffer).slice(0, 100))])).rejects.toThrow(
      'could not be read',
    );
  });

  it('what is damaged is said in words, not in those of the engine', async () => {
    const changed = (change: (gltf: Gltf) => void) => {
      const gltf = JSON.parse(gltfWithData() as string) as Gltf;
      change(gltf);
      return JSON.stringify(gltf);
    };
    const damaged: [string, BlobPart, string][] = [
      ['a.gltf', changed((gltf) => (gltf.accessors[0]!.count = 1e6)), 'It is damaged, or cut off.'],
      ['a.gltf', changed((gltf) => (gltf.meshes[0]!.primitives[0]!.attributes.POSITION = 99)), 'damaged'],
      ['a.gltf', '{"asset": {"version": "2.0"}}', 'It has no scene.'],
      ['a.gltf', 'null', 'Only glTF 2 can be read.'],
      ['a.stl', 'abc', 'damaged'],
      ['a.stl', (binaryStl() as ArrayBuffer).slice(0, 200), 'damaged'],
      ['a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n', 'a face names a vertex that is not there'],
    ];
    for (const [name, content, words] of damaged) {
      await expect(readFiles([file(name, content)]), String(content).slice(0, 60)).rejects.toThrow(
        `${name} could not be read. `,
      );
      await expect(readFiles([file(name, content)])).rejects.toThrow(words);
    }
  });

  it('a glTF with pictures inside it gives its shape, and nothing is asked for', async () => {
    const gltf = JSON.parse(gltfWithData() as string) as Gltf;
    gltf.images = [{uri: 'data:image/png;base64,iVBORw0KGgo='}];
    const mesh = await readFiles([file('cube.gltf', JSON.stringify(gltf))]);
    expect(mesh.triangles.length / 3).toBe(12);
  });

  it('a long name is cut between letters', () => {
    expect(withinBytes('flag', 8)).toBe('flag');
    expect(withinBytes('ä'.repeat(80), 7)).toBe('äää');
    expect(withinBytes('a😀b', 4)).toBe('a');
  });
});

describe('welding', () => {
  it('joins what lies in one place and leaves out what collapses', () => {
    const welded = weld({
      positions: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1e-9, 0, 5, 5, 5]),
      triangles: Uint32Array.from([0, 1, 2, 1, 3, 2]),
      lines: new Uint32Array(),
    });
    expect([welded.merged, welded.collapsed, welded.unused]).toEqual([1, 1, 1]);
    expect([...welded.triangles]).toEqual([0, 1, 2]);
  });

  it('leaves a mesh without doubles as it is', () => {
    const {positions, triangles} = cube();
    const welded = weld({positions, triangles, lines: new Uint32Array()});
    expect(welded.positions).toEqual(positions);
    expect(welded.triangles).toEqual(triangles);
  });
});

describe('placing', () => {
  it('guesses the unit', () => {
    expect(scaleFor([0, 0, 0, 1.7, 0, 0])).toBe(1);
    expect(scaleFor([0, 0, 0, 170, 0, 0])).toBe(0.01);
    expect(scaleFor([0, 0, 0, 1700, 0, 0])).toBe(0.001);
    expect(scaleFor([0, 0, 0, 0.001, 0, 0])).toBe(1500);
    expect(scaleFor([])).toBe(1);
  });

  it('stands the middle of the underside on its place, whatever is up', () => {
    const {positions} = cube();
    for (const up of ['y', 'z'] as const) {
      const {low, high} = boundsOf(placed(positions, {scale: 2, up, turn: 90, position: [1, 0.5, -1]}));
      expect(low.map((x) => Number(x.toFixed(9)))).toEqual([0, 0.5, -2]);
      expect(high.map((x) => Number(x.toFixed(9)))).toEqual([2, 2.5, 0]);
    }
    expect([
      ...placed(Float64Array.from([0, 0, 0, 0, 0, 3]), {scale: 1, up: 'z', turn: 0, position: [0, 0, 0]}),
    ]).toEqual([0, 0, 0, 0, 3, 0]);
  });
});

describe('tables', () => {
  it('are CSV with units, and nothing where there is no number', () => {
    const text = csvOf([
      {label: 'time', unit: 's', values: [0, 1]},
      {label: 'flag, "x"', unit: '', values: [0.5, NaN]},
    ]);
    expect(text).toBe('time [s],"flag, ""x"""\r\n0,0.5\r\n1,\r\n');
  });

  it('name a plot by what its curves have in common', () => {
    expect(commonPrefix(['flag #3 x', 'flag #3 y'])).toBe('flag #3');
    expect(commonPrefix(['flag x'])).toBe('flag');
    expect(commonPrefix(['a x', 'b x'])).toBe('');
  });
});
