// Soft bodies from files: what the page reads and fills, against what `weft load` makes of the same files.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import WebSocketOfNode from 'ws';

import {connect, type Client} from '../../src/lib/index.js';
import {Files, type Lattice, type Welded} from '../../src/files/index.js';
import {skinOf} from '../../src/studio/ui/files/skin.js';
import {Weftd, WEFTD} from '../lib/weftd.js';
import {missing, module} from './module.js';

const WEFT = process.env['WEFT'] ?? join(dirname(WEFTD), 'weft');
const MESHES = new URL('../../../../tests/meshes/', import.meta.url).pathname;

const read = (name: string) => new Uint8Array(readFileSync(join(MESHES, name)));

function welded(work: (files: Files) => void): Welded {
  const files = new Files(module);
  work(files);
  return files.weld();
}

const readGmsh = (bytes: Uint8Array) => welded((files) => files.gmsh('', bytes));
const readTetgen = (nodes: Uint8Array, eles: Uint8Array) => welded((files) => files.tetgen('a', nodes, 'b', eles));

function fill(positions: Float64Array, triangles: Uint32Array, cells: number): Lattice {
  const files = new Files(module);
  files.soup({positions, triangles, lines: new Uint32Array()});
  return files.fill(cells);
}

function volumeOf(positions: Float64Array, tets: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < tets.length; t += 4) {
    const p = [0, 1, 2, 3].map((k) => Array.from(positions.subarray(3 * tets[t + k]!, 3 * tets[t + k]! + 3)));
    const [u, v, w] = [1, 2, 3].map((k) => p[k]!.map((x, axis) => x - p[0]![axis]!));
    const volume =
      ((u![1]! * v![2]! - u![2]! * v![1]!) * w![0]! +
        (u![2]! * v![0]! - u![0]! * v![2]!) * w![1]! +
        (u![0]! * v![1]! - u![1]! * v![0]!) * w![2]!) /
      6;
    expect(volume).toBeGreaterThan(0);
    sum += volume;
  }
  return sum;
}

// Its area, the volume that it encloses, and how many edges only one triangle has.
function surfaceOf(positions: Float64Array, triangles: Uint32Array) {
  const edges = new Map<string, number>();
  let [area, volume] = [0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => triangles[t + k]!);
    corners.forEach((from, k) => {
      const key = [from, corners[(k + 1) % 3]!].sort((a, b) => a - b).join();
      edges.set(key, (edges.get(key) ?? 0) + 1);
    });
    const [a, b, c] = corners.map((i) => [0, 1, 2].map((axis) => positions[3 * i + axis]!)) as [number[], number[], number[]];
    const [u, v] = [b, c].map((to) => to.map((x, axis) => x - a[axis]!)) as [number[], number[]];
    const normal = [0, 1, 2].map((k) => u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!);
    area += Math.hypot(...normal) / 2;
    volume += normal.reduce((sum, x, axis) => sum + x * a[axis]!, 0) / 6;
  }
  return {area, volume, openEdges: [...edges.values()].filter((times) => times === 1).length};
}

describe.skipIf(missing)('tetrahedra out of files', () => {
  it('are those of a box of 1 by 2 by 3, from TetGen and from every kind of Gmsh', () => {
    const files = [
      'gmsh-2.msh',
      'gmsh-2-binary.msh',
      'gmsh-4.0.msh',
      'gmsh-4.1.msh',
      'gmsh-4.1-binary.msh',
      'gmsh-4.1-parametric.msh',
      'gmsh-4.1-parametric-binary.msh',
      'gmsh-4.1-quadratic-binary.msh',
    ];
    const soups = [
      readTetgen(read('tetgen.node'), read('tetgen.ele')),
      ...files.map((name) => readGmsh(read(name))),
    ];
    for (const {positions, tets} of soups) {
      expect(tets.length).toBeGreaterThan(0);
      expect(volumeOf(positions, tets)).toBeCloseTo(6, 6);
      // Its skin closes and has the box's area.
      const surface = surfaceOf(positions, skinOf(tets));
      expect(surface.openEdges).toBe(0);
      expect(surface.area).toBeCloseTo(22, 6);
      expect(surface.volume).toBeCloseTo(6, 6);
    }
  });

  it('that are cut off are refused, wherever the cut is', () => {
    for (const name of ['gmsh-4.1.msh', 'gmsh-4.1-binary.msh', 'gmsh-2-binary.msh']) {
      const whole = read(name);
      const end = Buffer.from(whole).indexOf('$EndElements');
      for (let cut = 0; cut < end - 2; cut += 97)
        expect(() => readGmsh(whole.slice(0, cut)), `${name} ${cut}`).toThrow();
    }
    const [nodes, eles] = [read('tetgen.node'), read('tetgen.ele')];
    expect(() => readTetgen(nodes.slice(0, 500), eles)).toThrow();
    expect(() => readTetgen(nodes, eles.slice(0, 500))).toThrow();
  });
});

