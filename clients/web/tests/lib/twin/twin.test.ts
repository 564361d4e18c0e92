// Twins in Node: against a real server, and against one that lies.
import {readFileSync} from 'node:fs';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, openTwin} from '../../../src/lib/index.js';
import type {Client, Frame, StreamRecordsNotice, Twin, TwinOptions} from '../../../src/lib/index.js';
import {TwinClock} from '../../../src/lib/twin/clock.js';
import {TwinCore} from '../../../src/lib/twin/core.js';
import {patched} from '../../../src/lib/twin/patch.js';
import {cloth, until, WEFTD, Weftd} from '../weftd.js';

const WASM = process.env['WEFT_WASM'] ?? '';

describe('differences of records', () => {
  const bytes = (text: string) => Uint8Array.from(text.split(' ').map((one) => parseInt(one, 16)));
  const before = bytes('01 02 03 04 05 06 07 08 09');

  it('are applied', () => {
    expect(patched(bytes('c1 02 03 21 04 37 04 00'), before)).toEqual(bytes('01 02 21 04 37 06 07 08 09'));
    expect(patched(bytes('c1 09 00'), before)).toEqual(before);
    const long = new Uint8Array(300).fill(7);
    const other = long.slice();
    other[299] = 8;
    expect(patched(bytes('c1 ab 02 01 08'), long)).toEqual(other);
  });

  it('that fit nothing are refused, and nothing is read past their end', () => {
    const refused = ['', 'c0 09 00', 'c1', 'c1 09', 'c1 0a 00', 'c1 02 08 01', 'c1 00 00', 'c1 02 03 21 04 37 04 00 00'];
    const longs = ['c1 02 03 21', 'c1 ff ff ff ff ff ff ff ff ff 01 00', 'c1 80 80 80 80 80 80 80 80 80 80'];
    for (const text of [...refused, ...longs]) {
      expect(patched(text === '' ? new Uint8Array() : bytes(text), before), text).toBe(null);
    }
    let seed = 1;
    for (let round = 0; round < 3000; round++) {
      const patch = Uint8Array.from({length: 1 + (round % 12)}, () => (seed = (seed * 48271) % 2147483647) & 0xff);
      patch[0] = 0xc1;
      const after = patched(patch, before);
      expect(after === null || after.length === before.length).toBe(true);
    }
  });
});

describe('the clock', () => {
  // Messages each 50 ms, 60 ticks a second, the clocks an hour apart.
  const HOUR = 3600e6;
  function follow(late: (message: number) => number, seconds: number) {
    const clock = new TwinClock();
    const steps: number[] = [];
    let shown = 0;
    for (let message = 0; message < seconds * 20; message++) {
      const at = HOUR + message * 50e3;
      const now = message * 50e3 + late(message);
      clock.take(at, Math.floor(message * 3), 60e-6, now);
      for (let ms = 0; ms < 50; ms += 10) {
        const tick = clock.tick(now + 1000 * ms);
        steps.push(tick - shown);
        shown = Math.max(shown, tick);
      }
    }
    return {clock, steps};
  }

  it('follows by the period of messages where the way is even, and goes on evenly', () => {
    const {clock, steps} = follow(() => 20e3, 20);
    expect(clock.delayUs).toBeCloseTo(50e3, -1);
    expect(Math.max(...steps.slice(20))).toBeLessThanOrEqual(1);
    expect(Math.min(...steps.slice(20))).toBeGreaterThanOrEqual(0);
  });

  it('follows later where messages are late, and comes nearer again', () => {
    const shaky = follow((message) => 20e3 + (message % 7 === 0 ? 60e3 : 0), 10);
    expect(shaky.clock.delayUs).toBeGreaterThan(100e3);
    const calm = follow((message) => 20e3 + (message === 30 ? 300e3 : 0), 60);
    expect(calm.clock.delayUs).toBeLessThan(60e3);
  });

  it('never shows more than was told', () => {
    const clock = new TwinClock();
    clock.take(0, 100, 60e-6, 0);
    expect(clock.tick(1e9)).toBe(100);
    clock.take(50e3, 100, 0, 50e3);
    expect(clock.tick(1e9)).toBe(100);
  });
});

const clients: Client[] = [];
const twins: Twin[] = [];
let server: Weftd;
let module: WebAssembly.Module;
let worlds = 0;

function open(): Client {
  const client = connect({url: server.url, WebSocket, client: 'twin test', reconnect: {firstDelayMs: 20}});
  clients.push(client);
  return client;
}

function begin(client: Client, world: number | string, options: Partial<TwinOptions> = {}): Twin {
  const twin = openTwin(client, {world, machine: module, ...options});
  twins.push(twin);
  return twin;
}

afterEach(() => {
  twins.splice(0).forEach((twin) => twin.close());
  clients.splice(0).forEach((client) => client.close());
});

