// The library in Node, with `ws`, and a real server.
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, LIMITS, METHODS, WeftError} from '../../src/lib/index.js';
import type {Client, ClientState, ConnectOptions, Frame, Notifications} from '../../src/lib/index.js';
import {decode, encode} from '../../src/lib/wire.js';
import {cloth, until, WEFTD, Weftd} from './weftd.js';

const clients: Client[] = [];
let server: Weftd;
let worlds = 0;

function open(options: Partial<ConnectOptions> = {}): Client {
  const client = connect({
    url: server.url,
    WebSocket,
    client: 'live test',
    reconnect: {firstDelayMs: 20, maxDelayMs: 200},
    ...options,
  });
  clients.push(client);
  return client;
}

const newName = () => `w${++worlds}`;

afterEach(() => clients.splice(0).forEach((client) => client.close()));

describe.skipIf(WEFTD === '')('with a server', () => {
  beforeAll(async () => {
    server = await Weftd.start();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('opens, says who it is, and closes', async () => {
    const client = open({user: 'Ada'});
    const states: ClientState[] = [];
    client.onState((state) => states.push(state));
    const hello = await client.opened();
    expect(hello).toMatchObject({name: 'weft', user: 'Ada', arrays: 'ext', errors: 'map'});
    expect(client.hello).toEqual(hello);
    await until(() => client.latencyMs !== null, 'a ping is answered');
    expect(client.latencyMs! > 0 && client.latencyMs! < 1000).toBe(true);
    const info = await client.call('server.info');
    expect((info.methods as {name: string}[]).map((method) => method.name)).toEqual(Object.keys(METHODS));
    client.close();
    expect(states).toEqual(['open', 'closed']);
  });

  it('opens what it saved, also where that is larger than a message', async () => {
    const client = open();
    const {world} = await client.call('world.create', {name: newName()});
    await client.call('body.add', {world, kind: 'points', positions: new Float32Array(3 * 1_200_000)});
    const saved = await client.call('world.save', {world});
    const bytes = client.stats.bytesOut;
    const opened = await client.call('world.open', {document: saved.document, name: newName()});
    expect(client.stats.bytesOut - bytes).toBeGreaterThan(LIMITS.message_bytes.value);
    expect((await client.call('world.hash', {world: opened.world})).hash).toBe(saved.hash);
  });

  it('tells refusals in the words of the server', async () => {
    const client = open();
    const error = await client.call('world.create', {tick_rate: 0}).catch((one: WeftError) => one);
    expect(error).toBeInstanceOf(WeftError);
    expect(error).toMatchObject({kind: 1, code: 'INVALID', field: 'tick_rate', value: '0', method: 'world.create'});
    expect((error as WeftError).message).toContain('tick_rate');
    await expect(client.call('world.get', {world: 'nowhere'})).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(client.call('no.such' as 'world.list')).rejects.toMatchObject({code: 'NOT_FOUND', method: 'no.such'});
    await expect(client.subscribe({world: 'nowhere'}, () => {})).rejects.toMatchObject({code: 'NOT_FOUND'});
  });

  it('sends and gets arrays of every kind', async () => {
    const client = open();
    const {world} = await client.call('world.create', {name: newName()});
    const numbers = [0, 0, 0, 1, 0, 0, 0, 0, 1];
    for (const positions of [
      numbers,
      Float32Array.from(numbers),
      Float64Array.from(numbers),
      Int8Array.from(numbers),
      Uint8Array.from(numbers),
    ]) {
      const {body} = await client.call('body.add', {
        world,
        kind: 'cloth',
        positions,
        triangles: Uint16Array.of(0, 2, 1),
      });
      const got = await client.call('body.get', {world, body});
      expect(got.positions).toBeInstanceOf(Float64Array);
      expect(Array.from(got.positions)).toEqual(numbers);
      expect(got.triangles).toEqual(Uint32Array.of(0, 2, 1));
      const state = await client.call('body.state', {world, body, fields: ['positions', 'velocities']});
      expect(state.positions).toEqual(Float32Array.from(numbers));
      expect(state.velocities).toEqual(new Float32Array(9));
      expect(state.normals).toBe(undefined);
    }
    expect((await client.call('world.get', {world})).gravity).toEqual([0, -9.81, 0]);
  });

  it('gets frames as views, equal to body.state', async () => {
    const client = open();
    const {world} = await client.call('world.create', {name: newName()});
    const {body} = await client.call('body.add', {world, ...cloth(10)});
    const frames: Frame[] = [];
    const stream = await client.subscribe(
      {
        world,
        fields: ['positions', 'positions64', 'velocities', 'normals', 'measures', 'grabs', 'contact'],
        unit: 'substep',
        every: 1,
      },
      (frame) => frames.push(frame),
    );
    await until(() => frames.length === 1, 'the present state comes at once');
    const {substeps} = await client.call('world.get', {world});
    for (let tick = 1; tick <= 3; tick++) {
      await client.call('world.step', {world, ticks: 1});
      await until(() => frames.length === 1 + tick * substeps, 'every substep came');
    }
    const last = frames.at(-1)!;
    const [chunk] = last.bodies;
    expect([last.world, last.tick, last.substep, last.time, chunk!.body]).toEqual([world, 3, 0, 3 / 60, body]);
    const arrays = [chunk!.positions!, chunk!.positions64!, chunk!.velocities!, chunk!.normals!];
    for (const array of arrays) {
      expect(array.length).toBe(300);
      expect(array.byteOffset % 8).toBe(0);
      // All of one message: nothing was copied.
      expect(array.buffer).toBe(arrays[0]!.buffer);
    }
    const state = await client.call('body.state', {
      world,
      body,
      fields: ['positions', 'velocities', 'normals', 'positions64'],
    });
    expect(chunk!.positions).toEqual(state.positions);
    expect(chunk!.positions64).toEqual(state.positions64);
    expect(chunk!.velocities).toEqual(state.velocities);
    expect(chunk!.normals).toEqual(state.normals);
    expect(last.measures!.kinetic).toBeGreaterThan(0);
    expect(last.contact).toEqual((await client.call('world.measure', {world})).contact);
    expect(last.grabs).toEqual([]);
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, i) => i + 1));
    expect(frames.every((frame, i) => i === 0 || frame.receivedAt >= frames[i - 1]!.receivedAt)).toBe(true);
    expect([stream.frames, stream.dropped]).toEqual([frames.length, 0]);
  });

  it('joins the parts of a large frame', async () => {
    const client = open();
    const {world} = await client.call('world.create', {name: newName()});
    const large = await client.call('body.add', {world, ...cloth(180)});
    const small = await client.call('body.add', {world, ...cloth(4)});
    const frames: Frame[] = [];
    await client.subscribe({world, fields: ['positions', 'velocities']}, (frame) => frames.push(frame));
    await client.call('world.step', {world, ticks: 1});
    await until(() => frames.length === 2, 'two frames');
    const frame = frames[1]!;
    const chunks = frame.bodies.filter((chunk) => chunk.body === large.body);
    expect(chunks.length).toBeGreaterThan(1);
    const whole = new Float32Array(3 * 180 * 180);
    let next = 0;
    for (const chunk of chunks) {
      expect(chunk.first).toBe(next);
      whole.set(chunk.positions!, 3 * chunk.first);
      next += chunk.count;
    }
    expect(next).toBe(180 * 180);
    expect(frame.bodies.filter((chunk) => chunk.body === small.body).map((chunk) => chunk.count)).toEqual([16]);
    const state = await client.call('body.state', {world, body: large.body});
    expect(whole).toEqual(state.positions);
  });

  it('changes and ends streams', async () => {
    const client = open();
    const {world, name} = await client.call('world.create', {name: newName()});
    await client.call('body.add', {world, ...cloth(4)});
    const frames: Frame[] = [];
    const stream = await client.subscribe({world}, (frame) => frames.push(frame));
    await stream.set({fields: ['velocities'], every: 10});
    await until(() => frames.length === 2, 'a frame follows the change');
    expect(Object.keys(frames[1]!.bodies[0]!)).toEqual(['body', 'first', 'count', 'velocities']);
    for (const tick of [10, 20]) {
      await client.call('world.step', {world, ticks: 9});
      expect(frames.at(-1)!.tick).toBe(tick - 10);
      await client.call('world.step', {world, ticks: 1});
      await until(() => frames.at(-1)!.tick === tick, `tick ${tick}`);
    }
    expect(frames.slice(2).map((frame) => frame.tick)).toEqual([10, 20]);
    await expect(stream.set({every: 0})).rejects.toMatchObject({code: 'INVALID', field: 'every'});
    await stream.close();
    const count = frames.length;
    await client.call('world.step', {world, ticks: 25});
    expect(frames.length).toBe(count);

    const closed: string[] = [];
    const other = await client.subscribe({world: name}, () => {});
    other.onClosed((reason) => closed.push(reason));
    await client.call('world.delete', {world});
    await until(() => closed.length === 1, 'the stream is told');
    expect(closed[0]).not.toBe('');
    expect(other.id).toBe(0);
  });

  it('hears what others do', async () => {
    const [ada, bob] = [open({user: 'Ada'}), open({user: 'Bob'})];
    const {world} = await ada.call('world.create', {name: newName()});
    const {body} = await ada.call('body.add', {world, ...cloth(6)});
    await bob.call('world.join', {world});
    const edits: Notifications['world.edited'][] = [];
    const changes: Notifications['world.changed'][] = [];
    const off = bob.on('world.edited', (params) => edits.push(params));
    bob.on('world.changed', (params) => changes.push(params));
    await ada.call('world.set', {world, gravity: [0, -1, 0], wind: {velocity: [3, 0, 0]}});
    await until(() => edits.length === 1, 'Bob hears of the edit');
    expect(edits[0]).toMatchObject({
      world,
      user: 'Ada',
      method: 'world.set',
      params: {gravity: [0, -1, 0], wind: {velocity: [3, 0, 0]}},
    });
    off();
    await ada.call('world.set', {world, damping: 0.1});

    // A drag, as the studio does it: the moves are notifications.
    await ada.call('world.play', {world, rate: 1});
    await until(() => changes.length === 1, 'Bob hears that it plays');
    expect(changes[0]).toMatchObject({world, state: 'playing', user: 'Ada'});
    const frames: Frame[] = [];
    await bob.subscribe({world, fields: ['positions', 'grabs']}, (frame) => frames.push(frame));
    const {grab} = await ada.call('grab.begin', {world, body, particle: 20});
    expect(ada.notify('grab.move', {world, grab, target: [0.5, 2, 0.5]})).toBe(true);
    await until(() => frames.at(-1)?.grabs?.[0]?.target[1] === 2, 'Bob sees the grab');
    expect(frames.at(-1)!.grabs![0]).toMatchObject({grab, body, particle: 20, user: 'Ada'});
    await until(() => (frames.at(-1)?.bodies[0]?.positions?.[3 * 20 + 1] ?? 0) > 1.2, 'Bob sees it move');
    await ada.call('grab.end', {world, grab});
    expect(edits.length).toBe(1);
  });

  it('is told of notifications that were wrong', async () => {
    const client = open();
    await client.opened();
    const errors: {error: WeftError; method: string}[] = [];
    client.on('error', (params) => errors.push(params));
    client.notify('grab.move', {world: 1, grab: 0, target: [0, 0, 0]});
    await until(() => errors.length === 1, 'an error comes');
    expect(errors[0]).toMatchObject({method: 'grab.move', error: {code: 'INVALID', field: 'grab'}});
    expect(errors[0]!.error).toBeInstanceOf(WeftError);
  });

  it('many calls under way are answered each with its own', async () => {
    const client = open();
    const {world} = await client.call('world.create', {name: newName()});
    const answers = await Promise.all(
      Array.from({length: 600}, (_, i) =>
        i % 3 === 0
          ? client.call('world.get', {world}).then((got) => got.world === world)
          : client.call('world.get', {world: `no ${i}`}).then(
              () => false,
              (error: WeftError) => error.value?.includes(`no ${i}`) ?? false,
            ),
      ),
    );
    expect(answers.every(Boolean)).toBe(true);
  });
});

