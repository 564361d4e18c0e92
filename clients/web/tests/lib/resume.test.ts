// Going on with a session, with a scripted socket and a clock that the test moves.
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {connect, WeftError} from '../../src/lib/index.js';
import {HELLO, scriptedSockets} from './socket.js';

const KEPT = {...HELLO, api_level: 6, resume: '7-abc', grace: 60, resumed: false, lost: [], rejoin: []};

function start() {
  const sockets = scriptedSockets();
  const client = connect({
    url: 'ws://127.0.0.1:1/ws',
    WebSocket: sockets.WebSocket,
    reconnect: {firstDelayMs: 1000, maxDelayMs: 4000},
  });
  const changes: unknown[] = [];
  client.onSession((change, rejoin) => changes.push([change, [...rejoin]]));
  sockets.last().open();
  sockets.last().answer('session.hello', KEPT);
  // The connection is lost, and there is another, on which the greeting was sent.
  const cut = () => {
    sockets.last().fail(1006);
    vi.advanceTimersByTime(4000);
    sockets.last().open();
    return sockets.last().request('session.hello')![3][0]!;
  };
  const greet = (hello: object) => sockets.last().answer('session.hello', {...KEPT, ...hello});
  return {...sockets, client, changes, cut, greet};
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: WeftError) => error.code,
  );

beforeEach(() => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date']});
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a session that is gone on with', () => {
  it('answers what was under way, and sends again what was lost, under its id', async () => {
    const {client, last, changes, cut, greet} = start();
    const made = client.call('world.create', {name: 'a'});
    const lost = client.call('world.create', {name: 'b'});
    const [first, second] = (last().sent as any[]).filter((one) => one[2] === 'world.create');
    const asked = cut();
    expect(asked).toMatchObject({resume: '7-abc', unanswered: Uint32Array.of(first[1], second[1])});
    greet({resumed: true, lost: Uint32Array.of(second[1])});
    const again = (last().sent as any[]).filter((one) => one[2] === 'world.create');
    expect(again).toEqual([second]);
    last().say([1, first[1], null, {world: 1}]);
    last().say([1, second[1], null, {world: 2}]);
    expect(await made).toEqual({world: 1});
    expect(await lost).toEqual({world: 2});
    expect(client.resumed).toBe(true);
    expect(changes).toEqual([
      ['away', []],
      ['back', []],
    ]);
  });

  it('gives nothing to a socket that is closing, and sends it on the next', async () => {
    const {client, last, cut, greet} = start();
    last().readyState = 2;
    const closing = last();
    const before = closing.sent.length;
    const made = client.call('world.create', {name: 'a'});
    client.notify('grab.move', {world: 1, grab: 1, target: [0, 0, 0]});
    expect(closing.sent.length).toBe(before);
    const asked = cut();
    greet({resumed: true, lost: asked.unanswered});
    last().answer('world.create', {world: 1});
    expect(await made).toEqual({world: 1});
  });

  it('says how far it has heard of each world', async () => {
    const {client, last, changes, cut, greet} = start();
    const joined = client.call('world.join', {world: 'a'});
    last().answer('world.join', {world: 3, revision: 10});
    await joined;
    last().say([2, 'world.edited', [{world: 3, revision: 11}]]);
    last().say([2, 'world.edited', [{world: 4, revision: 50}]]);
    expect(cut().revisions).toEqual({3: 11});
    greet({resumed: true, rejoin: [3]});
    expect(changes.at(-1)).toEqual(['back', [3]]);
    expect(cut().revisions).toEqual({});
  });

  it('tells each line once', () => {
    const {client, last, cut, greet} = start();
    const lines: number[] = [];
    client.on('world.said', ({line}) => lines.push(line));
    last().say([2, 'world.said', [{world: 3, line: 1}]]);
    cut();
    greet({resumed: true});
    last().say([2, 'world.said', [{world: 3, line: 1}]]);
    last().say([2, 'world.said', [{world: 3, line: 2}]]);
    expect(lines).toEqual([1, 2]);
  });
});

describe('a session that is gone', () => {
  it('rejects what was under way', async () => {
    const {client, changes, cut, greet} = start();
    const made = codeOf(client.call('world.create', {name: 'a'}));
    cut();
    greet({session: 8, resume: '8-def'});
    expect(await made).toBe('LOST');
    expect(changes.at(-1)).toEqual(['anew', []]);
    expect(cut().resume).toBe('8-def');
  });

  it('is given up when its time is over', async () => {
    const {client, last, cut} = start();
    const made = codeOf(client.call('world.create', {name: 'a'}));
    last().fail(1006);
    vi.advanceTimersByTime(30_000);
    last().fail(1006);
    vi.advanceTimersByTime(37_000);
    expect(await made).toBe('LOST');
    expect(cut()).not.toHaveProperty('resume');
  });
});

it('a client that is closed leaves, and what waits is rejected', async () => {
  const {client, last} = start();
  const made = codeOf(client.call('world.create', {name: 'a'}));
  client.close();
  expect(last().sent.at(-1)).toEqual([2, 'session.leave', [{}]]);
  expect(await made).toBe('CLOSED');
});
