// The server in a page comes to what weftd comes to: the same calls, the same hashes, documents that go from one to the other; and
// what it cannot do it says.
import {readFileSync} from 'node:fs';
import {WebSocket} from 'ws';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {connect, type Client, type Frame} from '../../src/lib/index.js';
import type {ToPage, ToWorker} from '../../src/local/messages.js';
import {LocalServer} from '../../src/local/server.js';
import {LocalHost, type LocalWorker} from '../../src/local/socket.js';
import {WEFTD, Weftd} from '../lib/weftd.js';

const WASM = process.env['WEFT_WORLD_WASM'] ?? '';

/** As worker.ts, on this thread: what crosses is copied. */
class NearWorker implements LocalWorker {
  onmessage: ((event: {data: ToPage}) => void) | null = null;
  onerror = null;
  server: LocalServer | null = null;

  postMessage(message: ToWorker): void {
    const data = structuredClone(message);
    setImmediate(() => this.take(data));
  }

  terminate(): void {
    this.server?.close();
    this.server = null;
  }

  private tell(message: ToPage): void {
    setImmediate(() => this.onmessage?.({data: message}));
  }

  private take(data: ToWorker): void {
    if (data instanceof ArrayBuffer) {
      this.server?.receive(new Uint8Array(data));
    } else if (data.kind === 'start') {
      this.server = new LocalServer(data.module, {
        message: (bytes) => this.tell(bytes),
        closed: (code, reason) => this.tell({kind: 'closed', code, reason}),
        broken: (text) => this.tell({kind: 'broken', text}),
      });
    } else if (data.kind === 'connect') {
      this.server?.connect();
      this.tell({kind: 'connected'});
    } else if (data.kind === 'taken') {
      this.server?.taken(data.count);
    } else {
      this.server?.disconnect();
    }
  }
}

function grid(n: number): {positions: Float32Array; triangles: Uint32Array} {
  const positions = new Float32Array(3 * n * n);
  const triangles: number[] = [];
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      positions.set([column / n, 1.2, row / n], 3 * (row * n + column));
      if (row > 0 && column > 0) {
        const d = row * n + column;
        triangles.push(d - n - 1, d - n, d, d - n - 1, d, d - 1);
      }
    }
  }
  return {positions, triangles: new Uint32Array(triangles)};
}

async function work(client: Client, name: string): Promise<string[]> {
  const hashes: string[] = [];
  const {world} = await client.call('world.create', {name, wind: {velocity: [0, 0, 2], drag: 1, lift: 1, density: 1.2}});
  const hash = async () => hashes.push((await client.call('world.hash', {world})).hash);
  await client.call('collider.add', {world, kind: 'plane', name: 'ground', friction: 0.5});
  await client.call('collider.add', {world, kind: 'sphere', name: 'ball', position: [0.5, 0.6, 0.5], radius: 0.3});
  const {body} = await client.call('body.add', {
    world,
    name: 'cloth',
    kind: 'cloth',
    thickness: 0.01,
    self_contact: true,
    bend: {model: 'dihedral', compliance: 1e-4},
    ...grid(16),
  });
  await hash();
  await client.call('world.step', {world, ticks: 40});
  await hash();
  const {grab} = await client.call('grab.begin', {world, body, particle: 0, target: [0, 1.5, 0]});
  await client.call('world.step', {world, ticks: 10});
  await client.call('grab.end', {world, grab});
  await client.call('body.set', {world, body, friction: 0.9});
  await client.call('edit.undo', {world});
  await client.call('world.step', {world, ticks: 5});
  await hash();
  const log = await client.call('edit.log', {world});
  expect(log.edits.map((edit) => edit.method)).toContain('body.add');
  return hashes;
}

describe.skipIf(WASM === '' || WEFTD === '')('the server in a page', () => {
  const worker = new NearWorker();
  let broken = '';
  const host = new LocalHost(
    async () => new WebAssembly.Module(readFileSync(WASM)),
    () => worker,
    (text) => (broken = text),
  );
  let here: Client;
  let there: Client;
  let weftd: Weftd;

  beforeAll(async () => {
    weftd = await Weftd.start();
    here = connect({url: 'ws://page/', WebSocket: host.socket(), user: 'me'});
    there = connect({url: weftd.url, WebSocket: WebSocket as never, user: 'me'});
    await Promise.all([here.opened(), there.opened()]);
  });
  afterAll(async () => {
    here.close();
    there.close();
    worker.terminate();
    await weftd.stop();
  });

  it('comes to the hashes of weftd', async () => {
    const hashes = await work(here, 'same');
    expect(hashes).toEqual(await work(there, 'same'));
    expect(new Set(hashes).size).toBe(3);
    expect(broken).toBe('');
  });

  it('opens what weftd saved, and the other way round', async () => {
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      const saved = await from.call('world.save', {world: 'same'});
      const opened = await to.call('world.open', {name: 'brought', document: saved.document});
      const before = await from.call('world.hash', {world: 'same'});
      const after = await to.call('world.hash', {world: opened.world});
      expect(after.hash).toBe(before.hash);
      await from.call('world.step', {world: 'same', ticks: 10});
      await to.call('world.step', {world: opened.world, ticks: 10});
      expect((await to.call('world.hash', {world: opened.world})).hash).toBe(
        (await from.call('world.hash', {world: 'same'})).hash,
      );
      await to.call('world.delete', {world: opened.world});
    }
  });

  it('plays by the clock, and streams', async () => {
    const frames: Frame[] = [];
    const stream = await here.subscribe({world: 'same', every: 1, unit: 'tick'}, (frame) => frames.push(frame));
    await here.call('world.play', {world: 'same', rate: 1});
    await new Promise((resolve) => setTimeout(resolve, 600));
    await here.call('world.pause', {world: 'same'});
    await stream.close();
    expect(frames.length).toBeGreaterThan(10);
  });
});