describe.skipIf(WEFTD === '')('a slow consumer', () => {
  beforeAll(async () => {
    server = await Weftd.start();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('gets fewer frames, in order, and is told how many; others get more', async () => {
    const sockets: WebSocket[] = [];
    class Kept extends WebSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    }
    const [slow, quick] = [open({WebSocket: Kept}), open()];
    const {world} = await quick.call('world.create', {name: newName()});
    await quick.call('body.add', {world, ...cloth(110)});
    const frames: Frame[] = [];
    const seen: Frame[] = [];
    let lag = 0;
    const params = {world, fields: ['positions', 'positions64', 'velocities'] as const};
    const stream = await slow.subscribe(
      params,
      (frame) => frames.push(frame),
      (dropped) => (lag = dropped),
    );
    await quick.subscribe({world, fields: ['measures']}, (frame) => seen.push(frame));
    await until(() => frames.length === 1, 'the first frame');
    sockets[0]!.pause();
    await quick.call('world.step', {world, ticks: 60});
    await until(() => seen.at(-1)?.tick === 60, 'the quick one saw the last tick');
    expect(seen.length + seen.reduce((sum, frame) => sum + frame.dropped, 0)).toBe(61);
    sockets[0]!.resume();
    await until(() => frames.at(-1)!.tick === 60, 'the slow one gets the last tick');
    // 60 ticks of 580 KB do not fit between the two: some were left out, none unseen.
    await until(() => lag > 0, 'it is told that it lags');
    expect(stream.dropped).toBeGreaterThan(0);
    expect(frames.length + stream.dropped).toBe(61);
    expect(frames.length).toBeLessThan(seen.length);
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, i) => i + 1));
    let tick = -1;
    for (const frame of frames) {
      expect(frame.tick).toBe(tick + 1 + frame.dropped);
      tick = frame.tick;
      expect(frame.bodies.reduce((sum, chunk) => sum + chunk.count, 0)).toBe(110 * 110);
    }
  });

  it('gets all of a lossless stream, as it takes it', async () => {
    const client = open();
    const {world} = await client.call('world.create', {name: newName()});
    await client.call('body.add', {world, ...cloth(10)});
    await client.call('world.hold', {world});
    const ticks: number[] = [];
    await client.subscribe({world, mode: 'lossless', credit: 3000, backlog: 65536}, (frame) => ticks.push(frame.tick));
    await client.call('world.step', {world, ticks: 120});
    await until(() => ticks.at(-1) === 120, 'the last tick');
    expect(ticks).toEqual(Array.from({length: 121}, (_, tick) => tick));
  });
});

