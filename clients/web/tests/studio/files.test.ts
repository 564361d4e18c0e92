// Meshes from files: read, welded, placed; and what is said of those that cannot be read.
import {describe, expect, it} from 'vitest';

import {compileFiles, Files, type Soup, type Tell} from '../../src/files/index.js';
import {boundsOf} from '../../src/studio/ui/files/bounds.js';
import {placed, scaleFor} from '../../src/studio/ui/files/placement.js';
import {readFiles as readWith} from '../../src/studio/ui/files/read.js';
import {withinBytes} from '../../src/studio/ui/names.js';
import {csvOf} from '../../src/studio/ui/plots/export.js';
import {commonPrefix} from '../../src/studio/ui/plots/words.js';
import {asciiPly, binaryStl, cube, gltfWithData, glb, obj} from './meshes.mjs';
import {missing, module} from './module.js';

interface Gltf {
  accessors: {count: number; [key: string]: unknown}[];
  meshes: {primitives: {attributes: {POSITION: number; [name: string]: number}}[]}[];
  buffers: {byteLength: number; uri?: string}[];
  bufferViews: object[];
  images: {uri: string}[];
}

const readFiles = (files: readonly File[], tell?: Tell) => readWith(module, files, tell);

function weld(soup: Soup) {
  const files = new Files(module);
  files.soup(soup);
  return files.weld();
}

const file = (name: string, content: BlobPart) => new File([content], name);

describe.skipIf(missing)('files', () => {
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
      expect(mesh.merged).toBe((mesh.vertices ?? NaN) - 8);
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
    await expect(readFiles([file('picture.png', 'x')])).rejects.toThrow('picture.png is not a supported mesh');
    await expect(readFiles([file('a.ply', 'nonsense')])).rejects.toThrow('a.ply could not be read');
    await expect(readFiles([file('a.gltf', '{')])).rejects.toThrow('its JSON cannot be read');
    await expect(readFiles([file('a.glb', glb({version: 1}))])).rejects.toThrow('Only glTF 2');
    await expect(readFiles([file('a.glb', glb({extension: 'KHR_draco_mesh_compression'}))])).rejects.toThrow(
      'compressed',
    );
    await expect(readFiles([file('a.obj', '# nothing\n')])).rejects.toThrow('There is no vertex in it.');
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
      ['a.gltf', changed((gltf) => (gltf.accessors[0]!.count = 1e6)), 'It is damaged or incomplete.'],
      ['a.gltf', changed((gltf) => (gltf.meshes[0]!.primitives[0]!.attributes.POSITION = 99)), 'damaged'],
      ['a.gltf', '{"asset": {"version": "2.0"}}', 'It has no scene.'],
      ['a.gltf', 'null', 'Only glTF 2 can be read.'],
      ['a.stl', 'abc', 'damaged'],
      ['a.stl', (binaryStl() as ArrayBuffer).slice(0, 200), 'damaged'],
      ['a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n', 'Line 4: a vertex index is greater than the number of vertices.'],
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

  it('a skinned glTF stands where its joints put it, and not where its node is', async () => {
    // Two joints in a chain, the second turned by its parent. The lower corners follow the one, the upper ones follow both
    // with a fifth influence: what four hold alone would be the first joint.
    const gltf = JSON.parse(gltfWithData() as string) as Gltf;
    const [, data = ''] = (gltf.buffers[0]!.uri ?? '').split(',');
    const parts: Uint8Array[] = [Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))];
    let length = parts[0]!.length;
    const accessor = (values: Float32Array | Uint8Array, type: string, each: number) => {
      const view = {buffer: 0, byteOffset: length, byteLength: values.byteLength};
      parts.push(new Uint8Array(values.buffer));
      length += values.byteLength;
      gltf.bufferViews.push(view);
      gltf.accessors.push({
        bufferView: gltf.bufferViews.length - 1,
        componentType: values instanceof Float32Array ? 5126 : 5121,
        count: values.length / each,
        type,
      });
      return gltf.accessors.length - 1;
    };
    const {positions} = cube();
    const upper = Array.from({length: 8}, (_, i) => positions[3 * i + 1] === 1);
    const hip = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const knee = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1];
    gltf.meshes[0]!.primitives[0]!.attributes = {
      POSITION: 0,
      JOINTS_0: accessor(new Uint8Array(32), 'VEC4', 4),
      WEIGHTS_0: accessor(Float32Array.from(upper.flatMap((up) => [up ? 0.5 : 1, 0, 0, 0])), 'VEC4', 4),
      JOINTS_1: accessor(Uint8Array.from(upper.flatMap(() => [1, 0, 0, 0])), 'VEC4', 4),
      WEIGHTS_1: accessor(Float32Array.from(upper.flatMap((up) => [up ? 0.5 : 0, 0, 0, 0])), 'VEC4', 4),
    };
    const skinned = {
      ...gltf,
      scenes: [{nodes: [0]}],
      nodes: [
        {children: [1, 2], translation: [100, 0, 0]},
        {mesh: 0, skin: 0, scale: [9, 9, 9], extras: {skin: 7}},
        {children: [3], translation: [-100, 2, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2]},
        {translation: [1, 0, 0]},
      ],
      skins: [{joints: [2, 3], inverseBindMatrices: accessor(Float32Array.from([...hip, ...knee]), 'MAT4', 16)}],
    };
    const bytes = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    skinned.buffers = [
      {
        byteLength: length,
        uri: `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`,
      },
    ];
    const mesh = await readFiles([file('man.gltf', JSON.stringify(skinned))]);
    // By the hip: (-y, x + 2, z). By the knee: a turn of (x + 1, y - 1, z). Half and half for the upper corners.
    const wanted = Array.from(upper, (up, i) => {
      const [x = 0, y = 0, z = 0] = positions.subarray(3 * i, 3 * i + 3);
      return up ? [(-y + 1 - y) / 2, (x + 2 + x + 1 + 2) / 2, z] : [-y, x + 2, z];
    });
    const sorted = (places: number[][]) =>
      places.map((place) => place.map((part) => (part + 0).toFixed(5).replace('-0.00000', '0.00000')).join()).sort();
    expect(sorted(Array.from({length: 8}, (_, i) => [...mesh.positions.subarray(3 * i, 3 * i + 3)]))).toEqual(
      sorted(wanted),
    );
  });

  it('a long name is cut between letters', () => {
    expect(withinBytes('flag', 8)).toBe('flag');
    expect(withinBytes('ä'.repeat(80), 7)).toBe('äää');
    expect(withinBytes('a😀b', 4)).toBe('a');
  });
});

