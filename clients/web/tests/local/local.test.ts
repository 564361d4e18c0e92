// The server in a page comes to what weftd comes to: the same calls, the same hashes, documents that go from one to the other; and
// what it cannot do it says.
import {readFileSync} from 'node:fs';
import {WebSocket} from 'ws';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {connect, WeftError, type Client, type Frame} from '../../src/lib/index.js';
import {encode} from '../../src/lib/wire.js';
import type {ToPage, ToWorker} from '../../src/local/messages.js';
import {LocalServer} from '../../src/local/server.js';
import {LocalHost, type LocalWorker} from '../../src/local/socket.js';
import {cloth, until, WEFTD, Weftd} from '../lib/weftd.js';

const WASM = process.env['WEFT_WORLD_WASM'] ?? '';

/** As worker.ts, on this thread: what crosses is copied. */
class NearWorker implements LocalWorker {
  onmessage: ((event: {data: ToPage}) => void) | null = null;
  onerror = null;
  server: LocalServer | null = null;
  deaf = false; // nobody looks at what comes

  postMessage(message: ToWorker): void {
    if (this.deaf && !(message instanceof ArrayBuffer) && message.kind === 'taken') {
      this.late += message.count;
      return;
    }
    const data = structuredClone(message);
    setImmediate(() => this.take(data));
  }

  terminate(): void {
    this.server?.close();
    this.server = null;
  }

  private late = 0;

