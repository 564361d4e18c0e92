// How positions are sent to a page, against a real weftd (WEFTD) with the module that reads them (WEFT_WASM_CODEC).
import {readFileSync} from 'node:fs';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, loadCodec, LIMITS, WeftError, type Client, type Codec, type Frame} from '../../src/lib/index.js';
import {App} from '../../src/studio/model/index.js';
import {cloth, until, Weftd, WEFTD} from '../lib/weftd.js';

const WASM = process.env['WEFT_WASM_CODEC'] ?? '';

describe.skipIf(WEFTD === '' || WASM === '')('positions', () => {
  const apps: App[] = [];
  const clients: Client[] = [];
  let server: Weftd;
  let codec: Codec;
  let worlds = 0;

  beforeAll(async () => {
    server = await Weftd.start();
    codec = await loadCodec(readFileSync(WASM));
  });
  afterEach(() => {
    apps.splice(0).forEach((app) => app.close());
    clients.splice(0).forEach((client) => client.close());
  });
  afterAll(() => server?.stop());

  // In a new world with a cloth whose edges are 0.2 m long.
  async function person(given: Promise<Codec> | null): Promise<{app: App; frames: Frame[]; body: number}> {
    const app = new App({url: server.url, client: 'test', user: 'ann', WebSocket}, {codec: given});
    apps.push(app);
    const name = `sent ${++worlds}`;
    await app.worlds.create({name});
    await app.open(name);
    const added = await app.commands.addBody(cloth(6));
    expect(added.ok).toBe(true);
    const frames: Frame[] = [];
    app.frames.onFrame((frame) => frames.push(frame));
    return {app, frames, body: added.ok ? added.result.body : 0};
  }

  const play = (app: App) => app.client.call('world.play', {world: app.document.world.value});
  const pause = (app: App) => app.client.call('world.pause', {world: app.document.world.value});
  const comes = async (frames: Frame[], encoding: 'delta' | undefined) => {
    const from = frames.length;
    await until(() => frames.slice(from).some((frame) => frame.encoding === encoding), `${encoding ?? 'floats'}`);
    return frames.at(-1)!;
  };

  it('are compressed while a world plays, and exact where it rests or somebody asks', async () => {
    const {app, frames, body} = await person(Promise.resolve(codec));
    await until(() => app.document.bodies.value.get(body)?.topology != null, 'the topology');
    const calls: string[] = [];
    const {request} = app.client as unknown as {request: (method: string, ...rest: unknown[]) => void};
    Object.assign(app.client, {
      request(this: unknown, method: string, ...rest: unknown[]) {
        calls.push(method);
        request.call(this, method, ...rest);
      },
    });
    await play(app);
    expect((await comes(frames, 'delta')).tolerance).toBeCloseTo(1e-4, 9);
    expect(app.frames.sent.value).toEqual({encoding: 'delta', tolerance: 1e-4, why: ''});
    expect(calls).not.toContain('body.get'); // the page has what it takes
    for (const field of ['exact', 'velocities'] as const) {
      const release = app.frames.want(field);
      expect(app.frames.sent.value).toEqual({encoding: 'f32', why: ''});
      expect((await comes(frames, undefined)).bodies[0]!.velocities !== undefined).toBe(field === 'velocities');
      release();
      await comes(frames, 'delta');
    }
    const {tick} = await pause(app);
    await until(() => frames.at(-1)!.encoding === undefined && frames.at(-1)!.tick === tick, 'where it rests');
    const {positions} = await app.client.call('body.state', {world: app.document.world.value, body});
    expect(Array.from(frames.at(-1)!.bodies[0]!.positions!)).toEqual(Array.from(positions!));
    expect(app.frames.counts.dropped).toBe(0);
  });

  it('come as floats where the module cannot be had, and why is said', async () => {
    const {app, frames} = await person(Promise.reject(new Error('weft-codec.wasm: 404')));
    await play(app);
    await comes(frames, undefined);
    expect(app.frames.sent.value).toEqual({encoding: 'f32', why: 'weft-codec.wasm: 404'});
    await pause(app);
    await until(() => app.frames.sent.value.why === '', 'nobody wants them compressed');
  });

  it('come as floats where a world encodes as many wishes as it can', async () => {
    const {app, frames} = await person(Promise.resolve(codec));
    for (let left = LIMITS.stream_tiers.value, i = 1; left > 0; left -= Math.ceil(left / 2)) {
      const client = connect({url: server.url, WebSocket, codec});
      clients.push(client);
      const wish = {world: app.document.world.value, encoding: 'delta'} as const;
      for (let own = 0; own < Math.ceil(left / 2); own++) {
        await client.subscribe({...wish, nth: ++i}, () => {});
      }
    }
    await play(app);
    await until(() => app.frames.sent.value.why !== '', 'it is refused');
    expect(app.frames.sent.value.why).toContain('stream_tiers');
    await comes(frames, undefined);
    expect(app.frames.error.value).toBe(null);
  });

  it('come as floats where the module broke', async () => {
    const text = 'weft-codec.wasm broke: unreachable';
    const decoder = {tiles: 1, vertices: () => new Uint32Array(36), close: () => {}, delta: () => fail(text)};
    const broken = {...codec, decoder: () => decoder};
    const {app, frames} = await person(Promise.resolve(broken as unknown as Codec));
    await play(app);
    await until(() => app.frames.sent.value.why !== '', 'it broke');
    expect(app.frames.sent.value).toEqual({encoding: 'f32', why: text});
    await comes(frames, undefined);
  });

  function fail(text: string): never {
    throw new WeftError({kind: 0, code: 'INTERNAL', text});
  }
});