describe.skipIf(missing)('welding', () => {
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

describe('a page without the module', () => {
  it('says what it was built without', async () => {
    await expect(compileFiles('http://127.0.0.1:1/weft-files.wasm')).rejects.toThrow('it was built without weft-files.wasm');
    await expect(compileFiles(new TextEncoder().encode('<html>'))).rejects.toThrow('it was built without weft-files.wasm');
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

describe.skipIf(missing)('what a file has in common', () => {
  it('an OBJ keeps its vertices: only those that lie on others in the file are welded', async () => {
    const grid = 24;
    const rows: string[] = [];
    for (let z = 0; z <= grid; ++z) for (let x = 0; x <= grid; ++x) rows.push(`v ${x} 0 ${z}`, 'vt 0 0');
    const at = (x: number, z: number) => 1 + z * (grid + 1) + x;
    for (let z = 0; z < grid; ++z)
      for (let x = 0; x < grid; ++x)
        rows.push(`f ${[at(x, z), at(x + 1, z), at(x + 1, z + 1), at(x, z + 1)].map((i) => `${i}/${i}`).join(' ')}`);
    const mesh = await readFiles([file('grid.obj', rows.join('\n'))]);
    expect([mesh.vertices, mesh.merged, mesh.unused]).toEqual([(grid + 1) ** 2, 0, 0]);
    expect(mesh.triangles.length / 3).toBe(2 * grid * grid);
    const double = await readFiles([file('two.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\nf -1 -2 1\n')]);
    expect([double.vertices, double.merged]).toEqual([4, 1]);
  });

  const plyOf = (elements: string, rows: string, format = 'ascii') =>
    `ply\nformat ${format} 1.0\ncomment by hand\n${elements}end_header\n${rows}`;
  const corners = 'element vertex 5\nproperty float x\nproperty float y\nproperty float z\n';
  const pentagon = '0 0 0\n1 0 0\n1 1 0\n0.5 1.5 0\n0 1 0\n';

  it('a PLY keeps its vertices where faces have texture coordinates, and faces of many corners', async () => {
    const faces = 'element face 1\nproperty list uchar int vertex_index\nproperty list uchar float texcoord\n';
    const mesh = await readFiles([file('a.ply', plyOf(corners + faces, `${pentagon}5 0 1 2 3 4 4 0 0 1 1\n`))]);
    expect([mesh.vertices, mesh.merged, mesh.triangles.length / 3]).toEqual([5, 0, 3]);
    const strips = 'element tristrips 1\nproperty list int int vertex_indices\n';
    const strip = await readFiles([file('s.ply', plyOf(corners + strips, `${pentagon}7 0 1 2 3 -1 0 1\n`))]);
    expect([...strip.triangles]).toEqual([0, 1, 2, 2, 1, 3]);
  });

  it('a PLY that is cut off, or names what is not there, is refused with the place', async () => {
    const faces = 'element face 2\nproperty list uchar int vertex_indices\n';
    const refused = (rows: string) =>
      expect(readFiles([file('a.ply', plyOf(corners + faces, rows))])).rejects;
    await refused(`${pentagon}3 0 1 2\n`).toThrow('The file ends too early: it has 1 of 2 faces.');
    await refused('0 0 0\n1 0').toThrow('The file ends too early: it has 1 of 5 vertices.');
    await refused(`${pentagon}3 0 1 2\n3 0 1 5\n`).toThrow('Number 1 of the faces names vertex 5; there are 5.');
    await refused(pentagon.replace('1.5', 'x')).toThrow('Vertex 3 has a coordinate that is not a finite number.');
    await expect(readFiles([file('a.ply', plyOf('element vertex many\n', ''))])).rejects.toThrow('has no count');
    await expect(readFiles([file('a.ply', plyOf(corners, pentagon, 'utf8'))])).rejects.toThrow('not a format of PLY');
    await expect(readFiles([file('a.ply', 'ply\nformat ascii 1.0\n')])).rejects.toThrow('Its header has no end.');
  });

  it('a PLY of bytes, of either order', async () => {
    const faces = 'element face 1\nproperty list uint8 uint16 vertex_indices\n';
    const vertices = corners.replace('element vertex 5', 'element vertex 3').replace('float x', 'float64 x');
    for (const little of [true, false]) {
      const view = new DataView(new ArrayBuffer(3 * 16 + 7));
      [[0, 0, 0], [1.5, 0, 0], [0, 2, 0]].forEach(([x = 0, y = 0, z = 0], i) => {
        view.setFloat64(16 * i, x, little);
        view.setFloat32(16 * i + 8, y, little);
        view.setFloat32(16 * i + 12, z, little);
      });
      view.setUint8(48, 3);
      [0, 1, 2].forEach((corner, i) => view.setUint16(49 + 2 * i, corner, little));
      const head = plyOf(vertices + faces, '', `binary_${little ? 'little' : 'big'}_endian`);
      const mesh = await readFiles([new File([head, view.buffer], 'a.ply')]);
      expect([...mesh.positions]).toEqual([0, 0, 0, 1.5, 0, 0, 0, 2, 0]);
      expect([...mesh.triangles]).toEqual([0, 1, 2]);
      await expect(readFiles([new File([head, view.buffer.slice(0, 50)], 'a.ply')])).rejects.toThrow('too early');
    }
  });

  it('an OBJ that names what is not there is refused, with the line', async () => {
    await expect(readFiles([file('a.obj', 'v 0 0 0\nf 1 2 x\n')])).rejects.toThrow('Line 2');
    await expect(readFiles([file('a.obj', 'v 0 0 0\nf 1 2 9\n')])).rejects.toThrow('Line 2: a vertex index is greater');
    const mesh = await readFiles([file('a.obj', 'v 0 0 0\nv 1 0 0\nv 0 \\\n1 0 # so\nf 1 2 \\\r\n3\n')]);
    expect(mesh.triangles.length / 3).toBe(1);
  });

  it('reading half a million vertices says how far it is, and ends soon', async () => {
    const side = 700;
    const rows: string[] = [];
    for (let i = 0; i < side * side; ++i) rows.push(`v ${i % side} ${Math.floor(i / side)} 0`);
    for (let i = 1; i + side < side * side; ++i) if (i % side !== 0) rows.push(`f ${i} ${i + 1} ${i + side}`);
    const doing = new Set<string>();
    const mesh = await readFiles([file('big.obj', rows.join('\n'))], (what) => doing.add(what));
    expect(mesh.positions.length / 3).toBeGreaterThan(side * side - 2);
    expect([...doing]).toEqual(['Reading', 'Reading the mesh', 'Welding']);
  });
});
