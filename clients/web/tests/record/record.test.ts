// Recordings of the page against `weft record` of the same ticks, number for number, and against other programs.
//
// WEFTD and WEFT name the programs.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import validator from 'gltf-validator';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, type Client} from '../../src/lib/index.js';
import {Parts, Take, writeTake, type Format, type TakenScene} from '../../src/record/index.js';
import {recordLive, recordPast, type PastRange, type Taken} from '../../src/studio/ui/record/source.js';
import {cloth, Weftd, WEFTD} from '../lib/weftd.js';

const WEFT = process.env['WEFT'] ?? '';
const PYTHON = process.env['PYTHON'] ?? 'python3';
const works = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;
const scenes = fileURLToPath(new URL('../../../scenes', import.meta.url));
const suite = WEFTD === '' || WEFT === '' ? describe.skip : describe;

// Cloth on colliders, soft bodies, ropes and colliders that move, a mesh with a look.
const SCENES: readonly (readonly [scene: string, ticks: number, range: PastRange])[] = [
  ['towel', 8, {first: 0, last: 8, every: 4}],
  ['jelly', 10, {first: 2, last: 10, every: 4}],
  ['crane', 8, {first: 0, last: 8, every: 2}],
  ['shirt', 4, {first: 0, last: 4, every: 2}],
];

// Other programs read the files; the points of each mesh are among the particles of the arrays.
const READ = `
import json, numpy
from pxr import Usd, UsdGeom, UsdValidation
data = numpy.load("toy.npz")
stage = Usd.Stage.Open("toy.usda")
mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/world/bear"))
validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
errors = [one.GetMessage() for one in UsdValidation.ValidationContext(validators).Validate(stage)]
points = numpy.array(mesh.GetPointsAttr().Get(6))
used = numpy.unique(data["bear/triangles"])
look = data["bear/positions"][-1][used]
print(json.dumps({
    "shape": data["bear/positions"].shape, "ticks": data["tick"].tolist(), "same": bool((points == look).all()),
    "up": UsdGeom.GetStageUpAxis(stage), "metres": UsdGeom.GetStageMetersPerUnit(stage),
    "range": [stage.GetStartTimeCode(), stage.GetEndTimeCode()], "errors": errors}))
`;

let server: Weftd;
let client: Client;
let folder: string;

const weft = (...words: string[]) =>
  execFileSync(WEFT, ['--server', server.tcp, ...words], {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});

const make = (scene: TakenScene) => new Take(scene);
const watch = () => ({tell: () => undefined, signal: new AbortController().signal});

// A scene that was stepped.
async function played(scene: string, ticks: number): Promise<number> {
  weft('open', join(scenes, `${scene}.json`));
  const {world} = await client.call('world.get', {world: scene});
  await client.call('world.pause', {world});
  await client.call('world.step', {world, ticks});
  return world;
}

async function written({take}: Taken<Take>, format: Format, stem: string, {every}: {every: number}): Promise<Buffer> {
  const parts = new Parts();
  const pace = {every, frameRate: take.scene.tickRate / every};
  await writeTake(take, format, stem, pace, parts, () => undefined);
  return Buffer.from(await parts.blob().arrayBuffer());
}

interface File {
  readonly name: string;
  readonly bytes: Buffer;
}

// The files of a zip, by the list at its end; all are stored as they are.
function unzipped(zip: Buffer): File[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files: File[] = [];
  for (let i = 0, at = zip.readUInt32LE(end + 16); i < zip.readUInt16LE(end + 10); i++) {
    const [name, extra, note] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [number, number, number];
    const local = zip.readUInt32LE(at + 42);
    expect(zip.readUInt16LE(local + 8), 'stored').toBe(0);
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.push({
      name: zip.toString('utf8', at + 46, at + 46 + name),
      bytes: zip.subarray(data, data + zip.readUInt32LE(at + 24)),
    });
    at += 46 + name + extra + note;
  }
  return files;
}

function glb(bytes: Buffer): {json: Record<string, any>; bin: Buffer} {
  const size = bytes.readUInt32LE(12);
  expect(bytes.readUInt32LE(8)).toBe(bytes.length);
  return {json: JSON.parse(bytes.toString('utf8', 20, 20 + size)), bin: bytes.subarray(28 + size)};
}