  hears(): void {
    this.deaf = false;
    this.postMessage({kind: 'taken', count: this.late});
    this.late = 0;
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

  it('plays by the clock, and streams what the world holds', async () => {
    const frames: Frame[] = [];
    const stream = await here.subscribe({world: 'same', every: 1, unit: 'tick'}, (frame) => frames.push(frame));
    await here.call('world.play', {world: 'same', rate: 1});
    await until(() => frames.length > 10, 'frames come');
    await here.call('world.pause', {world: 'same'});
    const {tick} = await here.call('world.get', {world: 'same'});
    await until(() => frames.at(-1)!.tick === tick, 'the last one');
    const state = await here.call('body.state', {world: 'same', body: 1, fields: ['positions']});
    expect(Array.from(frames.at(-1)!.bodies[0]!.positions as Float32Array)).toEqual(
      Array.from(state.positions as Float32Array),
    );
    await stream.close();
  });

  it('a page that does not look at its frames is sent no more of them', async () => {
    const {tick} = await here.call('world.get', {world: 'same'});
    let frames = 0;
    let dropped = 0;
    const stream = await here.subscribe(
      {world: 'same', every: 1, unit: 'tick'},
      () => frames++,
      (inAll) => (dropped = inAll),
    );
    worker.deaf = true;
    await here.call('world.step', {world: 'same', ticks: 50});
    worker.hears();
    await until(() => dropped > 0, 'it is told that some were left out');
    expect((await here.call('world.get', {world: 'same'})).tick).toBe(tick + 50);
    expect(frames).toBeLessThan(10);
    await stream.close();
  });

  it('knows its past', async () => {
    const {tick} = await here.call('world.get', {world: 'same'});
    const history = await here.call('world.history', {world: 'same'});
    expect(history.tick).toBe(tick);
    const {view} = await here.call('world.seek', {world: 'same', tick: 20});
    const hash = await here.call('world.hash', {world: view});
    expect(hash.tick).toBe(20);
    const branch = await here.call('world.branch', {world: 'same', tick: 20, name: 'branch'});
    expect((await here.call('world.hash', {world: branch.world})).hash).toBe(hash.hash);
    await here.call('world.leave', {world: view});
    await here.call('world.delete', {world: branch.world});
  });

  it('saves a world that elsewhere a thread of its own does', async () => {
    const {world} = await here.call('world.create', {name: 'large'});
    await here.call('body.add', {world, ...cloth(60)});
    await here.call('world.step', {world, ticks: 2});
    await here.call('world.play', {world, rate: 1});
    const saved = await here.call('world.save', {world});
    const opened = await there.call('world.open', {name: 'large', document: saved.document});
    expect((await there.call('world.hash', {world: opened.world})).hash).toBe(saved.hash);
    await here.call('world.delete', {world});
  });

  it('has no tokens to give, and says so', async () => {
    expect(here.hello!.tokens).toBe(false);
    await expect(here.call('access.invite', {world: 'same', role: 'viewer'})).rejects.toThrow(WeftError);
    await expect(here.call('token.list')).rejects.toThrow(WeftError);
    const info = await here.call('server.info');
    expect(info.storage).toMatchObject({kind: 'memory', lasts: false});
  });

  it('refuses files that are none', async () => {
    const saved = (await here.call('world.save', {world: 'same'})).document as unknown as Record<string, unknown>;
    const [body] = saved['bodies'] as Record<string, unknown>[];
    for (const wrong of [
      {format: 1, bodies: 3},
      {...saved, format: 9},
      {...saved, bodies: [{...body, triangles: new Uint32Array([0, 1, 4_000_000_000])}]},
      {...saved, bodies: [{...body, positions: new Float32Array([NaN, 0, 0])}]},
      {...saved, next_body: 0},
      {...saved, bodies: Array.from({length: 3}, () => body)},
    ]) {
      await expect(here.call('world.open', {name: 'wrong', document: wrong as never})).rejects.toThrow(WeftError);
    }
    expect(broken).toBe('');
  });

  it('bytes that are no messages end the connection, and nothing else', async () => {
    const heard: string[] = [];
    const server = new LocalServer(new WebAssembly.Module(readFileSync(WASM)), {
      message: () => heard.push('message'),
      closed: (code) => heard.push(`closed ${code}`),
      broken: (text) => heard.push(`broken ${text}`),
    });
    let seed = 1;
    const random = (below: number) => (seed = (seed * 48271) % 0x7fffffff) % below;
    for (let round = 0; round < 300; round++) {
      const before = heard.length;
      server.connect();
      const bytes = encode([0, round, 'world.create', [{name: `w${round}`, gravity: [0, -9.81, 0]}]]);
      for (let change = random(4); change >= 0; change--) {
        bytes[random(bytes.length)] = round % 2 > 0 ? 0xc0 + random(32) : random(256);
      }
      server.receive(round % 3 > 0 ? bytes : bytes.subarray(0, random(bytes.length)));
      await until(() => heard.length > before, 'an answer, or an end');
      server.taken(1000);
    }
    expect(heard.filter((one) => one.startsWith('broken'))).toEqual([]);
    expect(heard.filter((one) => one.startsWith('closed')).length).toBeGreaterThan(20);
    expect(heard.filter((one) => one === 'message').length).toBeGreaterThan(100);
    server.close();
  });

  it('memory that runs out is told, and the worlds go on', async () => {
    const {Instance} = WebAssembly;
    let taken: {page_alloc(size: number): number} | undefined;
    WebAssembly.Instance = class extends Instance {
      constructor(...given: ConstructorParameters<typeof Instance>) {
        super(...given);
        taken = this.exports as never;
      }
    };
    const full = new NearWorker();
    let end = '';
    const client = connect({
      url: 'ws://page/',
      WebSocket: new LocalHost(
        async () => new WebAssembly.Module(readFileSync(WASM)),
        () => full,
        (text) => (end = text),
      ).socket(),
    });
    await client.opened();
    WebAssembly.Instance = Instance;
    const {world} = await client.call('world.create', {name: 'full'});
    await client.call('body.add', {world, ...cloth(10)});
    for (let size = 1 << 28; size >= 1 << 19; size >>= 1) {
      while (taken!.page_alloc(size) !== 0);
    }
    const refused = await client.call('body.add', {world, ...cloth(90)}).catch((error: unknown) => error);
    expect(refused).toMatchObject({code: 'MEMORY'});
    await client.call('world.step', {world, ticks: 3});
    expect((await client.call('world.get', {world})).bodies).toBe(1);
    expect(end).toBe('');
    client.close();
    full.terminate();
  });

  it('a module that broke is told, and another takes its place', async () => {
    worker.server!.close();
    worker.onmessage!({data: {kind: 'broken', text: 'tried out'}});
    expect(broken).toBe('tried out');
    await until(() => here.state === 'open', 'there is another');
    expect((await here.call('world.list')).worlds).toEqual([]);
    await here.call('world.create', {name: 'again'});
  });
});
