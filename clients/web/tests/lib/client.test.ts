// The client's states, with a scripted socket and a clock that the test moves.
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {connect, WeftError} from '../../src/lib/index.js';
import type {ClientState, ConnectOptions, Frame} from '../../src/lib/index.js';
import {HELLO, scriptedSockets} from './socket.js';

const URL_ = 'ws://127.0.0.1:1/ws';

function start(options: Partial<ConnectOptions> = {}) {
  const sockets = scriptedSockets();
  const client = connect({
    url: URL_,
    WebSocket: sockets.WebSocket,
    reconnect: {firstDelayMs: 1000, maxDelayMs: 4000},
    ...options,
  });
  const states: ClientState[] = [];
  client.onState((state) => states.push(state));
  return {...sockets, client, states};
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

describe('opening', () => {
  it('greets first, then sends what waited, in order', async () => {
    const {client, last, states} = start({client: 'test', user: 'Ada'});
    expect(client.state).toBe('connecting');
    const created = client.call('world.create', {name: 'a'});
    const listed = client.call('world.list');
    last().open();
    expect(last().binaryType).toBe('arraybuffer');
    expect(last().sent).toEqual([
      [0, expect.any(Number), 'session.hello', [{client: 'test', user: 'Ada', arrays: 'ext', errors: 'map', follow: true}]],
    ]);
    last().answer('session.hello', HELLO);
    expect(last().sent.slice(1, 3)).toEqual([
      [0, expect.any(Number), 'world.create', [{name: 'a'}]],
      [0, expect.any(Number), 'world.list', []],
    ]);
    expect(states).toEqual(['open']);
    expect(client.hello).toEqual(HELLO);
    last().answer('world.list', {worlds: []});
    last().answer('world.create', {world: 1});
    expect(await created).toEqual({world: 1});
    expect(await listed).toEqual({worlds: []});
    expect(await client.opened()).toEqual(HELLO);
  });

  it('keeps what somebody does not say again when they say who they are by now, and says it at the next connection', async () => {
    const {client, last} = start({client: 'test', user: 'Ada'});
    last().greet();
    const said = client.call('session.hello', {user: 'Grace'});
    const all = {client: 'test', user: 'Grace', arrays: 'ext', errors: 'map', follow: true};
    expect(last().request('session.hello')![3]).toEqual([all]);
    last().answer('session.hello', {...HELLO, user: 'Grace'});
    await said;
    last().fail();
    vi.advanceTimersByTime(2000);
    last().open();
    expect(last().request('session.hello')![3]).toEqual([all]);
  });

  it('sends a token only where there is one', () => {
    const {last} = start({token: 'secret'});
    last().open();
    expect(last().request('session.hello')![3][0]).toHaveProperty('token', 'secret');
  });

  it('fails, and what waited is rejected', async () => {
    const {client, last, states} = start();
    const listed = client.call('world.list').catch((error: WeftError) => error);
    last().fail(1006, '', 'connect ECONNREFUSED');
    expect(await listed).toMatchObject({
      code: 'LOST',
      kind: 0,
      method: 'world.list',
      text: `no connection to ${URL_}: connect ECONNREFUSED (code 1006)`,
    });
    expect(states).toEqual(['lost']);
    expect(await codeOf(client.call('world.list'))).toBe('LOST');
    expect(client.notify('grab.move', {world: 1, grab: 1, target: [0, 0, 0]})).toBe(false);
    expect(await codeOf(client.subscribe({world: 1}, () => {}))).toBe('LOST');
  });

  it('gives up a server that says nothing, and tries again', () => {
    const {client, made, last, states} = start();
    last().open();
    vi.advanceTimersByTime(10_000);
    expect(states).toEqual(['lost']);
    expect(made[0]!.terminated).toBe(true);
    expect(client.lastError?.text).toContain('did not answer');
    vi.advanceTimersByTime(1000);
    expect(made.length).toBe(2);
    last().greet();
    expect(states).toEqual(['lost', 'open']);
  });

  it('ends where the greeting is refused for good', async () => {
    const {client, made, last, states} = start();
    const opened = client.opened();
    last().open();
    last().answer('session.hello', null, {kind: 1, code: 'DENIED', text: 'the token is wrong', field: 'token'});
    await expect(opened).rejects.toMatchObject({code: 'DENIED', field: 'token'});
    expect(states).toEqual(['closed']);
    expect(await codeOf(client.call('world.list'))).toBe('CLOSED');
    vi.advanceTimersByTime(100_000);
    expect(made.length).toBe(1);
  });

  it('tries again where the server is only full or going down', () => {
    for (const [kind, code] of [
      [1, 'LIMIT'],
      [0, 'SHUTDOWN'],
    ] as const) {
      const {made, last, states} = start();
      last().open();
      last().answer('session.hello', null, [kind, `${code}: not now`]);
      expect(states).toEqual(['lost']);
      vi.advanceTimersByTime(1000);
      expect(made.length).toBe(2);
    }
  });

  it('ends where the server is too new', async () => {
    const {client, last} = start();
    const opened = client.opened();
    last().open();
    last().answer('session.hello', {...HELLO, api_level: 99, api_compatible: 98});
    await expect(opened).rejects.toMatchObject({code: 'VERSION'});
    expect(client.state).toBe('closed');
  });

  it('throws at once where the address is none, or there is no WebSocket', () => {
    expect(() => connect({url: 'tcp://127.0.0.1'})).toThrow(TypeError);
    vi.stubGlobal('WebSocket', undefined);
    expect(() => connect({url: URL_})).toThrow(/package "ws"/);
    vi.unstubAllGlobals();
  });
});

describe('losing the connection', () => {
  it('rejects what was under way, once, and tries with growing delays', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const {client, made, last, states} = start();
    last().greet();
    const under = client.call('world.get', {world: 1}).catch((error: WeftError) => error);
    last().fail(1001, 'the server is going down');
    expect(await under).toMatchObject({
      code: 'LOST',
      method: 'world.get',
      text: expect.stringContaining('the server is going down (code 1001)'),
    });
    expect(states).toEqual(['open', 'lost']);
    expect(client.retryAt).toBe(performance.now() + 1000);
    for (const delay of [1000, 2000, 4000, 4000]) {
      const attempts = made.length;
      vi.advanceTimersByTime(delay - 1);
      expect(made.length).toBe(attempts);
      vi.advanceTimersByTime(1);
      expect(made.length).toBe(attempts + 1);
      expect(client.retryAt).toBe(null);
      last().fail();
    }
    vi.advanceTimersByTime(4000);
    last().greet();
    expect(client.state).toBe('open');
    // It did not hold: the delay stays long. After it held, the first is due again.
    last().fail();
    expect(client.retryAt).toBe(performance.now() + 4000);
    client.retry();
    last().greet();
    vi.advanceTimersByTime(1000);
    last().answer('server.ping', {time_us: 1});
    vi.advanceTimersByTime(5000);
    last().fail();
    expect(client.retryAt).toBe(performance.now() + 1000);
    vi.restoreAllMocks();
  });

  it('retry() does not wait, and does nothing where there is nothing to do', () => {
    const {client, made, last} = start();
    client.retry();
    expect(made.length).toBe(1);
    last().fail();
    client.retry();
    client.retry();
    expect(made.length).toBe(2);
    vi.advanceTimersByTime(5000);
    expect(made.length).toBe(2);
    last().greet();
    client.retry();
    expect(made.length).toBe(2);
  });

  it('closes where it shall not reconnect', async () => {
    const {client, made, last} = start({reconnect: false});
    last().greet();
    last().fail();
    expect(client.state).toBe('closed');
    await expect(client.opened()).rejects.toMatchObject({code: 'LOST'});
    vi.advanceTimersByTime(100_000);
    expect(made.length).toBe(1);
  });

  it('close() is for good, even while it waits for the next attempt', async () => {
    for (const when of ['connecting', 'open', 'lost'] as const) {
      const {client, made, last, states} = start();
      const under = when === 'lost' ? null : codeOf(client.call('world.list'));
      if (when !== 'connecting') {
        last().greet();
      }
      if (when === 'lost') {
        last().fail();
      }
      client.close();
      client.close();
      expect(states.filter((state) => state === 'closed')).toEqual(['closed']);
      expect(await codeOf(client.call('world.list'))).toBe('CLOSED');
      expect(await codeOf(client.opened())).toBe('CLOSED');
      if (under !== null) {
        expect(await under).toBe('CLOSED');
        expect(made[0]!.closedWith).toBe(1000);
      }
      vi.advanceTimersByTime(100_000);
      expect(made.length).toBe(1);
    }
  });

  it('notices nonsense', () => {
    for (const nonsense of [5, 'text', [1, 2], [2, 'stream.frame', [{stream: 1}]], [2, 'stream.lagged', [null]]]) {
      const {client, last} = start();
      last().greet();
      last().say(nonsense);
      expect(client.state).toBe('lost');
      expect(client.lastError?.text).toContain('no message of weft');
      expect(last().closedWith).toBe(1000);
    }
    const {client, last} = start();
    last().greet();
    last().onmessage?.({data: 'text'});
    expect(client.lastError?.text).toContain('not binary');
    expect(client.state).toBe('lost');
  });

  it('says what the server said before it closed', () => {
    const {client, last} = start();
    const heard: unknown[] = [];
    client.on('error', (params) => heard.push(params));
    last().greet();
    last().say([2, 'error', [{error: [1, 'LIMIT: too much unsent'], method: ''}]]);
    last().fail(1008);
    expect(client.lastError?.text).toContain('too much unsent (code 1008)');
    expect(heard).toEqual([
      {method: '', error: expect.objectContaining({code: 'LIMIT', kind: 1, text: 'too much unsent'})},
    ]);
    expect((heard[0] as {error: unknown}).error).toBeInstanceOf(WeftError);
  });
});

