// Streams of compressed positions come to what those of floats come to: with frames that are made here, and a real server.
import {readFileSync} from 'node:fs';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, loadCodec, WeftError} from '../../src/lib/index.js';
import type {BodyGetResult, Client, Codec, Frame, StreamSubscribeParams} from '../../src/lib/index.js';
import {FrameJoiner, partOf, type PackedFrame} from '../../src/lib/frame.js';
import {Unpacker} from '../../src/lib/unpack.js';
import {bytesOf, numbersOf, vectors, type Vector} from './vectors.js';
import {cloth, until, WEFTD, Weftd} from './weftd.js';

const WASM = process.env['WEFT_WASM_CODEC'] ?? '';

/** One frame of a message or several, as the server lays them out. */
function frameOf(seq: number, parts: Record<string, unknown>[][], more: Record<string, unknown> = {}): PackedFrame {
  const joiner = new FrameJoiner();
  let whole: Frame | null = null;
  parts.forEach((bodies, part) => {
    const fields = {world: 1, tick: seq, substep: 0, time: 0, revision: 0, encoding: 'delta', tolerance: 1e-4};
    const head = {stream: 1, seq, dropped: 0, part, parts: parts.length};
    whole = joiner.add(partOf({...fields, ...head, ...more, bodies}, 0));
  });
  return whole! as PackedFrame;
}

const plain = (bytes: Uint8Array) => ({positions: bytes});

class Host {
  readonly frames: Frame[] = [];
  readonly asked: ((result: BodyGetResult | null) => void)[] = [];
  failed: WeftError | null = null;
  again = 0;

  body(_world: number, _body: number, onResult: (result: BodyGetResult | null) => void): void {
    this.asked.push(onResult);
  }
  askAnew(): void {
    this.again += 1;
  }
  deliver(frame: Frame): void {
    this.frames.push(frame);
  }
  fail(error: WeftError): void {
    this.failed = error;
  }
}

function bodyOf(vector: Vector): BodyGetResult {
  const kind = {0: 'points', 2: 'rope', 3: 'cloth', 4: 'soft'}[vector['corners'] as 0 | 2 | 3 | 4];
  const elements = vector['elements'];
  return {
    kind,
    particles: vector['count'],
    positions: new Float64Array(3 * vector['count']),
    triangles: kind === 'cloth' ? elements : [],
    tets: kind === 'soft' ? elements : [],
    edges: kind === 'rope' ? elements : [],
  } as unknown as BodyGetResult;
}