// A ball of triangles, each part with its own way round.
function ball(
  radius: number,
  rows: number,
  columns: number,
  center = [0, 0, 0],
): {positions: number[]; triangles: number[]} {
  const positions: number[] = [];
  const triangles: number[] = [];
  const put = (up: number, turn: number) =>
    positions.push(
      center[0]! + radius * Math.cos(up) * Math.cos(turn),
      center[1]! + radius * Math.sin(up),
      center[2]! + radius * Math.cos(up) * Math.sin(turn),
    );
  put(-Math.PI / 2, 0);
  for (let r = 1; r < rows; r++)
    for (let c = 0; c < columns; c++) put(-Math.PI / 2 + (Math.PI * r) / rows, (2 * Math.PI * c) / columns);
  put(Math.PI / 2, 0);
  const at = (r: number, c: number) => 1 + (r - 1) * columns + (c % columns);
  for (let c = 0; c < columns; c++) {
    triangles.push(0, at(1, c), at(1, c + 1), positions.length / 3 - 1, at(rows - 1, c + 1), at(rows - 1, c));
    for (let r = 1; r < rows - 1; r++)
      triangles.push(at(r, c), at(r + 1, c), at(r + 1, c + 1), at(r, c), at(r + 1, c + 1), at(r, c + 1));
  }
  return {positions, triangles};
}

// A shell: a ball with a hollow in it, with a third of the triangles the wrong way round.
function shell() {
  const [outer, inner] = [ball(1, 10, 16), ball(0.5, 8, 12)];
  const first = outer.positions.length / 3;
  const triangles = [...outer.triangles, ...inner.triangles.reverse().map((i) => i + first)];
  for (let t = 0; t < triangles.length; t += 9)
    [triangles[t], triangles[t + 1]] = [triangles[t + 1]!, triangles[t]!];
  // Numbers of 32 bits: readers of files may keep no more.
  const positions = Float64Array.from(Float32Array.from([...outer.positions, ...inner.positions]));
  return {positions, triangles: Uint32Array.from(triangles)};
}

describe.skipIf(missing)('a surface', () => {
  it('is turned outward, hollows inward', () => {
    const {positions, triangles} = shell();
    expect(surfaceOf(positions, triangles).volume).toBeLessThan(2);
    const {volume, openEdges} = surfaceOf(positions, fill(positions, triangles, 200).skin.triangles);
    expect(openEdges).toBe(0);
    expect(volume).toBeGreaterThan(0.8 * (4 / 3) * Math.PI * (1 - 0.125));
    expect(volume).toBeLessThan((4 / 3) * Math.PI * (1 - 0.125));
  });

  it('that is open is not filled, and a crack is no opening', () => {
    const {positions, triangles} = ball(1, 10, 16);
    const places = Float64Array.from(positions);
    expect(() => fill(places, Uint32Array.from(triangles.slice(0, -60)), 200)).toThrow(
      /open: it has \d+ open edges/,
    );
    const flat = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(() => fill(flat, Uint32Array.from([0, 1, 2, 0, 2, 1]), 10)).toThrow(/encloses no volume/);
  });

  it('is carried: each vertex is where its tetrahedron puts it', () => {
    const {positions, triangles} = shell();
    const {positions: places, tets, skin} = fill(positions, triangles, 800);
    const count = tets.length / 20;
    expect(Math.abs(count - 800) / 800).toBeLessThan(0.15);
    volumeOf(places, tets);
    let worst = 0;
    for (let i = 0; 3 * i < positions.length; i++) {
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let k = 0; k < 4; k++)
          sum += skin.weights[4 * i + k]! * places[3 * skin.particles[4 * i + k]! + axis]!;
        worst = Math.max(worst, Math.abs(sum - positions[3 * i + axis]!));
      }
    }
    expect(worst).toBeLessThan(1e-5);
  });
});

describe.skipIf(missing)('what the page fills', () => {
  let server: Weftd;
  let client: Client;
  const folder = mkdtempSync(join(tmpdir(), 'weft-soft-'));
  beforeAll(async () => {
    server = await Weftd.start();
    client = connect({url: server.url, client: 'test', WebSocket: WebSocketOfNode as never});
    await client.opened();
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    rmSync(folder, {recursive: true, force: true});
  });

  it('is what weft load --soft fills', async () => {
    const {positions, triangles} = shell();
    const lines = [
      ...Array.from(
        {length: positions.length / 3},
        (_, i) => `v ${positions.slice(3 * i, 3 * i + 3).join(' ')}`,
      ),
      ...Array.from(
        {length: triangles.length / 3},
        (_, t) => `f ${Array.from(triangles.slice(3 * t, 3 * t + 3), (i) => i + 1).join(' ')}`,
      ),
    ];
    const file = join(folder, 'shell.obj');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const {world} = await client.call('world.create', {name: 'filled'});
    execFileSync(WEFT, ['--server', server.tcp, 'load', file, '--world', 'filled', '--soft', '800']);
    const [summary] = (await client.call('world.join', {world})).bodies as unknown as {body: number}[];
    const body = await client.call('body.get', {world, body: summary!.body});
    const filled = fill(positions, triangles, 800);
    expect(body.particles).toBe(filled.positions.length / 3);
    expect(Array.from(body.tets as Uint32Array)).toEqual(Array.from(filled.tets));
    expect(Array.from((body.skin as {particles: Uint32Array}).particles)).toEqual(
      Array.from(filled.skin.particles),
    );
    // The page's body is one that the server takes.
    const mine = await client.call('body.add', {world, name: 'mine', kind: 'soft', ...filled});
    expect(mine.particles).toBe(body.particles);
  });
});
