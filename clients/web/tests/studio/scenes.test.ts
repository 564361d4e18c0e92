// Scenes in the page against `weft open`: the same world from the same file, to the last bit.
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import WebSocketOfNode from 'ws';

import {Files} from '../../src/files/index.js';
import {connect, type Client} from '../../src/lib/index.js';
import {sceneText} from '../../src/studio/ui/scenes/write.js';
import {cloth, Weftd, WEFTD} from '../lib/weftd.js';
import {missing, module} from './module.js';

const WEFT = process.env['WEFT'] ?? join(dirname(WEFTD), 'weft');
const GALLERY = new URL('../../../scenes/', import.meta.url).pathname;

function readScene(text: string, name: string, beside: ReadonlyMap<string, ArrayBuffer>) {
  return new Files(module).scene(name, new TextEncoder().encode(text), beside);
}

let server: Weftd;
let client: Client;
let folder: string;

beforeAll(async () => {
  server = await Weftd.start();
  client = connect({url: server.url, client: 'test', WebSocket: WebSocketOfNode as never});
  await client.opened();
  folder = mkdtempSync(join(tmpdir(), 'weft-scenes-'));
});

afterAll(async () => {
  client.close();
  await server.stop();
  rmSync(folder, {recursive: true, force: true});
});

let count = 0;

// The hash of the world that the program makes of a file.
async function hashByProgram(file: string): Promise<string> {
  const name = `program-${++count}`;
  execFileSync(WEFT, ['--server', server.tcp, 'open', file, '--name', name]);
  return (await client.call('world.hash', {world: name})).hash;
}

async function hashByPage(text: string, beside = new Map<string, ArrayBuffer>()): Promise<string> {
  const name = `page-${++count}`;
  const {document} = readScene(text, 'test.json', beside);
  await client.call('world.open', {name, document: document as never});
  return (await client.call('world.hash', {world: name})).hash;
}

async function same(scene: object): Promise<void> {
  const file = join(folder, `scene-${++count}.json`);
  const text = JSON.stringify({weft: 1, ...scene});
  writeFileSync(file, text);
  expect(await hashByPage(text)).toBe(await hashByProgram(file));
}