// The first place at which two texts differ, where numbers are equal if they are as 32-bit floats; null if there is none.
function difference(text: string, other: string): string | null {
  const words = /[^\s,()[\]/]+/g;
  const [own, like] = [text.match(words) ?? [], other.match(words) ?? []];
  const at = own.findIndex((word, i) => word !== like[i] && !(Math.fround(Number(word)) === Math.fround(Number(like[i]))));
  if (at < 0 && own.length === like.length) {
    return null;
  }
  return `${own.slice(Math.max(0, at - 5), at + 3).join(' ')} ≠ ${like.slice(Math.max(0, at - 5), at + 3).join(' ')}`;
}

// The same of `weft record`, in the same format.
function recorded(world: string, end: string, {first, last, every}: PastRange): File[] {
  const place = join(folder, `${world}-${end}`);
  mkdirSync(place);
  const take = join(folder, `${world}.take`);
  if (!existsSync(take)) {
    weft('record', world, '-o', take, '--from', `${first}`, '--to', `${last}`, '--every', `${every}`);
  }
  weft('convert', take, join(place, `${world}.${end}`));
  return readdirSync(place).map((name) => ({name, bytes: readFileSync(join(place, name))}));
}

suite('a recording', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-record-'));
    server = await Weftd.start();
    client = connect({url: server.url, client: 'test', WebSocket});
    await client.opened();
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    rmSync(folder, {recursive: true});
  });

  for (const [scene, ticks, range] of SCENES) {
    it(`${scene}: all formats have the numbers of weft record`, async () => {
      const world = await played(scene, ticks);
      const taken = await recordPast(client, world, range, make, watch());
      expect(taken.notes).toEqual([]);
      const bytes = await written(taken, 'glb', scene, range);
      const own = glb(bytes);
      const other = glb(recorded(scene, 'glb', range)[0]!.bytes);
      expect(own.bin.equals(other.bin)).toBe(true);
      const rounded = (json: object) => JSON.parse(JSON.stringify(json), (_, value) => (typeof value === 'number' ? Math.fround(value) : value));
      expect(rounded(own.json)).toEqual(rounded(other.json));
      const report = await validator.validateBytes(bytes);
      expect([report.issues.numErrors, report.issues.numWarnings]).toEqual([0, 0]);
      const usda = (await written(taken, 'usda', scene, range)).toString();
      expect(difference(usda, recorded(scene, 'usda', range)[0]!.bytes.toString())).toBe(null);
      for (const format of ['pc2', 'obj'] as const) {
        const files = unzipped(await written(taken, format, scene, range));
        const others = recorded(scene, format, range);
        expect(files.map(({name}) => name).sort()).toEqual(others.map(({name}) => name).sort());
        for (const {name, bytes} of files) {
          const like = others.find((file) => file.name === name)!.bytes;
          if (name.endsWith('.pc2')) {
            expect(bytes.equals(like), name).toBe(true);
          } else {
            expect(difference(bytes.toString(), like.toString()), name).toBe(null);
          }
        }
      }
      const arrays = unzipped(await written(taken, 'npz', scene, range));
      const others = unzipped(recorded(scene, 'npz', range)[0]!.bytes);
      expect(arrays.map(({name}) => name)).toEqual(others.map(({name}) => name));
      arrays.forEach(({name, bytes}, i) => expect(bytes.equals(others[i]!.bytes), name).toBe(true));
    });
  }

  it('a cloth that tears has its last triangles in all frames, and its halves are together before', async () => {
    const world = await played('net', 120);
    const {take, notes} = await recordPast(client, world, {first: 0, last: 120, every: 60}, make, watch());
    expect(notes).toEqual([]);
    const state = await client.call('body.get', {world, body: 'net'});
    const {own, origins} = state.torn as unknown as {own: number; origins: Uint32Array};
    expect(origins.length).toBeGreaterThan(0);
    const net = take.scene.bodies[0]!;
    expect(net.count).toBe(own + origins.length);
    expect(Array.from(net.triangles)).toEqual(Array.from(state.triangles));
    const point = (frame: Float32Array, i: number) => [...frame.subarray(3 * i, 3 * i + 3)];
    const first = await take.read(0);
    origins.forEach((origin, i) => expect(point(first, own + i)).toEqual(point(first, origin)));
    const last = await take.read(2);
    const {positions} = await client.call('body.state', {world, body: 'net', fields: ['positions']});
    expect([...last.subarray(0, 3 * net.count)]).toEqual([...positions!.subarray(0, 3 * net.count)]);
    expect(origins.some((origin, i) => point(last, own + i).join() !== point(last, origin).join())).toBe(true);
    const report = await validator.validateBytes(await written({take, notes}, 'glb', 'net', {every: 60}));
    expect([report.issues.numErrors, report.issues.numWarnings]).toEqual([0, 0]);
  });

  it('rigid pieces are written with their shape, where and as they are turned', async () => {
    const {world} = await client.call('world.create', {name: 'pieces'});
    const positions = [0, 1, 0, 0.5, 1.3, 0];
    const piece = {form: 'box', half_extents: [0.1, 0.2, 0.05]};
    await client.call('body.add', {world, name: 'boxes', kind: 'rigid', positions, rigid: piece} as never);
    await client.call('collider.add', {world, kind: 'plane', name: 'ground'});
    await client.call('world.step', {world, ticks: 40});
    const taken = await recordPast(client, world, {first: 0, last: 40, every: 20}, make, watch());
    const bytes = await written(taken, 'glb', 'pieces', {every: 20});
    const report = await validator.validateBytes(bytes);
    expect([report.issues.numErrors, report.issues.numWarnings]).toEqual([0, 0]);
    const arrays = new Map(unzipped(await written(taken, 'npz', 'pieces', {every: 20})).map(({name, bytes}) => [name, bytes]));
    const state = await client.call('body.state', {world, body: 'boxes', fields: ['positions', 'rotations']});
    const lastOf = (name: string, count: number) => {
      const data = arrays.get(name)!.subarray(-4 * count);
      return Array.from({length: count}, (_, i) => data.readFloatLE(4 * i));
    };
    expect(lastOf('boxes/positions.npy', 6)).toEqual([...state.positions!]);
    expect(lastOf('boxes/rotations.npy', 8)).toEqual([...state.rotations!]);
    // The first box of the glTF in the first frame: eight corners around the first centre.
    const {json, bin} = glb(bytes);
    const {max, min} = json['accessors'][json['meshes'][0].primitives[0].attributes.POSITION];
    [0.6, 1.5, 0.05].forEach((far, axis) => expect(max[axis]).toBeCloseTo(far, 5));
    [-0.1, 0.8, -0.05].forEach((far, axis) => expect(min[axis]).toBeCloseTo(far, 5));
    expect(bin.length).toBe(json['buffers'][0].byteLength);
  });

  it('from now on it gathers what the world does, and says what it left out', async () => {
    const {world} = await client.call('world.create', {name: 'live'});
    await client.call('body.add', {world, name: 'sheet', ...cloth(5)});
    const {body: gone} = await client.call('body.add', {world, name: 'gone', ...cloth(3)});
    let begun = () => {};
    const first = new Promise<void>((done) => (begun = done));
    const live = recordLive(client, world, {ticks: 20, every: 2}, make, {...watch(), tell: () => begun()});
    await first;
    await client.call('body.add', {world, name: 'late', ...cloth(3)});
    await client.call('body.remove', {world, body: gone});
    await client.call('world.play', {world, rate: 1});
    const {take, notes} = await live;
    expect(take.count).toBeGreaterThan(1);
    expect(take.scene.bodies.map(({name}) => name)).toEqual(['sheet', 'gone']);
    expect(notes.filter((note) => note.startsWith('Left out'))).toEqual([
      'Left out: gone was removed within the range.',
      'Left out: late was added within the range.',
    ]);
    await client.call('world.delete', {world});
  });

  it('numpy and USD read what is written', {skip: !works(PYTHON, '-c', 'import numpy; from pxr import UsdValidation')}, async () => {
    const world = await played('toy', 6);
    const range = {first: 0, last: 6, every: 2};
    const taken = await recordPast(client, world, range, make, watch());
    writeFileSync(join(folder, 'toy.npz'), await written(taken, 'npz', 'toy', range));
    writeFileSync(join(folder, 'toy.usda'), await written(taken, 'usda', 'toy', range));
    const told = execFileSync(PYTHON, ['-c', READ], {cwd: folder, encoding: 'utf8'});
    const {skin} = await client.call('body.get', {world, body: 'bear'});
    const vertices = (skin?.weights.length ?? 0) / 4;
    expect(JSON.parse(told)).toEqual({shape: [4, vertices, 3], ticks: [0, 2, 4, 6], same: true, up: 'Y', metres: 1, range: [0, 6], errors: []});
  });

  it('what is cancelled stops, and says so', async () => {
    const {world} = await client.call('world.create', {name: 'stopped'});
    await client.call('world.step', {world, ticks: 50});
    const stopper = new AbortController();
    const tell = (share: number) => share > 0.2 && stopper.abort(new Error('enough'));
    await expect(recordPast(client, world, {first: 0, last: 50, every: 1}, make, {tell, signal: stopper.signal})).rejects.toThrow('enough');
  });
});
