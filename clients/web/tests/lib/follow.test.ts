// Going where a world is, with scripted sockets and a clock that the test moves.
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {connect} from '../../src/lib/index.js';
import type {ConnectOptions, Frame, WeftError} from '../../src/lib/index.js';
import {scriptedSockets} from './socket.js';

const A = {server: 'a', address: '10.0.0.1:9338', web: 'http://10.0.0.1:9339'};
const B = {server: 'b', address: '10.0.0.2:9338', web: 'http://10.0.0.2:9339'};

function start(options: Partial<ConnectOptions> = {}) {
  const sockets = scriptedSockets();
  const client = connect({url: A.web, WebSocket: sockets.WebSocket, ...options});
  const changes: [string, readonly number[]][] = [];
  client.onSession((change, rejoin) => changes.push([change, rejoin]));
  sockets.last().greet();
  return {...sockets, client, changes};
}

const moved = (place: typeof A) => ({kind: 1, code: 'MOVED', text: 'it is elsewhere', ...place});
const settle = () => vi.advanceTimersByTimeAsync(100);
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: WeftError) => error.code,
  );

/** The last ping is answered: all that was said before it is here. */
async function settled(socket: ReturnType<typeof scriptedSockets>['made'][number]) {
  socket.answer('server.ping', {});
  await settle();
}

function frame(stream: number, tick: number) {
  const about = {stream, seq: tick, dropped: 0, world: 5, tick, substep: 0, time: tick, revision: 1};
  return [2, 'stream.frame', [{...about, part: 0, parts: 1, bodies: []}]];
}

beforeEach(() => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date']});
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a call of a world elsewhere', () => {
  it('is asked there, in order, when all that is under way is answered', async () => {
    const {client, made, changes} = start();
    const [first, listed, second] = [
      client.call('world.play', {world: 'flag'}),
      client.call('world.list'),
      client.call('world.pause', {world: 'flag'}),
    ];
    made[0]!.answer('world.play', null, moved(B));
    await settled(made[0]!);
    expect(made.length).toBe(1);
    made[0]!.answer('world.pause', null, moved(B));
    made[0]!.answer('world.list', {worlds: []});
    expect(await listed).toEqual({worlds: []});
    await settle();
    expect(made.map(({url}) => url)).toEqual(['ws://10.0.0.1:9339/ws', 'ws://10.0.0.2:9339/ws']);
    expect(made[0]!.sent.at(-1)).toEqual([2, 'session.leave', [{}]]);
    const meanwhile = client.call('world.get', {world: 'flag'});
    made[1]!.greet();
    const asked = (made[1]!.sent as unknown[][]).map((message) => message[2]).filter((method) => method !== 'server.ping');
    expect(asked).toEqual(['session.hello', 'world.play', 'world.pause', 'world.get']);
    expect(made[1]!.sent[0]).not.toHaveProperty([3, 0, 'resume']);
    for (const method of ['world.play', 'world.pause', 'world.get']) {
      made[1]!.answer(method, {tick: 1});
    }
    expect(await Promise.all([first, second, meanwhile])).toEqual([{tick: 1}, {tick: 1}, {tick: 1}]);
    expect(changes).toEqual([['moved', []]]);
    client.close();
  });

  it('waits while the server there opens the world, and is asked again where nobody knew yet', async () => {
    const {client, made} = start();
    const got = client.call('world.get', {world: 5});
    made[0]!.answer('world.get', null, moved({server: '', address: '', web: ''}));
    await settle();
    made[0]!.answer('world.get', null, moved(B));
    await settled(made[0]!);
    made[1]!.greet();
    made[1]!.answer('world.get', null, {kind: 1, code: 'BUSY', text: 'it is being opened'});
    await settle();
    made[1]!.answer('world.get', {world: 5});
    expect(await got).toEqual({world: 5});
    client.close();
  });

  it('is refused where it is not to be followed, or nothing speaks to browsers there', async () => {
    const {client, made} = start({follow: false});
    expect(made[0]!.sent[0]).not.toHaveProperty([3, 0, 'follow']);
    const got = refusal(client.call('world.get', {world: 5}));
    made[0]!.answer('world.get', null, moved(B));
    expect(await got).toBe('MOVED');
    client.close();
    const other = start();
    const refused = refusal(other.client.call('world.get', {world: 5}));
    other.made[0]!.answer('world.get', null, moved({...B, web: ''}));
    expect(await refused).toBe('MOVED');
    other.client.close();
  });

  it('does not go from TLS to where there is none, nor where something else is joined', async () => {
    const {client, made} = start({url: 'wss://10.0.0.1:9339/ws'});
    const refused = refusal(client.call('world.get', {world: 5}));
    made[0]!.answer('world.get', null, moved(B));
    await settled(made[0]!);
    expect(await refused).toBe('MOVED');
    const joined = client.call('world.join', {world: 1});
    made[0]!.answer('world.join', {world: 1, revision: 3});
    await joined;
    const again = refusal(client.call('world.get', {world: 5}));
    made[0]!.answer('world.get', null, moved({...B, web: 'https://10.0.0.2:9339'}));
    await settled(made[0]!);
    expect(await again).toBe('MOVED');
    expect(made.length).toBe(1);
    client.close();
  });

  it('ends in an error where servers name each other', async () => {
    const {client, made, last} = start();
    const got = refusal(client.call('world.get', {world: 5}));
    for (let hop = 0; hop < 9; hop += 1) {
      last().answer('world.get', null, moved(hop % 2 === 0 ? B : A));
      await settled(last());
      if (made.length === hop + 2) {
        last().greet();
      }
    }
    expect(await got).toBe('MOVED');
    expect(made.length).toBe(9);
    client.close();
  });

  it('goes back where nobody answers there', async () => {
    const {client, made, last} = start();
    const got = refusal(client.call('world.get', {world: 5}));
    made[0]!.answer('world.get', null, moved(B));
    await settled(made[0]!);
    made[1]!.fail();
    expect(await got).toBe('MOVED');
    await vi.advanceTimersByTimeAsync(5000);
    expect(last().url).toBe('ws://10.0.0.1:9339/ws');
    client.close();
  });
});