describe.skipIf(missing)('a scene', () => {
  for (const file of readdirSync(GALLERY).filter((name) => name.endsWith('.json'))) {
    it(`of the gallery is the same world: ${file}`, async () => {
      const meshes = readdirSync(GALLERY).filter((name) => name.endsWith('.obj'));
      const bytes = (name: string) => Uint8Array.from(readFileSync(join(GALLERY, name))).buffer;
      const beside = new Map(meshes.map((name) => [name, bytes(name)]));
      expect(await hashByPage(readFileSync(join(GALLERY, file), 'utf8'), beside)).toBe(
        await hashByProgram(join(GALLERY, file)),
      );
    });
  }

  it('is the same world with every source of a mesh, placement and selector', async () => {
    await same({
      settings: {gravity: [0, -3, 0.5], substeps: 7, damping: 0.3, contact_quality: 'fast', untangle: true, long_edges: true, bending: 'solved', wind: {velocity: [1, 0, 2]}},
      bodies: [
        {
          name: 'grid',
          grid: {size: [1.5, 0.7], cells: [9, 7]},
          material: 'silk',
          pins: ['corners', 5],
          scale: [1, 2, 3],
        },
        {
          name: 'wall',
          grid: {cells: [4, 3], upright: true},
          pins: 'top edge',
          pins_follow: 'crate',
          turn: {axis: [1, 2, 3], degrees: 211},
        },
        {
          name: 'disc',
          disc: {radius: 0.7, rings: 5},
          pins: [
            'rim',
            {
              box: [
                [-1, -1, -1],
                [0, 1, 0],
              ],
            },
          ],
          material: 'denim',
        },
        {name: 'rope', rope: {from: [0, 1, 0], to: [1, 0.3, 0.2], segments: 11}, pins: 'ends', density: 0.3},
        {
          name: 'box',
          box: {size: [1, 0.5, 0.3], cells: [3, 2, 2]},
          material: 'jelly',
          rotation: [0.1, 0.2, 0.3, 0.9],
        },
        {
          name: 'ball',
          sphere: {radius: 0.4, cells: 5},
          material: 'rubber',
          position: [2, 1, 0],
          pins: {sphere: {center: [2, 1, 0], radius: 0.2}},
        },
        {
          body: 20,
          kind: 'points',
          positions: [
            [0, 0, 0],
            [1, 0, 0],
            [0, 5e-324, -0.0],
          ],
          masses: 0.25,
          pins: 'first',
        },
        {
          positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
          triangles: [[0, 1, 2]],
          scale: 0.1,
          stretch: {stiffness: 0.5, limit: 0.1},
          bend: {rigidity: 1e-5},
        },
      ],
      colliders: [
        {name: 'floor', kind: 'plane', position: [0, -1, 0], normal: [0.1, 1, 0]},
        {kind: 'capsule', radius: 0.2, length: 0.5, turn: {degrees: 30}, friction: 1},
        {name: 'crate', kind: 'box', half_extents: [0.1, 0.2, 0.3], rotation: [0, 0.6, 0, 0.8]},
      ],
      constraints: [
        {join: {from: {body: 'rope', particles: 'last'}, to: {body: 'disc'}}, compliance: 1e-5},
        {join: {from: {body: 'grid', particles: [3, 1]}, to: {body: 20, particles: [0, 2]}}, rest: 0.5},
        {bodies: ['rope', 'ball'], particles: [3, 4]},
        {body: 'wall', type: 'dihedral', particles: [0, 1, 5, 6], compliance: 1},
      ],
      motions: [
        {collider: 'crate', times: [0, 1], offsets: [0, 0, 0, 0.5, 0, 0], loop: true},
        {body: 'wall', particles: 'top edge', times: [0, 2], offsets: [0, 0, 0, 0, 0.1, 0]},
      ],
    });
  });

  // Thicknesses differ in each: a hash tells whether they are the same.
  it('says the same of contact where its bodies say nothing', async () => {
    const sheet = {grid: {size: [1.1, 0.7], cells: [3, 2]}};
    const bodies = [
      {...sheet, turn: {axis: [1, 2, 0], degrees: 33}, scale: [1.7, 1, 1.1]},
      {...sheet, thickness: 0.011, friction: 0.7},
      {...sheet, thickness: 0},
      {...sheet, scale: 1e-6, masses: 0.1},
      {...sheet, scale: 100, kind: 'points'},
      {...sheet, self_contact: false},
      {...sheet, contact_mask: 6, contact_group: 3, thickness: 0.01},
      {...sheet, state: {}},
      {kind: 'rope', positions: [0, 0, 0, 0.3, 0.1, 0, 0.3, 0.4, 0.2, 1, 1, 1]},
      {kind: 'points', positions: Array.from({length: 81}, (_, i) => 0.001 * ((i * 37) % 29))},
      {box: {size: [1, 0.9, 0.7], cells: [2, 2, 3]}},
    ];
    for (const [i, body] of bodies.entries()) await same({bodies: [{name: `body ${i}`, ...body}]});
    const least = 2 ** -10;
    for (const thickness of [least, 0.999 * least])
      await same({settings: {resolution: 2 ** -20}, bodies: [{...sheet, thickness}]});
  });

  it('that was saved is the same world again, in the page and for the program', async () => {
    const {world} = await client.call('world.create', {
      name: 'saved',
      substeps: 3,
      wind: {velocity: [2, 0, 1]},
    });
    const {body} = await client.call('body.add', {world, ...cloth(9), name: 'sheet', bend: {compliance: 10}});
    await client.call('collider.add', {world, kind: 'sphere', radius: 0.3, position: [0.5, 0.5, 0.5]});
    await client.call('constraint.add', {world, body, particles: [0, 80], compliance: 1e-4});
    await client.call('world.step', {world, ticks: 50});
    await client.call('constraint.remove', {world, constraints: [3]});
    await client.call('constraint.set', {world, constraints: [7], compliance: 1e-3});
    await client.call('particle.pin', {world, body, particles: [40], positions: [0.4, 0.9, 0.4]});
    await client.call('particle.pin', {world, body, particles: [72], collider: 1});
    const {document, hash} = await client.call('world.save', {world});
    const text = sceneText('saved', {...document}).join('');
    expect(await hashByPage(text)).toBe(hash);
    const file = join(folder, 'saved.json');
    writeFileSync(file, text);
    expect(await hashByProgram(file)).toBe(hash);
    // And what the program saves, with arrays beside it.
    execFileSync(WEFT, ['--server', server.tcp, 'save', 'saved', file]);
    const data = join(folder, 'saved.data');
    const beside = new Map(
      readdirSync(data).map(
        (name) => [name, Uint8Array.from(readFileSync(join(data, name))).buffer] as const,
      ),
    );
    expect(beside.size).toBeGreaterThan(0);
    expect(await hashByPage(readFileSync(file, 'utf8'), beside)).toBe(hash);
    expect(() => readScene(readFileSync(file, 'utf8'), 'saved.json', new Map())).toThrow(
      /was not given: choose or drop it/,
    );
  });

  it('that is wrong is refused with the place, in the words of the program', () => {
    const wrong: readonly [scene: object, words: string][] = [
      [{weft: 2}, 'weft: must be 1'],
      [{body: []}, 'there is no field "body" here'],
      [{bodies: [{}]}, 'bodies[0]: has no mesh'],
      [{bodies: [{grid: {cells: [0, 3]}}]}, 'bodies[0].grid.cells: must be'],
      [{bodies: [{grid: {cells: [9999, 9999]}}]}, 'bodies[0].grid.cells'],
      [{bodies: [{grid: {cells: [2, 2]}, rope: {}}]}, 'has both grid and rope'],
      [{bodies: [{grid: {cells: [2, 2]}, pins: 'top'}]}, 'bodies[0].pins: "top" is wrong'],
      [{bodies: [{grid: {cells: [2, 2]}, material: 'jelly'}]}, 'bodies[0].material: "jelly" is wrong'],
      [{bodies: [{positions: [0, 0]}]}, 'bodies[0].positions: 2 numbers'],
      [{constraints: [{join: {from: {body: 'a'}, to: {body: 'a'}}}]}, 'there is no body "a"'],
      [{settings: {substeps: 0}}, 'settings.substeps'],
      [{settings: {wind: {speed: 1}}}, 'settings.wind'],
      [{colliders: [{kind: 'cone'}]}, 'colliders[0].kind'],
      [{bodies: [{kind: 'points', positions: [0, 0, 'x']}]}, 'bodies[0].positions: element 2 is no number'],
    ];
    for (const [i, [scene, words]] of wrong.entries()) {
      const file = join(folder, `wrong-${i}.json`);
      const text = JSON.stringify(scene);
      writeFileSync(file, text);
      const {stderr} = spawnSync(WEFT, ['--server', server.tcp, 'open', file], {encoding: 'utf8'});
      let refused = '';
      try {
        readScene(text, file, new Map());
      } catch (error) {
        refused = (error as Error).message;
      }
      expect(refused, text).toContain(words);
      expect(stderr, text).toContain(refused);
    }
    expect(() => readScene('{', 'x.json', new Map())).toThrow('x.json:1:2: not JSON');
    expect(() => readScene('{"bodies": []} x', 'x.json', new Map())).toThrow('x.json:1:16: not JSON');
  });
});