describe.skipIf(WASM === '')('frames', () => {
  const deltas = vectors('compressed', 'deltas');
  let codec: Codec;
  beforeAll(async () => {
    codec = await loadCodec(readFileSync(WASM));
  });

  function setUp(): {host: Host; unpacker: Unpacker} {
    const host = new Host();
    return {host, unpacker: new Unpacker(codec, host)};
  }

  const chunkOf = (vector: Vector, at: number, body = 1) => ({
    body,
    first: 0,
    count: vector['count'],
    ...plain(new Uint8Array(bytesOf(vector['chunks'][at].hex))),
  });
  const wanted = (vector: Vector, at: number) => Array.from(Float32Array.from(numbersOf(vector['chunks'][at].decoded)));

  it('wait for their bodies, and come in their order', () => {
    for (const vector of deltas) {
      const {host, unpacker} = setUp();
      const chunks: unknown[] = vector['chunks'];
      chunks.forEach((_, at) => unpacker.take(frameOf(at + 1, [[chunkOf(vector, at)]])));
      expect(host.frames.length).toBe(0);
      expect(host.asked.length).toBe(1);
      host.asked[0]!(bodyOf(vector));
      expect(host.frames.map((frame) => frame.seq)).toEqual(chunks.map((_, at) => at + 1));
      host.frames.forEach((frame, at) => {
        expect(Array.from(frame.bodies[0]!.positions!)).toEqual(wanted(vector, at));
        expect(frame).toMatchObject({encoding: 'delta', tolerance: 1e-4, dropped: 0});
        expect('packed' in frame).toBe(false);
      });
      unpacker.reset();
    }
  });

  it('are left out where they build on what never came, and counted in the next', () => {
    const {host, unpacker} = setUp();
    const vector = deltas[0]!;
    unpacker.take(frameOf(1, [[chunkOf(vector, 0)]]));
    host.asked[0]!(bodyOf(vector));
    unpacker.take(frameOf(3, [[chunkOf(vector, 2)]], {dropped: 1})); // builds on 2
    unpacker.take(frameOf(4, [[chunkOf(vector, 3)]]));
    expect(host.frames.length).toBe(1);
    expect(host.again).toBe(1); // not at once again
    unpacker.take(frameOf(5, [[chunkOf(vector, 0)]]));
    expect(host.frames[1]).toMatchObject({seq: 5, dropped: 3});
    unpacker.reset();
  });

  it('come in pieces, which may lie in several messages', () => {
    const {host, unpacker} = setUp();
    const vector = deltas[0]!;
    const whole = chunkOf(vector, 0);
    const piece = (at: number, from: number, to?: number) => ({
      ...whole,
      piece: at,
      pieces: 3,
      positions: whole.positions.subarray(from, to),
    });
    const pieces = [piece(0, 0, 5), piece(1, 5, 90), piece(2, 90)];
    unpacker.take(frameOf(1, [[pieces[0]!], [pieces[1]!, pieces[2]!, {...whole, body: 2}]]));
    host.asked.forEach((answer) => answer(bodyOf(vector)));
    expect(host.frames[0]!.bodies.map((one) => one.body)).toEqual([1, 2]);
    host.frames[0]!.bodies.forEach((one) => expect(Array.from(one.positions!)).toEqual(wanted(vector, 0)));
    for (const wrong of [
      [pieces[0]!, pieces[1]!],
      [pieces[1]!, pieces[0]!, pieces[2]!],
      [pieces[0]!, {...pieces[1]!, body: 2}, pieces[2]!],
      [pieces[0]!, pieces[1]!, {...pieces[2]!, pieces: 2 ** 31}],
    ]) {
      expect(() => unpacker.take(frameOf(2, [wrong]))).toThrow(TypeError);
    }
    unpacker.reset();
  });

  it('do not pile up without end', () => {
    const {host, unpacker} = setUp();
    const vector = deltas[0]!;
    for (let seq = 1; seq <= 500; seq++) {
      unpacker.take(frameOf(seq, [[chunkOf(vector, 0)]]));
    }
    host.asked[0]!(bodyOf(vector));
    expect(host.frames.length).toBe(64);
    unpacker.take(frameOf(501, [[chunkOf(vector, 0)]]));
    expect(host.frames.at(-1)).toMatchObject({seq: 501, dropped: 436});
    unpacker.reset();
  });

  it('leave out bodies that are gone, and refuse those with another count', () => {
    const {host, unpacker} = setUp();
    const vector = deltas[0]!;
    unpacker.take(frameOf(1, [[chunkOf(vector, 0, 1), chunkOf(vector, 0, 2)]]));
    host.asked[0]!(null);
    host.asked[1]!(bodyOf(vector));
    expect(host.frames[0]!.bodies.map((one) => one.body)).toEqual([2]);
    unpacker.take(frameOf(2, [[{...chunkOf(vector, 0, 2), count: vector['count'] + 1}]]));
    unpacker.take(frameOf(3, [[chunkOf(vector, 0, 2)]], {nth: 2}));
    expect(host.frames.length).toBe(1);
    expect(host.failed).toBe(null);
    unpacker.reset();
  });

  it('hear no answer of a life before', () => {
    const {host, unpacker} = setUp();
    const vector = deltas[0]!;
    unpacker.take(frameOf(1, [[chunkOf(vector, 0)]]));
    unpacker.reset();
    unpacker.take(frameOf(1, [[chunkOf(vector, 0)]]));
    host.asked[0]!(null);
    expect(host.frames.length).toBe(0);
    host.asked[1]!(bodyOf(vector));
    expect(host.frames[0]!.bodies.length).toBe(1);
    unpacker.reset();
  });

  it('are none where their fields are others', () => {
    const chunk = chunkOf(deltas[0]!, 0);
    for (const wrong of [
      {...chunk, first: 1},
      {...chunk, positions: [1, 2, 3]},
      {...chunk, positions: undefined},
      {...chunk, piece: 1, pieces: 1},
      {...chunk, piece: 0, pieces: 0},
      {...chunk, piece: 0.5, pieces: 1},
    ]) {
      expect(() => frameOf(1, [[wrong]])).toThrow(TypeError);
    }
    expect(() => frameOf(1, [[chunk]], {encoding: 'zip'})).toThrow(TypeError);
    expect(() => frameOf(1, [[chunk]], {nth: 0})).toThrow(TypeError);
  });
});

