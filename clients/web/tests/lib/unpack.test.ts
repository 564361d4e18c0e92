// Streams of compressed positions come to what those of floats come to: with frames that are made here, and a real server.
import {readFileSync} from 'node:fs';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, loadCodec, WeftError} from '../../src/lib/index.js';
import type {KnownBody, Client, Codec, Frame, StreamSubscribeParams} from '../../src/lib/index.js';
import {FrameJoiner, partOf, type PackedFrame, type Part} from '../../src/lib/frame.js';
import {Filler} from '../../src/lib/sparse.js';
import {Unpacker} from '../../src/lib/unpack.js';
import {decodeMessage} from '../../src/lib/wire.js';
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

/** Positions as they are, at moment 1. */
function plainChunk(values: Float32Array): Uint8Array {
  const count = values.length / 3;
  const head = [0, (count & 0x7f) | 0x80, count >> 7, 1];
  return new Uint8Array([...head, ...new Uint8Array(values.slice().buffer)]);
}

class Host {
  readonly frames: Frame[] = [];
  readonly asked: ((result: KnownBody | null) => void)[] = [];
  readonly told = new Map<number, KnownBody>();
  failed: WeftError | null = null;
  again = 0;

  known(body: number): KnownBody | null {
    return this.told.get(body) ?? null;
  }