describe('a server that falls silent', () => {
  it('counts as lost', () => {
    const {client, made, last} = start();
    last().greet();
    vi.advanceTimersByTime(14_000);
    expect(client.state).toBe('open');
    vi.advanceTimersByTime(4_000);
    expect(client.state).toBe('lost');
    expect(made[0]!.terminated).toBe(true);
  });

  it('does not while anything comes, or large messages still go out', () => {
    const {client, last} = start();
    last().greet();
    for (let i = 0; i < 30; i++) {
      vi.advanceTimersByTime(2000);
      last().say([2, 'world.changed', [{world: 1}]]);
    }
    expect(client.state).toBe('open');
    for (let i = 0; i < 30; i++) {
      last().bufferedAmount = 1e9 - i;
      vi.advanceTimersByTime(2000);
    }
    expect(client.state).toBe('open');
    vi.advanceTimersByTime(20_000);
    expect(client.state).toBe('lost');
  });

  it('does not where the program itself was asleep', () => {
    const {client, last} = start();
    last().greet();
    vi.advanceTimersByTime(2000);
    // The clock jumps, as after a laptop was opened; timers fire late, and once.
    vi.setSystemTime(Date.now() + 3_600_000);
    const asleep = performance.now() + 3_600_000;
    vi.spyOn(performance, 'now').mockImplementation(() => asleep);
    vi.advanceTimersByTime(2000);
    expect(client.state).toBe('open');
    vi.restoreAllMocks();
  });

  it('latency is averaged', () => {
    const {client, last} = start();
    last().greet();
    expect(client.latencyMs).toBe(null);
    vi.advanceTimersByTime(40);
    last().answer('server.ping', {time_us: 1});
    expect(client.latencyMs).toBe(40);
    vi.advanceTimersByTime(1960);
    vi.advanceTimersByTime(80);
    last().answer('server.ping', {time_us: 1});
    expect(client.latencyMs).toBe(50);
  });
});

