// Recordings of the page against `weft record` of the same ticks, number for number, and against other programs.
//
// WEFTD and WEFT name the programs.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import validator from 'gltf-validator';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, type Client} from '../../src/lib/index.js';
import {Parts, Take, writeTake, type Format, type TakenScene} from '../../src/record/index.js';
import {recordPast, type PastRange, type Taken} from '../../src/studio/ui/record/source.js';
import {Weftd, WEFTD} from '../lib/weftd.js';

const WEFT = process.env['WEFT'] ?? '';
const scenes = fileURLToPath(new URL('../../../scenes', import.meta.url));
const suite = WEFTD === '' || WEFT === '' ? describe.skip : describe;

// Cloth on colliders, soft bodies, ropes and colliders that move, a mesh with a look.
const SCENES: readonly (readonly [scene: string, ticks: number, range: PastRange])[] = [
  ['towel', 8, {first: 0, last: 8, every: 4}],
  ['jelly', 10, {first: 2, last: 10, every: 4}],
  ['crane', 8, {first: 0, last: 8, every: 2}],
  ['shirt', 4, {first: 0, last: 4, every: 2}],
];

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
});