describe.skipIf(WEFTD === '' || WASM === '')('with a server', () => {
  const clients: Client[] = [];
  let server: Weftd;
  let codec: Codec;

  beforeAll(async () => {
    codec = await loadCodec(readFileSync(WASM));
    server = await Weftd.start();
  });
  afterAll(async () => server?.stop());
  afterEach(() => clients.splice(0).forEach((client) => client.close()));

  function open(given?: Codec): Client {
    const client = connect({url: server.url, WebSocket, ...(given && {codec: given})});
    clients.push(client);
    return client;
  }

  async function worldOf(client: Client): Promise<number> {
    const {world} = await client.call('world.create', {});
    const ground = {world, kind: 'plane', friction: 0.5} as const;
    await client.call('collider.add', ground);
    await client.call('body.add', {world, ...cloth(20), stretch: {compliance: 1e-6}});
    await client.call('body.add', {world, kind: 'rope', positions: [0, 3, 0, 1, 3, 0, 2, 3, 0], pins: [0]});
    const corners = [0, 2, 0, 1, 2, 0, 0, 2, 1, 0, 3, 0];
    const skin = {
      particles: [0, 1, 2, 3, 1, 0, 2, 3, 2, 0, 1, 3],
      weights: [1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.25, 0.25, 0.25],
      triangles: [0, 1, 2],
    };
    await client.call('body.add', {world, kind: 'soft', positions: corners, tets: [0, 1, 2, 3], masses: 1, skin});
    return world;
  }

  const collect = async (client: Client, params: StreamSubscribeParams) => {
    const frames = new Map<number, Frame>();
    const stream = await client.subscribe(params, (frame) => frames.set(frame.tick, frame));
    return {frames, stream};
  };

  it('q16 and delta are what floats are, within what they promise', async () => {
    const client = open(codec);
    const world = await worldOf(client);
    const fields = ['positions', 'skin'] as const;
    const exact = await collect(client, {world, fields: [...fields]});
    const of = new Map<string, {frames: Map<number, Frame>; bound: number; nth: number}>();
    for (const [encoding, tolerance, nth] of [
      ['delta', 1e-3, 1],
      ['delta', 1e-5, 1],
      ['delta', 1e-4, 3],
      ['q16', undefined, 1],
    ] as const) {
      const params = {world, fields: [...fields], encoding, nth, ...(tolerance && {tolerance})};
      const {frames} = await collect(client, params);
      of.set(`${encoding} ${tolerance} ${nth}`, {frames, bound: tolerance ?? 5e-4, nth});
    }
    for (let tick = 1; tick <= 40; tick++) {
      await client.call('world.step', {world, ticks: 1});
      await until(
        () => exact.frames.has(tick) && [...of.values()].every(({frames}) => frames.has(tick)),
        `frames of tick ${tick}`,
      );
    }
    for (const [name, {frames, bound, nth}] of of) {
      for (const [tick, frame] of frames) {
        const truth = exact.frames.get(tick)!;
        expect(frame.bodies.length, name).toBe(truth.bodies.length);
        expect(frame.dropped).toBe(0);
        frame.bodies.forEach((chunk, i) => {
          const is = (chunk.positions ?? chunk.skin)!;
          const was = (truth.bodies[i]!.positions ?? truth.bodies[i]!.skin)!;
          expect([chunk.body, chunk.count]).toEqual([truth.bodies[i]!.body, Math.ceil(was.length / 3 / nth)]);
          let worst = 0;
          for (let k = 0; k < is.length; k++) {
            worst = Math.max(worst, Math.abs(is[k]! - was[3 * nth * Math.floor(k / 3) + (k % 3)]!));
          }
          expect(worst, `${name}, tick ${tick}`).toBeLessThanOrEqual(bound);
        });
      }
    }
  });

  it('an encoding may change, bodies come and go', async () => {
    const client = open(codec);
    const world = await worldOf(client);
    const {frames, stream} = await collect(client, {world, encoding: 'delta'});
    const stepped = async () => {
      const {tick} = await client.call('world.step', {world, ticks: 1});
      await until(() => frames.has(tick), `tick ${tick}`);
      return frames.get(tick)!;
    };
    expect((await stepped()).bodies.map(({body}) => body)).toEqual([1, 2, 3]);
    const {body} = await client.call('body.add', {world, ...cloth(30)});
    expect((await stepped()).bodies.at(-1)).toMatchObject({body, count: 900});
    await client.call('body.remove', {world, body: 1});
    expect((await stepped()).bodies.map((one) => one.body)).toEqual([2, 3, body]);
    for (const encoding of ['f32', 'q16', 'delta'] as const) {
      await stream.set({encoding});
      const frame = await stepped();
      expect(frame.encoding).toBe(encoding === 'f32' ? undefined : encoding);
      expect(frame.bodies.at(-1)!.positions!.length).toBe(2700);
    }
    expect(stream.dropped).toBe(0);
    await stream.close();
  });

  it('is refused clearly where there is no module', async () => {
    const client = open();
    const world = await worldOf(client);
    for (const encoding of ['delta', 'q16'] as const) {
      const refused = await client.subscribe({world, encoding}, () => {}).catch((error: unknown) => error);
      expect(refused).toMatchObject({kind: 1, code: 'INVALID', field: 'encoding', value: encoding});
      expect((refused as WeftError).text).toContain('loadCodec');
    }
    const stream = await client.subscribe({world}, () => {});
    await expect(stream.set({encoding: 'delta'})).rejects.toMatchObject({code: 'INVALID', field: 'encoding'});
    await stream.close();
  });
});