describe('calls', () => {
  it('that are too large are refused here', async () => {
    const {client, last} = start();
    last().greet();
    const sent = last().sent.length;
    const positions = new Float64Array(1 << 23);
    const error = await client.call('body.add', {world: 1, kind: 'points', positions}).catch((one: WeftError) => one);
    expect(error).toMatchObject({code: 'LIMIT', kind: 1, limit: 67108864, method: 'body.add'});
    expect(last().sent.length).toBe(sent);
    expect(client.state).toBe('open');
  });

  it('that cannot be encoded are rejected, and nothing is sent', async () => {
    const {client, last} = start();
    last().greet();
    const sent = last().sent.length;
    await expect(client.call('world.get', {world: (() => 1) as unknown as number})).rejects.toThrow();
    expect(last().sent.length).toBe(sent);
  });

  it('responses that nobody waits for are ignored', () => {
    const {client, last} = start();
    last().greet();
    last().say([1, 4000, null, {}]);
    last().say([2, 'news.of.tomorrow', [{}]]);
    expect(client.state).toBe('open');
  });

  it('count bytes and messages', () => {
    const {client, last} = start();
    last().greet();
    const {bytesIn, messagesIn, messagesOut, bytesOut} = client.stats;
    last().say([2, 'x', [{}]]);
    expect(client.notify('grab.end', {world: 1, grab: 1})).toBe(true);
    expect(client.stats).toEqual({
      bytesIn: bytesIn + 6,
      messagesIn: messagesIn + 1,
      messagesOut: messagesOut + 1,
      bytesOut: bytesOut + 26,
    });
    expect(last().sent.at(-1)).toEqual([2, 'grab.end', [{world: 1, grab: 1}]]);
  });
});