async function world(client: Client, n = 8): Promise<{id: number; body: number}> {
  const {world: id} = await client.call('world.create', {name: `twin-${++worlds}`, substeps: 8});
  await client.call('collider.add', {world: id, kind: 'sphere', position: [0.5, 0.6, 0.5], radius: 0.2});
  const {body} = await client.call('body.add', {world: id, ...cloth(n)});
  return {id, body};
}

describe.skipIf(WEFTD === '' || WASM === '')('with a server', () => {
  beforeAll(async () => {
    module = await WebAssembly.compile(readFileSync(WASM));
    server = await Weftd.start();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('comes to the state of a world that plays while somebody edits it and drags', async () => {
    const client = open();
    const other = open();
    const {id, body} = await world(client);
    const twin = begin(client, id, {fields: ['positions', 'grabs', 'measures', 'velocities', 'contact']});
    const frames: Frame[] = [];
    twin.onFrame((frame) => frames.push(frame));
    await until(() => twin.status.sameTick === 0 && twin.status.hashes === 1 && frames.length > 0, 'the image is equal');
    await other.call('world.play', {world: id});
    const {grab} = await other.call('grab.begin', {world: id, body, particle: 63});
    // One's own is shown ahead, beside what is certain.
    const hand = twin.hold({body, particle: 56, compliance: 1e-3}, [0, 1, 1]);
    const own = await client.call('grab.begin', {world: id, body, particle: 56});
    hand.begun(own.grab);
    for (let step = 0; step < 40; step++) {
      other.notify('grab.move', {world: id, grab, target: [1, 1 + step / 40, 1]});
      hand.move([0, 1, 1 + step / 40]);
      client.notify('grab.move', {world: id, grab: own.grab, target: [0, 1, 1 + step / 40]});
      if (step % 10 === 0) {
        await other.call('body.set', {world: id, body, stretch: {compliance: 1e-6 * (1 + step)}});
        await other.call('collider.add', {world: id, kind: 'sphere', position: [step, -3, 0], radius: 0.1});
      }
      const shown = frames.length;
      await until(() => frames.length > shown, 'time goes on');
    }
    const held = frames.at(-1)!;
    const holders = [
      {grab, body, particle: 63, session: other.hello!.session},
      {grab: own.grab, body, particle: 56, session: client.hello!.session},
    ];
    expect(held.grabs).toMatchObject(holders);
    const guesses = frames.filter(({ahead}) => ahead !== undefined);
    expect(guesses.length).toBeGreaterThan(10);
    for (const {ahead, bodies} of guesses) {
      expect(ahead!.ticks).toBeGreaterThan(0);
      expect(ahead!.bodies[0]!.positions).not.toEqual(bodies[0]!.positions);
    }
    hand.end();
    await client.call('grab.end', {world: id, grab: own.grab});
    await other.call('grab.end', {world: id, grab});
    const {tick} = await other.call('world.pause', {world: id});
    await until(() => twin.status.tick >= tick && twin.status.sameTick >= tick, 'it comes to rest where the world does');
    expect(twin.status).toMatchObject({differences: 0, losses: 0, images: 1, playing: false});
    expect(twin.status.hashes).toBeGreaterThan(2);
    const state = await client.call('body.state', {world: id, body, fields: ['positions', 'velocities']});
    await until(() => frames.at(-1)!.tick === tick && frames.at(-1)!.ahead === undefined, 'the last frame is of there');
    expect(twin.status.ahead).toBe(0);
    const [chunk] = frames.at(-1)!.bodies;
    expect(chunk!.positions).toEqual(state.positions);
    expect(chunk!.velocities).toEqual(state.velocities);
    const told = await client.call('world.measure', {world: id});
    const last = frames.at(-1)!;
    expect({...last.measures, tick_us: 0, phases: 0}).toEqual({...told.measures, tick_us: 0, phases: 0});
    expect(last.contact).toEqual(told.contact);
    expect(last.grabs).toEqual([]);
    // Each tick was shown once.
    expect(frames.every((frame, i) => i === 0 || frame.tick >= frames[i - 1]!.tick)).toBe(true);
  });

  it('says where it differs, the server counts it, and it begins again', async () => {
    const client = open();
    const {id} = await world(client);
    let lies = 1;
    const forged = new Proxy(client, {
      get(target, name) {
        if (name !== 'subscribeRecords') {
          const value = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        }
        return (asked: number, onRecords: (notice: StreamRecordsNotice, at: number, bytes: number) => void) =>
          target.subscribeRecords(asked, (notice, at, bytes) => {
            const lie = notice.hash !== undefined && notice.part === undefined && lies-- > 0;
            onRecords(lie ? {...notice, hash: '0123456789abcdef'} : notice, at, bytes);
          });
      },
    });
    const twin = begin(forged, id);
    await client.call('world.play', {world: id});
    await until(() => twin.status.differences === 1, 'it differs');
    expect(twin.status.text).toContain('0123456789abcdef there');
    await until(() => twin.status.images === 2 && twin.status.state === 'following', 'it starts again');
    const before = twin.status.sameTick;
    await until(() => twin.status.sameTick > before, 'and is equal again');
    const metrics = await (await fetch(`http://${server.http}/metrics`)).text();
    expect(/^weft_twin_differences_total (.*)$/m.exec(metrics)?.[1]).toBe('1');
  });

  it('begins again after a lost connection, and ends with its world', async () => {
    const client = open();
    const {id} = await world(client);
    const twin = begin(client, id);
    await client.call('world.play', {world: id});
    await until(() => twin.status.hashes > 1, 'it follows');
    // As if the line broke: the library connects again.
    (client as unknown as {link: {socket: WebSocket}}).link.socket.terminate();
    await until(() => twin.status.images === 2 && twin.status.state === 'following', 'a fresh image came');
    const equal = twin.status.sameTick;
    await until(() => twin.status.sameTick > equal, 'and it is equal again');
    expect(twin.status.differences).toBe(0);
    await client.call('world.delete', {world: id});
    await until(() => twin.status.state === 'closed', 'its world is gone');
  });

  it('a world that is too large is not taken', async () => {
    const client = open();
    const {id} = await world(client, 30);
    const twin = begin(client, id, {imageBytes: 10_000});
    await until(() => twin.status.losses > 0, 'it is refused');
    expect(twin.status.text).toMatch(/an image of \d+ bytes; the most that this twin takes are 10000/);
  });

  it('takes anything for what it is: hostile messages leave it lost, and an image mends it', async () => {
    const client = open();
    const {id, body} = await world(client);
    const notices: StreamRecordsNotice[] = [];
    const stream = await client.subscribeRecords(id, (notice) => notices.push(structuredClone(notice)));
    await client.call('world.play', {world: id});
    const {grab} = await client.call('grab.begin', {world: id, body, particle: 9});
    for (let step = 0; step < 10; step++) {
      client.notify('grab.move', {world: id, grab, target: [0, 1, step / 10]});
      const heard = notices.length;
      await until(() => notices.length > heard, 'it is told');
    }
    await until(() => notices.filter(({hash}) => hash).length > 2, 'hashes came');
    await stream.close();
    const run = (changed: (notice: StreamRecordsNotice, i: number) => unknown) => {
      const core = new TwinCore(module, {imageBytes: 1 << 22, waitingBytes: 1 << 20});
      notices.forEach((notice, i) => {
        core.take(changed(notice, i), 1000 * i);
        while (core.step(core.toldTick)) {}
      });
      return core;
    };
    const straight = run((notice) => notice);
    expect([straight.losses, straight.differences]).toEqual([0, 0]);
    expect(straight.hashes).toBeGreaterThan(2);
    expect(notices.some(({records}) => (records as Uint8Array[])?.some(([first]) => first === 0xc1))).toBe(true);

    const patches = notices.findIndex(({records}) => (records as Uint8Array[])?.some(([first]) => first === 0xc1));
    const wrongs: [number, object][] = [
      [0, {size: 2 ** 40}],
      [0, {size: 5}],
      [0, {parts: 0}],
      [0, {part: 1}],
      [0, {tick: 77}],
      [0, {image: 'no bin'}],
      [0, {image: new Uint8Array()}],
      [0, {hash: 'zz'}],
      [0, {rate: NaN, state: 'playing'}],
      [patches, {seq: 9999}],
      [patches, {tick: -1}],
      [patches, {tick: 1.5}],
      [patches, {records: 7}],
      [patches, {records: [7]}],
      [patches, {records: [Uint8Array.of(0xc1)]}],
      [patches, {records: [new Uint8Array(40)]}],
      [patches, {records: [Uint8Array.of(0x9a, 1, 2, 3)]}],
      [patches, {records: [], tick: 0}],
    ];
    for (const [at, wrong] of wrongs) {
      const core = run((notice, i) => (i === at ? {...notice, ...wrong} : notice));
      expect(core.losses, JSON.stringify(wrong)).toBeGreaterThan(0);
      expect(core.lost).not.toBe(null);
      notices.forEach((notice, i) => {
        core.take(notice, 1000 * i);
        while (core.step(core.toldTick)) {}
      });
      expect([core.lost, core.tick], JSON.stringify(wrong)).toEqual([null, straight.tick]);
      core.close();
    }
    for (const nothing of [null, 7, 'x', [], new Uint8Array(4)]) {
      const core = new TwinCore(module);
      core.take(nothing, 0);
      expect(core.losses + Number(core.lost === '')).toBeGreaterThan(0);
    }
    // Bytes of an image that fell over: refused with a text, or another hash, or nothing that the future hangs on (a name).
    let lost = 0;
    for (let at = 20; at < 4000; at += 397) {
      const core = run((notice, i) => {
        if (i > 0) {
          return notice;
        }
        const image = (notice.image as Uint8Array).slice();
        image[at % image.length]! ^= 0x40;
        return {...notice, image};
      });
      lost += core.losses;
      expect(core.losses > 0 || core.sameTick === straight.sameTick).toBe(true);
      core.close();
    }
    expect(lost).toBeGreaterThan(4);
  });
});