describe('a world that moves', () => {
  async function live() {
    const all = start();
    const frames: Frame[] = [];
    const joined = all.client.call('world.join', {world: 'flag'});
    all.made[0]!.answer('world.join', {world: 5, revision: 3, name: 'flag'});
    await joined;
    const subscribed = all.client.subscribe({world: 5, every: 2}, (one) => frames.push(one));
    all.made[0]!.answer('stream.subscribe', {stream: 1});
    const stream = await subscribed;
    all.made[0]!.say(frame(1, 8));
    return {...all, frames, stream};
  }

  const changed = (place: typeof A) => [2, 'world.changed', [{world: 5, state: 'moved', rate: 1, tick: 8, ...place}]];
  const closed = (place: typeof A) => [2, 'stream.closed', [{stream: 1, reason: 'it moved', ...place}]];

  it('has its streams and who joined it go along, in the order of ticks', async () => {
    const {client, made, frames, stream, changes} = await live();
    const told: string[] = [];
    client.on('world.changed', ({state}) => told.push(state));
    made[0]!.say(changed(B));
    made[0]!.say(closed(B));
    await settled(made[0]!);
    made[1]!.greet();
    expect(made[1]!.request('stream.subscribe')?.[3]).toEqual([{world: 5, every: 2}]);
    made[1]!.answer('stream.subscribe', {stream: 9});
    for (const tick of [6, 8, 10]) {
      made[1]!.say(frame(9, tick));
    }
    made[1]!.answer('world.join', {world: 5, revision: 4, name: 'flag'});
    expect(frames.map(({tick}) => tick)).toEqual([8, 8, 10]);
    expect(frames.map(({after}) => after)).toEqual([undefined, 8, undefined]);
    expect(stream.id).toBe(9);
    expect(changes).toEqual([['moved', [5]]]);
    expect(told).toEqual(['moved']);
    client.close();
  });

  it('is followed when its server ends right after', async () => {
    const {client, made, stream} = await live();
    made[0]!.say(changed(B));
    made[0]!.say(closed(B));
    made[0]!.fail(1001);
    await settle();
    expect(made[1]!.url).toBe('ws://10.0.0.2:9339/ws');
    made[1]!.greet();
    made[1]!.answer('stream.subscribe', {stream: 2});
    expect(stream.id).toBe(2);
    client.close();
  });

  it('ends streams of who is held', async () => {
    const {client, made, stream} = await live();
    const joined = client.call('world.join', {world: 1});
    made[0]!.answer('world.join', {world: 1, revision: 3});
    await joined;
    const why: string[] = [];
    stream.onClosed((reason) => why.push(reason));
    made[0]!.say(changed(B));
    made[0]!.say(closed(B));
    await settled(made[0]!);
    expect(why).toHaveLength(1);
    expect(made.length).toBe(1);
    client.close();
  });
});