describe('streams', () => {
  const frame = (stream: number, seq: number, more: Record<string, unknown> = {}) => [
    2,
    'stream.frame',
    [
      {
        stream,
        seq,
        dropped: 0,
        world: 1,
        tick: seq,
        substep: 0,
        time: 0,
        revision: 0,
        part: 0,
        parts: 1,
        bodies: [],
        ...more,
      },
    ],
  ];

  async function subscribed(params = {}) {
    const all = start();
    all.last().greet();
    const frames: Frame[] = [];
    const lags: number[] = [];
    const closed: string[] = [];
    const made = all.client.subscribe(
      {world: 'a', ...params},
      (one) => frames.push(one),
      (dropped) => lags.push(dropped),
    );
    all.last().answer('stream.subscribe', {stream: 3, tick: 0, revision: 0});
    // Before anybody awaited it.
    all.last().say(frame(3, 0));
    const stream = await made;
    stream.onClosed((reason) => closed.push(reason));
    return {...all, stream, frames, lags, closed};
  }

  it('lose no frame, and get none of others', async () => {
    const {last, stream, frames, lags} = await subscribed();
    expect(stream.id).toBe(3);
    last().say(frame(4, 9));
    last().say(frame(3, 1, {dropped: 2}));
    last().say([2, 'stream.lagged', [{stream: 3, dropped: 2}]]);
    expect(frames.map((one) => one.seq)).toEqual([0, 1]);
    expect([stream.frames, stream.dropped, lags]).toEqual([2, 2, [2]]);
  });

  it('are subscribed again, with what was wished last, after listeners heard of it', async () => {
    const {client, last, stream, frames} = await subscribed({fields: ['positions'], bodies: [1]});
    const set = stream.set({every: 2, bodies: []});
    expect(last().request('stream.set')![3][0]).toEqual({every: 2, bodies: [], stream: 3});
    last().answer('stream.set', {tick: 1, revision: 1});
    await set;
    last().say(frame(3, 1, {parts: 2}));
    last().fail();
    expect(stream.id).toBe(0);
    await stream.set({fields: ['positions', 'velocities']});
    client.onState((state) => state === 'open' && void client.call('world.join', {world: 'a'}));
    vi.advanceTimersByTime(2000);
    last().greet();
    expect(last().sent.map((one) => (one as unknown[])[2])).toEqual([
      'session.hello',
      'server.ping',
      'world.join',
      'stream.subscribe',
    ]);
    expect(last().request('stream.subscribe')![3][0]).toEqual({
      world: 'a',
      every: 2,
      fields: ['positions', 'velocities'],
    });
    await stream.set({every: 5});
    last().answer('stream.subscribe', {stream: 8, tick: 0, revision: 0});
    expect(last().request('stream.set')![3][0]).toEqual({stream: 8, every: 5});
    last().say(frame(8, 0));
    expect([stream.id, frames.length]).toEqual([8, 2]);
  });

  it('end where their world is gone', async () => {
    const {client, last, stream, closed} = await subscribed();
    last().say([2, 'stream.closed', [{stream: 3, reason: 'the world was deleted'}]]);
    expect(closed).toEqual(['the world was deleted']);
    expect(stream.id).toBe(0);
    last().fail();
    client.retry();
    last().greet();
    expect(last().request('stream.subscribe')).toBe(undefined);
    await stream.set({every: 2});
    await stream.close();
    expect(last().request('stream.set')).toBe(undefined);
  });

  it('end where they are refused after a reconnect, and are tried again where the server is busy', async () => {
    const {client, last, stream, closed} = await subscribed();
    last().fail();
    client.retry();
    last().greet();
    last().answer('stream.subscribe', null, {kind: 1, code: 'BUSY', text: 'later'});
    expect(closed).toEqual([]);
    const first = last().request('stream.subscribe')![1];
    vi.advanceTimersByTime(500);
    expect(last().request('stream.subscribe')![1]).not.toBe(first);
    last().answer('stream.subscribe', null, {kind: 1, code: 'NOT_FOUND', text: 'world: "a" does not exist'});
    expect(closed).toEqual(['world: "a" does not exist']);
    expect(stream.id).toBe(0);
  });

  it('closed by their owner deliver nothing more', async () => {
    const {client, last, stream, frames} = await subscribed();
    const done = stream.close();
    last().say(frame(3, 1));
    last().answer('stream.unsubscribe', {tick: 5});
    await done;
    await stream.close();
    expect(frames.length).toBe(1);
    last().fail();
    client.retry();
    last().greet();
    expect(last().request('stream.subscribe')).toBe(undefined);
  });

  it('closed while they are subscribed again are unsubscribed', async () => {
    const {client, last, stream} = await subscribed();
    last().fail();
    client.retry();
    last().greet();
    await stream.close();
    last().answer('stream.subscribe', {stream: 9, tick: 0, revision: 0});
    expect(last().request('stream.unsubscribe')![3][0]).toEqual({stream: 9});
  });

  it('refused at first are rejected', async () => {
    const {client, last} = start();
    last().greet();
    const made = codeOf(client.subscribe({world: 'b'}, () => {}));
    last().answer('stream.subscribe', null, [1, 'NOT_FOUND: world: "b" does not exist']);
    expect(await made).toBe('NOT_FOUND');
    last().fail();
    client.retry();
    last().greet();
    expect(last().request('stream.subscribe')).toBe(undefined);
  });

  it('a listener that throws stops nobody', async () => {
    const errors: unknown[] = [];
    const queue = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((job) => {
      try {
        job();
      } catch (error) {
        errors.push(error);
      }
    });
    const {client, last} = start();
    client.on('world.changed', () => {
      throw new Error('mine');
    });
    const heard: unknown[] = [];
    client.on('world.changed', (params) => heard.push(params));
    last().greet();
    last().say([2, 'world.changed', [{world: 1}]]);
    queue.mockRestore();
    expect([client.state, heard.length, (errors[0] as Error).message]).toEqual(['open', 1, 'mine']);
  });
});