describe.skipIf(WEFTD === '')('a server that goes and comes back', () => {
  let mine: Weftd;
  afterEach(async () => {
    await mine?.stop();
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`after ${signal} the client goes on, and its streams too`, async () => {
      server = mine = await Weftd.start();
      const client = open();
      const states: ClientState[] = [];
      client.onState((state) => states.push(state));
      await client.opened();
      const build = async () => {
        await client.call('world.create', {name: 'mine'});
        await client.call('body.add', {world: 'mine', ...cloth(5)});
      };
      await build();
      const frames: Frame[] = [];
      const closed: string[] = [];
      const stream = await client.subscribe({world: 'mine', fields: ['positions']}, (frame) => frames.push(frame));
      stream.onClosed((reason) => closed.push(reason));
      await stream.set({fields: ['positions', 'velocities']});
      await until(() => frames.length === 2, 'frames come');
      await client.call('world.play', {world: 'mine', rate: 1});
      await until(() => frames.length > 5, 'it plays');

      // A call that has no answer when the connection goes.
      const pending = client.call('world.get', {world: 'mine'});
      void pending.catch(() => {});
      await mine.stop(signal);
      await until(() => client.state === 'lost', 'the loss is noticed');
      await expect(client.call('world.list')).rejects.toMatchObject({code: 'LOST', kind: 0, method: 'world.list'});
      expect(client.notify('world.pause', {world: 'mine'})).toBe(false);
      const failures = () => states.filter((state) => state === 'lost').length;
      await until(() => failures() > 1, 'it tries in vain');
      expect(client.state).toBe('lost');

      client.onState((state) => {
        if (state === 'open') {
          void build();
        }
      });
      const before = frames.length;
      server = mine = await Weftd.start(mine.http);
      await until(() => client.state === 'open', 'it is back');
      expect(client.resumed).toBe(false); // a server that was started again has no session of before
      await pending.catch((error: WeftError) => expect(error.code).toBe('LOST'));
      await until(() => frames.length > before, 'the stream goes on');
      expect(closed).toEqual([]);
      expect(frames.at(-1)!.seq).toBe(frames.length - before);
      expect(frames.at(-1)!.tick).toBe(0);
      await until(() => frames.at(-1)!.bodies.length === 1, 'with the new body');
      expect(frames.at(-1)!.bodies[0]!.velocities).toEqual(new Float32Array(75));
      // Each attempt that failed tells of it.
      expect(states.filter((state, i) => state !== states[i - 1])).toEqual(['open', 'lost', 'open']);
    });
  }

  it('a stream whose world did not come back ends with the reason', async () => {
    server = mine = await Weftd.start();
    const client = open();
    await client.call('world.create', {name: 'mine'});
    const closed: string[] = [];
    const stream = await client.subscribe({world: 'mine'}, () => {});
    stream.onClosed((reason) => closed.push(reason));
    await mine.stop();
    server = mine = await Weftd.start(mine.http);
    await until(() => closed.length === 1, 'it ends');
    expect(closed[0]).toContain('mine');
    expect([client.state, stream.id]).toEqual(['open', 0]);
  });

  it('calls under way are rejected when it is killed', async () => {
    server = mine = await Weftd.start();
    const client = open({reconnect: false});
    await client.call('world.create', {name: 'mine'});
    await client.call('body.add', {world: 'mine', ...cloth(60)});
    // Answered only after its last tick.
    const step = client.call('world.step', {world: 'mine', ticks: 100_000}).catch((error: WeftError) => error);
    await client.call('server.ping');
    await mine.stop('SIGKILL');
    expect(await step).toMatchObject({code: 'LOST', method: 'world.step'});
    await until(() => client.state === 'closed', 'it does not try again');
  });

  it('a program may start before the server', async () => {
    server = mine = await Weftd.start();
    await mine.stop();
    const client = open();
    await expect(client.call('world.list')).rejects.toMatchObject({
      code: 'LOST',
      text: expect.stringContaining('ECONNREFUSED'),
    });
    const opened = client.opened();
    server = mine = await Weftd.start(mine.http);
    await opened;
    expect((await client.call('world.list')).worlds).toEqual([]);
  });
});

