// Going about in the past, against a client that answers when the test says so: at most one seek at a time, the newest
// next; back at any moment; a world beside another.
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {WeftError, type Client} from '../../src/lib/index.js';
import {Commands} from '../../src/studio/model/commands.js';
import {WorldDocument} from '../../src/studio/model/document.js';
import {Packing} from '../../src/studio/model/packing.js';
import {Beside} from '../../src/studio/model/past/beside.js';
import {Past} from '../../src/studio/model/past/past.js';

interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

const VIEW = 1000;
// The next seek waits at least so long for the answer to the one before.
const PATIENT_MS = 300;

// Worlds 1 'one' and 2 'two', each at tick 100 × its id, with an edit every 10 ticks; views are 1000 + the id.
class Fake {
  state = 'open';
  hello: {session: number; api_level: number} = {session: 9, api_level: 4};
  readonly asked: Asked[] = [];
  // Seeks that wait for answer(), while the test holds them.
  holding = false;
  private readonly held: ((refuse: boolean) => void)[] = [];
  private readonly shown = new Map<number, number>();
  private readonly states = new Set<(state: string) => void>();
  private readonly listeners = new Map<string, Set<(params: unknown) => void>>();

  on(name: string, callback: (params: unknown) => void): () => void {
    const all = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, all.add(callback));
    return () => all.delete(callback);
  }

  onState(callback: (state: string) => void): () => void {
    this.states.add(callback);
    return () => this.states.delete(callback);
  }

  // It never goes on with a session.
  readonly resumed = false;
  onSession(): () => void {
    return () => undefined;
  }

  tell(name: string, params: unknown): void {
    this.listeners.get(name)?.forEach((callback) => callback(params));
  }

  go(state: string): void {
    this.state = state;
    this.states.forEach((callback) => callback(state));
  }

  // The connection is another one, to which views of the last are nothing.
  again(session: number): void {
    this.go('lost');
    this.shown.clear();
    this.hello = {...this.hello, session};
    this.go('open');
  }

  answer(): void {
    this.held.shift()!(false);
  }

  refuse(): void {
    this.held.shift()!(true);
  }

  of(method: string): Record<string, unknown>[] {
    return this.asked.filter((one) => one.method === method).map(({params}) => params);
  }

  subscribe(): Promise<unknown> {
    return Promise.resolve({close: () => Promise.resolve(), onClosed: () => undefined, set: () => Promise.resolve()});
  }

  async call(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    this.asked.push({method, params});
    if (this.holding && method === 'world.seek' && (await new Promise<boolean>((go) => this.held.push(go))))
      throw new WeftError({kind: 1, code: 'CONFLICT', text: 'asked again'});
    const named = {one: 1, two: 2} as Record<string, number>;
    const world = named[String(params.world)] ?? Number(params.world);
    const home = world > VIEW ? world - VIEW : world;
    const last = 100 * home;
    switch (method) {
      case 'world.join': {
        const tick = world > VIEW ? this.shown.get(home) : last;
        if (tick === undefined || !(home in [0, 1, 2])) {
          throw new WeftError({kind: 1, code: 'NOT_FOUND', text: `world: there is no ${world}`});
        }
        const past = world > VIEW ? {read_only: 'it is past', view_of: home, name: ''} : {read_only: '', view_of: 0};
        const name = Object.keys(named).find((one) => named[one] === home);
        return {world, name, state: 'paused', rate: 1, tick, revision: Math.floor(tick / 10), tick_rate: 60, ...past};
      }
      case 'world.seek':
        if (Number(params.tick) > last) throw new WeftError({kind: 1, code: 'NOT_FOUND', text: 'tick: too late'});
        this.shown.set(home, Number(params.tick));
        return {
          view: VIEW + home,
          tick: params.tick,
          revision: Math.floor(Number(params.tick) / 10),
          exact: true,
          hash: '',
        };
      case 'world.leave':
        if (world > VIEW) this.shown.delete(home);
        return {};
      case 'world.history':
        return {world, first_tick: 0, tick: last, revision: last / 10, records: 0, images: 1, bytes: 0, spans: []};
      case 'grab.begin':
        return {grab: 7, tick: last};
      case 'constraint.list':
        throw new WeftError({kind: 1, code: 'BUSY', text: 'not now'});
      case 'edit.log':
        return {edits: [], sequence: 0, next: 0};
      default:
        return {};
    }
  }
}

// After what needs no timer.
async function turn(): Promise<void> {
  for (let i = 0; i < 30; i++) await Promise.resolve();
}

// Until nothing is left to be done.
async function rest(): Promise<void> {
  await turn();
  await new Promise((resolve) => setTimeout(resolve, 0));
}