  body(_world: number, _body: number, onResult: (result: KnownBody | null) => void): void {
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

function bodyOf(vector: Vector, elementsHash?: number): KnownBody {
  const kind = {0: 'points', 2: 'rope', 3: 'cloth', 4: 'soft'}[vector['corners'] as 0 | 2 | 3 | 4];
  const elements = vector['elements'];
  return {
    kind,
    particles: vector['count'],
    positions: new Float64Array(3 * vector['count']),
    triangles: kind === 'cloth' ? elements : [],
    tets: kind === 'soft' ? elements : [],
    edges: kind === 'rope' ? elements : [],
    elements_hash: elementsHash,
  } as unknown as KnownBody;
}

/** body.get's, of a body of compressed_frames.json. */
function answerOf(about: Vector): KnownBody {
  const skin = about['skin'];
  return {
    ...bodyOf(about),
    elements_hash: about['elements_hash'],
    ...(skin && {skin: {particles: new Uint32Array(4 * skin.count), triangles: skin.elements}}),
  } as KnownBody;
}

/** body.get's, of the cloths of compressed_frames.json's tiled. */
function clothOf(side: number, elementsHash: number): KnownBody {
  const elements: number[] = [];
  for (let a = 0; a < side * (side - 1); a++) {
    if (a % side < side - 1) {
      elements.push(a, a + 1, a + side, a + 1, a + side + 1, a + side);
    }
  }
  return {...bodyOf({name: '', hex: '', count: side * side, corners: 3, elements}), elements_hash: elementsHash};
}

function partOfBytes(bytes: ArrayBuffer): Part {
  const message = decodeMessage(bytes);
  if (message.kind !== 'notification') {
    throw new Error('no frame');
  }
  return partOf(message.params, 0);
}

describe('sparse frames of floats', () => {
  const chunk = (body: number, first: number, values: number[], field = 'positions') => ({
    body,
    first,
    count: values.length / 3,
    [field]: Float32Array.from(values),
  });
  const come = (filler: Filler, seq: number, bodies: Record<string, unknown>[], leftOut = 0): Frame | null => {
    const {leftOut: told = 0, ...frame} = frameOf(seq, [bodies], {encoding: undefined, left_out: leftOut || undefined});
    expect(told).toBe(leftOut);
    return filler.take(frame, told);
  };
  const shown = (frame: Frame | null) =>
    frame?.bodies.map(({body, first, positions, skin}) => [body, first, Array.from(skin ?? positions!)]);

  it('have what they leave out as it was, chunk by chunk', () => {
    const filler = new Filler();
    const all = [chunk(1, 0, [1, 1, 1]), chunk(1, 1, [2, 2, 2]), chunk(1, 0, [7, 7, 7], 'skin'), chunk(2, 0, [3, 3, 3])];
    expect(come(filler, 0, all)!.bodies.length).toBe(4);
    const frame = come(filler, 1, [chunk(1, 1, [5, 5, 5])], 3);
    const now = [
      [1, 0, [1, 1, 1]],
      [1, 1, [5, 5, 5]],
      [1, 0, [7, 7, 7]],
      [2, 0, [3, 3, 3]],
    ];
    expect(shown(frame)).toEqual(now);
    frame!.bodies.forEach(({positions}) => positions?.fill(0)); // a frame is its reader's
    expect(shown(come(filler, 2, [], 4))).toEqual(now);
    // One is missing, so what builds on it is not shown.
    expect(come(filler, 4, [], 4)).toBe(null);
    expect(come(filler, 5, [chunk(2, 0, [4, 4, 4])], 3)).toBe(null);
    const whole = come(filler, 6, [chunk(2, 0, [8, 8, 8])]);
    expect([shown(whole), whole!.dropped]).toEqual([[[2, 0, [8, 8, 8]]], 2]);
    expect(shown(come(filler, 7, [], 1))).toEqual([[2, 0, [8, 8, 8]]]);
  });

  it('need one that stands alone first', () => {
    expect(come(new Filler(), 3, [], 1)).toBe(null);
  });
});

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

  it('show what a sparse one leaves out as it was', () => {
    const vector = deltas[0]!;
    const {host, unpacker} = setUp();
    host.body = (_world, _body, onResult) => onResult(bodyOf(vector));
    const last = () => host.frames.at(-1)!.bodies.map(({body, positions}) => [body, Array.from(positions!)]);
    unpacker.take(frameOf(1, [[chunkOf(vector, 0, 1), chunkOf(vector, 0, 2)]]));
    unpacker.take(frameOf(2, [[chunkOf(vector, 1, 2)]], {left_out: 1, asleep: [1]}));
    expect(last()).toEqual([
      [1, wanted(vector, 0)],
      [2, wanted(vector, 1)],
    ]);
    expect(host.frames.at(-1)!.asleep).toEqual([1]);
    host.frames.at(-1)!.bodies[0]!.positions!.fill(0); // a frame is its reader's
    unpacker.take(frameOf(3, [[]], {left_out: 2}));
    expect(last()[0]).toEqual([1, wanted(vector, 0)]);
    // It wakes: its chunk builds on the last one that it had.
    unpacker.take(frameOf(4, [[chunkOf(vector, 1, 1)]], {left_out: 1}));
    expect(last()[0]).toEqual([1, wanted(vector, 1)]);
    // A body that is not in a whole frame has been removed.
    unpacker.take(frameOf(5, [[chunkOf(vector, 0, 2)]]));
    expect(last()).toEqual([[2, wanted(vector, 0)]]);
    // A sparse frame behind one that is missing may lack what that had.
    unpacker.take(frameOf(7, [[]], {left_out: 1}));
    unpacker.take(frameOf(8, [[]], {left_out: 1}));
    expect([host.frames.length, host.again]).toEqual([5, 1]);
    unpacker.take(frameOf(9, [[chunkOf(vector, 0, 2)]]));
    expect(host.frames.at(-1)!.dropped).toBe(2);
    unpacker.reset();
  });

  it('of a whole world are read as they are meant, stream by stream', () => {
    const about = new Map(vectors('compressed_frames', 'bodies').map((one) => [one['body'] as number, one]));
    for (const stream of vectors('compressed_frames', 'streams')) {
      const host = new Host();
      host.body = (_world, body, onResult) => onResult(answerOf(about.get(body)!));
      const unpacker = new Unpacker(codec, host);
      const messages: Vector[] = stream['messages'];
      messages.forEach(({hex}) => unpacker.take(partOfBytes(bytesOf(hex)).frame as PackedFrame));
      expect(host.frames.map((frame) => frame.seq), stream.name).toEqual(messages.map((_, at) => at));
      host.frames.forEach(({bodies}, at) => {
        const decoded: Record<string, any>[] = messages[at]!['decoded'];
        expect(bodies.map(({body}) => body)).toEqual(decoded.map((one) => one['body']));
        bodies.forEach((one, i) => {
          const field = 'skin' in decoded[i]! ? 'skin' : 'positions';
          expect(one[field], `${stream.name}, ${at}`).toEqual(Float32Array.from(decoded[i]![field] as number[]));
        });
      });
      unpacker.reset();
    }
  });

  it('of a large cloth have its tiles where they are meant', () => {
    for (const stream of vectors('compressed_frames', 'tiled')) {
      const host = new Host();
      host.body = (_world, _body, onResult) => onResult(clothOf(stream['side'], stream['elements_hash']));
      const unpacker = new Unpacker(codec, host);
      const messages: Vector[] = stream['messages'];
      messages.forEach(({hex}) => unpacker.take(partOfBytes(bytesOf(hex)).frame as PackedFrame));
      expect(host.frames.length, stream.name).toBe(messages.length);
      host.frames.forEach(({bodies}, at) => {
        const {positions, count} = bodies[0]!;
        expect([bodies.length, count]).toEqual([1, stream['side'] ** 2]);
        (messages[at]!['decoded'] as (number[] | null)[]).forEach((row, i) => {
          const from = 3 * i * stream['every'];
          expect(positions!.slice(from, from + 3)).toEqual(Float32Array.from(row ?? [NaN, NaN, NaN]));
        });
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

  it('come in tiles, which are put together; what was not sent is NaN', () => {
    // Points, in tiles as they come: plain chunks of 5000 vertices each.
    const count = 10000;
    const answer = {kind: 'points', particles: count, positions: new Float64Array(3 * count), triangles: [], tets: [], edges: []};
    const values = Float32Array.from({length: 3 * count}, (_, i) => i);
    const tile = (at: number, more: Record<string, unknown> = {}) => ({
      body: 1,
      first: 0,
      count: 5000,
      tile: at,
      tiles: 2,
      positions: plainChunk(values.subarray(15000 * at, 15000 * (at + 1))),
      ...more,
    });
    const {host, unpacker} = setUp();
    unpacker.take(frameOf(1, [[tile(0)], [tile(1)]]));
    unpacker.take(frameOf(2, [[tile(1)]]));
    host.asked.forEach((give) => give(answer as unknown as KnownBody));
    expect(host.frames.map(({bodies}) => bodies.map((one) => [one.body, one.first, one.count]))).toEqual([
      [[1, 0, count]],
      [[1, 0, count]],
    ]);
    expect(host.frames[0]!.bodies[0]!.positions).toEqual(values);
    expect(host.frames[1]!.bodies[0]!.positions).toEqual(values.map((one, i) => (i < 15000 ? NaN : one)));
    expect(() => unpacker.take(frameOf(3, [[tile(1), tile(1)]]))).toThrow(TypeError);
    expect(() => frameOf(3, [[tile(2)]])).toThrow(TypeError);
    const before = host.frames.length;
    for (const wrong of [{tiles: 3}, {count: 4999}, {tiles: 1, tile: 0}, {tiles: 2 ** 40}]) {
      unpacker.take(frameOf(4, [[tile(1, wrong)]]));
    }
    expect(host.frames.length).toBe(before);
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

  it('are read with the elements that they tell of, whatever a body was before', () => {
    const {host, unpacker} = setUp();
    const [one, other] = deltas.filter((vector) => vector['corners'] > 0) as [Vector, Vector];
    const alone = (vector: Vector, hash: number) => ({...chunkOf(vector, 0), elements_hash: hash});
    const seen = () => Array.from(host.frames.at(-1)!.bodies[0]!.positions!);
    unpacker.take(frameOf(1, [[alone(one, 1)]]));
    host.asked[0]!(bodyOf(one, 1));
    unpacker.take(frameOf(2, [[chunkOf(one, 1)]]));
    unpacker.take(frameOf(3, [[alone(one, 1)]]));
    expect([host.asked.length, host.frames.length]).toEqual([1, 3]); // it is known
    unpacker.take(frameOf(4, [[alone(other, 2)]]));
    unpacker.take(frameOf(5, [[chunkOf(other, 1)]]));
    expect([host.asked.length, host.frames.length]).toEqual([2, 3]);
    host.asked[1]!(bodyOf(other, 2));
    expect(host.frames.length).toBe(5);
    expect(seen()).toEqual(wanted(other, 1));

    // It was another one again when the answer came: what waits of that is left out, and what follows is read.
    unpacker.take(frameOf(6, [[alone(one, 1)]]));
    unpacker.take(frameOf(7, [[alone(other, 3)]]));
    host.asked[2]!(bodyOf(other, 3));
    expect(host.asked.length).toBe(3);
    expect(host.frames.at(-1)).toMatchObject({seq: 7, dropped: 1});
    expect(seen()).toEqual(wanted(other, 0));

    // What somebody has of it already need not be asked for.
    host.told.set(1, bodyOf(one, 1));
    unpacker.take(frameOf(8, [[alone(one, 1)]]));
    expect([host.asked.length, host.frames.at(-1)!.seq]).toEqual([3, 8]);
    expect(seen()).toEqual(wanted(one, 0));
    unpacker.take(frameOf(9, [[alone(other, 2)]])); // what is known is old
    host.asked[3]!(null); // gone
    expect(host.frames.at(-1)).toMatchObject({seq: 9, bodies: []});
    unpacker.take(frameOf(10, [[alone(other, 2)]]));
    host.asked[4]!(bodyOf(other, 2));
    expect(seen()).toEqual(wanted(other, 0));
    unpacker.reset();
  });

  it('that are not compressed count those that waited', () => {
    const {host, unpacker} = setUp();
    unpacker.take(frameOf(1, [[chunkOf(deltas[0]!, 0)]]));
    unpacker.take(frameOf(2, [[chunkOf(deltas[0]!, 0)]], {dropped: 2}));
    const floats = {...frameOf(3, [[]]), dropped: 1};
    expect(unpacker.pass(floats)).toMatchObject({seq: 3, dropped: 5});
    expect(unpacker.pass(floats)).toBe(floats);
    host.asked[0]!(bodyOf(deltas[0]!));
    expect(host.frames.length).toBe(0);
    unpacker.reset();
  });

  it('are none where their fields are others', () => {
    const chunk = chunkOf(deltas[0]!, 0);
    for (const wrong of [
      {...chunk, first: 1},
      {...chunk, positions: [1, 2, 3]},
      {...chunk, positions: undefined},
      {...chunk, tile: 1, tiles: 1},
      {...chunk, tile: 0, tiles: 0},
      {...chunk, tile: 0.5, tiles: 1},
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

  it('a body that comes back under its id with other elements is read with those', async () => {
    const client = open(codec);
    const {world} = await client.call('world.create', {});
    const {body} = await client.call('body.add', {world, ...cloth(20), stretch: {compliance: 1e-6}});
    const exact = await collect(client, {world});
    const {frames, stream} = await collect(client, {world, encoding: 'delta', tolerance: 1e-5});
    const isRight = async () => {
      const {tick} = await client.call('world.step', {world, ticks: 2});
      await until(() => frames.has(tick) && exact.frames.has(tick), `tick ${tick}`);
      const [was, is] = [exact, {frames}].map((one) => one.frames.get(tick)!.bodies[0]!.positions!);
      expect(is!.length).toBe(was!.length);
      is!.forEach((x, i) => expect(Math.abs(x - was![i]!)).toBeLessThanOrEqual(1e-5));
    };
    await isRight();
    const {triangles, ...sheet} = cloth(20);
    for (const other of [
      {...sheet, triangles: Array.from(triangles!).reverse()},
      cloth(12),
      {kind: 'points' as const, positions: sheet.positions, masses: 1},
    ]) {
      const back = {bodies: [{body, first_constraint: 1, ...other}]};
      await client.call('edit.batch', {world, edits: [['body.remove', {body}], ['edit.restore', back]]} as never);
      await isRight();
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