describe.skipIf(WEFTD === '')('the package ws by itself', () => {
  beforeAll(async () => {
    server = await Weftd.start();
  });
  afterAll(async () => {
    await server?.stop();
  });

  function dial(): Promise<{socket: WebSocket; next: () => Promise<any>}> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(server.url);
      const messages: unknown[] = [];
      const next = async () => {
        await until(() => messages.length > 0, 'a message');
        return messages.shift();
      };
      socket.on('message', (data: Buffer, isBinary) => messages.push(isBinary ? decode(data) : data.toString()));
      socket.on('open', () => resolve({socket, next}));
      socket.on('error', reject);
    });
  }

  const closing = (socket: WebSocket) =>
    new Promise<number>((resolve) => {
      socket.on('error', () => {});
      socket.on('close', (code) => resolve(code));
    });

  it('calls, pings, and closes in order', async () => {
    const {socket, next} = await dial();
    expect(socket.extensions).toBe('');
    socket.send(encode([0, 1, 'session.hello', [{client: 'ws', arrays: 'plain'}]]));
    expect(await next()).toMatchObject([1, 1, null, {arrays: 'plain'}]);
    socket.send(encode([0, 2, 'world.get', [{world: 'nowhere'}]]));
    const [, , error] = await next();
    expect(error[0]).toBe(1);
    expect(error[1]).toMatch(/^NOT_FOUND: /);
    const pong = new Promise<string>((resolve) => socket.on('pong', (data) => resolve(data.toString())));
    socket.ping('are you there');
    expect(await pong).toBe('are you there');
    const code = closing(socket);
    socket.close(1000, 'done');
    expect(await code).toBe(1000);
  });

  it('messages may come in fragments, and with control frames between', async () => {
    const {socket, next} = await dial();
    const message = encode([0, 5, 'world.create', [{name: newName()}]]);
    for (let i = 0; i < message.byteLength; i++) {
      socket.send(message.subarray(i, i + 1), {binary: true, fin: i === message.byteLength - 1});
      socket.ping();
    }
    expect(await next()).toMatchObject([1, 5, null, {tick: 0}]);
    socket.terminate();
  });

  it('is refused where it sends text, or no MessagePack-RPC', async () => {
    const text = await dial();
    const textCode = closing(text.socket);
    text.socket.send('[0, 1, "server.ping", []]');
    expect(await textCode).toBe(1003);
    const bytes = await dial();
    const bytesCode = closing(bytes.socket);
    bytes.socket.send(Uint8Array.of(0xc1, 0xc1));
    expect(await bytes.next()).toMatchObject([2, 'error', [{method: ''}]]);
    expect([1002, 1007, 1008]).toContain(await bytesCode);
  });
});