describe('going about in the past', () => {
  let fake: Fake;
  let document: WorldDocument;
  let past: Past;
  let beside: Beside;

  beforeEach(async () => {
    fake = new Fake();
    const client = fake as unknown as Client;
    document = new WorldDocument(client);
    past = new Past(client, document);
    beside = new Beside(client, document, past, new Packing(client, null));
    await document.open('one');
  });
  afterEach(() => {
    vi.useRealTimers();
    beside.close();
    past.close();
    document.close();
  });

  it('is offered by a server that has it', () => {
    expect(past.offered.value).toBe(true);
    expect(past.range.value).toEqual({first: 0, last: 100});
    fake.hello = {session: 9, api_level: 3};
    fake.go('open');
    expect(past.offered.value).toBe(false);
  });

  it('shows a tick, under the same name, and takes no edits there', async () => {
    past.seek(42);
    expect(past.at.value).toBe(42);
    await rest();
    expect(document.viewOf.value).toBe(1);
    expect(document.home.value).toBe(1);
    expect(document.world.value).toBe(VIEW + 1);
    expect([document.tick.value, document.revision.value]).toEqual([42, 4]);
    expect(document.name.value).toBe('one');
    expect(document.readOnly.value).toBe('it is past');
    const commands = new Commands(fake as unknown as Client, document);
    for (const call of [commands.play(), commands.reset(), commands.removeBody(1)]) {
      expect(await call).toMatchObject({ok: false, error: {code: 'READ_ONLY', text: 'it is past'}});
    }
    expect(fake.of('world.play')).toEqual([]);
    commands.close();
  });

  it('lets go of what was held before, where it was held', async () => {
    const commands = new Commands(fake as unknown as Client, document);
    const hold = commands.grab({body: 1, particle: 0}, [0, 0, 0]);
    await rest();
    past.seek(42);
    await rest();
    await hold.end();
    expect(fake.of('grab.end')).toEqual([{grab: 7, world: 1}]);
    commands.close();
  });

  it('has one seek under way, and the newest next', async () => {
    fake.holding = true;
    [10, 20, 30, 40].forEach((tick) => past.seek(tick));
    expect(fake.of('world.seek').map(({tick}) => tick)).toEqual([10]);
    fake.answer();
    await rest();
    expect(fake.of('world.seek').map(({tick}) => tick)).toEqual([10, 40]);
    fake.answer();
    await rest();
    expect(document.tick.value).toBe(40);
    expect(past.busy.value).toBe(false);
  });

  it('does not wait for ever for one that takes long', async () => {
    fake.holding = true;
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
    past.seek(10);
    past.seek(20);
    vi.advanceTimersByTime(PATIENT_MS - 1);
    await turn();
    expect(fake.of('world.seek').map(({tick}) => tick)).toEqual([10]);
    vi.advanceTimersByTime(1);
    await turn();
    expect(fake.of('world.seek').map(({tick}) => tick)).toEqual([10, 20]);
    vi.useRealTimers();
    past.seek(30);
    await rest();
    expect(fake.of('world.seek').map(({tick}) => tick)).toEqual([10, 20]);
    // The server leaves the first.
    fake.refuse();
    await rest();
    expect(past.error.value).toBeNull();
    fake.answer();
    await rest();
    expect(fake.of('world.seek').map(({tick}) => tick)).toEqual([10, 20, 30]);
    fake.answer();
    await rest();
    expect(document.tick.value).toBe(30);
    expect(past.busy.value).toBe(false);
  });

  it('reads the world again only where it was edited in between', async () => {
    past.seek(42);
    await rest();
    const before = fake.of('world.join').length;
    const {value: epoch} = document.epoch;
    past.seek(48);
    await rest();
    expect(fake.of('world.join')).toHaveLength(before);
    past.seek(51);
    await rest();
    expect(fake.of('world.join')).toHaveLength(before + 1);
    expect(document.revision.value).toBe(5);
    // The picture goes on: it is not another world.
    expect(document.epoch.value).toBe(epoch);
  });

  it('stays within what there is', async () => {
    past.seek(-5);
    expect(past.at.value).toBe(0);
    past.seek(1e9);
    expect(past.at.value).toBe(100);
    await rest();
    expect(document.tick.value).toBe(100);
    past.seek(1e9);
    expect(past.at.value).toBe(100);
  });

  it('comes back to now, and the view ends', async () => {
    past.seek(42);
    await rest();
    await past.back();
    expect(past.at.value).toBeNull();
    expect([document.viewOf.value, document.world.value, document.tick.value]).toEqual([0, 1, 100]);
    expect(document.readOnly.value).toBe('');
    expect(fake.of('world.leave')).toEqual([{world: VIEW + 1}]);
  });

  it('comes back while a seek is under way', async () => {
    fake.holding = true;
    past.seek(10);
    past.seek(20);
    await past.back();
    fake.answer();
    await rest();
    expect(fake.of('world.seek')).toHaveLength(1);
    expect([document.viewOf.value, document.world.value]).toEqual([0, 1]);
    expect(fake.of('world.leave')).toEqual([{world: VIEW + 1}]);
  });

  it('says what was refused, and where one is', async () => {
    past.seek(50);
    await rest();
    (past.range as unknown as {peek(): object}).peek = () => ({first: 0, last: 500});
    past.seek(400);
    await rest();
    expect(past.error.value?.text).toBe('tick: too late');
    expect(past.at.value).toBe(50);
    past.seek(60);
    await rest();
    expect(past.error.value).toBeNull();
  });

  it('is the same place after the connection was lost', async () => {
    past.seek(42);
    await rest();
    fake.again(10);
    await rest();
    expect(past.at.value).toBe(42);
    expect([document.viewOf.value, document.tick.value]).toEqual([1, 42]);
    expect(fake.of('world.seek').map(({tick}) => tick)).toEqual([42, 42]);
  });

  it('is now when the view ends', async () => {
    past.seek(42);
    await rest();
    fake.tell('world.changed', {world: VIEW + 1, state: 'deleted', tick: 42});
    await rest();
    expect([past.at.value, document.world.value, document.phase.value]).toEqual([null, 1, 'joined']);
  });

  it('is left with the world', async () => {
    past.seek(42);
    await rest();
    await document.open('two');
    expect(past.at.value).toBeNull();
    expect([document.viewOf.value, document.home.value]).toEqual([0, 2]);
    expect(fake.of('world.leave').map(({world}) => world)).toEqual([VIEW + 1, 1]);
    expect(past.range.value).toEqual({first: 0, last: 200});
  });

  it('is told of a world that takes no edits for now', () => {
    fake.tell('world.changed', {world: 1, state: 'paused', rate: 1, tick: 7, read_only: 'the disk is full'});
    expect([document.readOnly.value, document.viewOf.value]).toEqual(['the disk is full', 0]);
    fake.tell('world.changed', {world: 1, state: 'paused', rate: 1, tick: 7, read_only: ''});
    expect(document.readOnly.value).toBe('');
  });

  it('sees where the world stands still', async () => {
    vi.useFakeTimers({toFake: ['performance']});
    const tell = (state: string, tick: number) => fake.tell('world.changed', {world: 1, state, rate: 1, tick});
    tell('paused', 50);
    vi.advanceTimersByTime(3000);
    tell('playing', 50);
    tell('paused', 60);
    // Stepped by somebody.
    tell('playing', 64);
    expect(past.stops.value).toEqual([{tick: 50, seconds: 3}]);
    await document.open('two');
    expect(past.stops.value).toEqual([]);
  });

  it('branches of the world, not of the view', async () => {
    past.seek(42);
    await rest();
    await past.branch({tick: 42, name: 'other'});
    expect(fake.of('world.branch')).toEqual([{world: 1, tick: 42, name: 'other'}]);
  });

  describe('beside it', () => {
    it('is now, and goes with the past', async () => {
      past.seek(42);
      await rest();
      await beside.open('one');
      expect([beside.shown.value, beside.same.value]).toEqual([true, true]);
      expect(beside.document.tick.value).toBe(100);
      await past.back();
      await rest();
      expect(beside.shown.value).toBe(false);
      // The world that is open is still joined.
      expect(fake.of('world.leave')).toEqual([{world: VIEW + 1}]);
    });

    it('is another world, at the same tick if one wants it', async () => {
      await beside.open('two');
      await rest();
      expect([beside.shown.value, beside.same.value, beside.document.tick.value]).toEqual([true, false, 200]);
      past.seek(42);
      await rest();
      expect([document.tick.value, beside.document.tick.value]).toEqual([42, 42]);
      beside.together.value = false;
      await rest();
      expect([document.tick.value, beside.document.tick.value]).toEqual([42, 200]);
      beside.together.value = true;
      await rest();
      await past.back();
      await rest();
      expect([beside.document.viewOf.value, beside.document.tick.value]).toEqual([0, 200]);
      beside.leave();
      expect(beside.shown.value).toBe(false);
      expect(fake.of('world.leave').map(({world}) => world)).toContain(2);
    });

    it('that did not come so far is at its last tick', async () => {
      await document.open('two');
      await beside.open('one');
      await rest();
      past.seek(150);
      await rest();
      expect([document.tick.value, beside.document.tick.value]).toEqual([150, 100]);
    });

    it('ends with the world that is open', async () => {
      await beside.open('two');
      await document.open('two');
      await rest();
      expect(beside.shown.value).toBe(false);
      expect(document.phase.value).toBe('joined');
    });
  });
});
