// Twins that begin with the first module and go over to the full one: when, with which state, and what happens if it does not come.
import {readFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, openTwin, WeftError} from '../../../src/lib/index.js';
import type {Client, StreamRecordsNotice, Twin, TwinOptions} from '../../../src/lib/index.js';
import {TwinCore} from '../../../src/lib/twin/core.js';
import {cloth, until, WEFTD, Weftd} from '../weftd.js';

const FIRST = process.env['WEFT_WASM'] ?? '';

/** A server of the two modules, at an address of its own, so that nothing of it was fetched before. */
class Files {
  readonly asked = {first: 0, full: 0};
  /** The full module is not there. */
  missing = false;
  /** Answers for the full module wait until it is resolved. */
  gate: Promise<void> = Promise.resolve();
  private readonly server: Server;

  constructor() {
    const full = readFileSync(FIRST.replace(/\.wasm$/, '-full.wasm'));
    const first = readFileSync(FIRST);
    this.server = createServer((request, response) => {
      const which = request.url === '/weft-machine.wasm' ? 'first' : 'full';
      this.asked[which]++;
      const wait = which === 'full' ? this.gate : Promise.resolve();
      void wait.then(() => {
        const found = which === 'first' || !this.missing;
        response.writeHead(found ? 200 : 404).end(found ? (which === 'first' ? first : full) : '');
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get machine(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/weft-machine.wasm`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe.skipIf(WEFTD === '' || FIRST === '')('a twin whose module is the first', () => {
  const clients: Client[] = [];
  const twins: Twin[] = [];
  let server: Weftd;
  let files: Files;
  let worlds = 0;

  beforeAll(async () => {
    server = await Weftd.start();
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(async () => {
    files = new Files();
    await files.listen();
  });
  afterEach(() => {
    twins.splice(0).forEach((twin) => twin.close());
    clients.splice(0).forEach((client) => client.close());
    files.close();
  });

  function open(): Client {
    const client = connect({url: server.url, WebSocket, client: 'full test', reconnect: {firstDelayMs: 20}});
    clients.push(client);
    return client;
  }

  function begin(client: Client, world: number, options: Partial<TwinOptions> = {}): Twin {
    const twin = openTwin(client, {world, machine: files.machine, ...options});
    twins.push(twin);
    return twin;
  }

  async function world(client: Client): Promise<{id: number; body: number}> {
    const {world: id} = await client.call('world.create', {name: `full-${++worlds}`, substeps: 8});
    const {body} = await client.call('body.add', {world: id, ...cloth(8)});
    return {id, body};
  }

  /** An edit that the first module cannot do. */
  const slide = (client: Client, id: number, body: number) =>
    client.call('constraint.add', {world: id, type: 'slide', body, particles: [20, 29, 38], compliance: 1e-6});

  /** The twin has the state of the world, at a tick that both are at. */
  async function agree(client: Client, id: number, twin: Twin): Promise<void> {
    await client.call('world.step', {world: id, ticks: 5});
    const {tick} = await client.call('world.hash', {world: id});
    await until(() => twin.status.state === 'following' && twin.status.sameTick >= tick, `tick ${tick} is equal`);
    expect(twin.status.differences).toBe(0);
  }

  it('stays with it as long as the world needs no more', async () => {
    const client = open();
    const {id, body} = await world(client);
    const twin = begin(client, id);
    await agree(client, id, twin);
    await client.call('body.set', {world: id, body, friction: 0.9});
    await client.call('edit.undo', {world: id});
    await agree(client, id, twin);
    expect(twin.status).toMatchObject({images: 1, losses: 0});
    expect(files.asked).toEqual({first: 1, full: 0});
  });

  it('goes over when an edit needs the full one, and edits made meanwhile are there', async () => {
    const client = open();
    const {id, body} = await world(client);
    let let_go = () => {};
    files.gate = new Promise((resolve) => (let_go = resolve));
    const twin = begin(client, id);
    await agree(client, id, twin);
    await slide(client, id, body);
    await until(() => files.asked.full === 1, 'the full module is asked for');
    expect(twin.status.state).toBe('joining');
    expect(twin.status.text).toContain('slide');
    // Meanwhile: an edit that is taken back, one that stays, and time.
    await client.call('body.set', {world: id, body, friction: 0.9});
    await client.call('edit.undo', {world: id});
    await client.call('collider.add', {world: id, kind: 'sphere', position: [0.5, 0.6, 0.5], radius: 0.2});
    await client.call('world.step', {world: id, ticks: 7});
    let_go();
    await agree(client, id, twin);
    expect(twin.status.images).toBe(2);
    // The slide is taken back here as well, and is done again.
    for (let undo = 0; undo < 2; undo++) await client.call('edit.undo', {world: id});
    await agree(client, id, twin);
    for (let redo = 0; redo < 2; redo++) await client.call('edit.redo', {world: id});
    await agree(client, id, twin);
    expect(twin.status).toMatchObject({images: 2, losses: 1});
    expect(files.asked).toEqual({first: 1, full: 1});
  });

  it('of a world that has such a kind goes over at once, and the next begins with the full one', async () => {
    const client = open();
    const {id, body} = await world(client);
    await slide(client, id, body);
    await agree(client, id, begin(client, id));
    const next = begin(client, id);
    await agree(client, id, next);
    expect(next.status).toMatchObject({images: 1, losses: 0});
    expect(files.asked).toEqual({first: 1, full: 1});
  });

  it('comes to the state of one that had the full module from the start', async () => {
    const client = open();
    const {id, body} = await world(client);
    const full = readFileSync(FIRST.replace(/\.wasm$/, '-full.wasm'));
    const other = begin(client, id, {machine: full, fields: ['positions', 'velocities']});
    const twin = begin(client, id, {fields: ['positions', 'velocities']});
    const last = new Map<Twin, unknown>();
    for (const one of [twin, other]) one.onFrame(({tick, bodies}) => last.set(one, {tick, bodies}));
    await agree(client, id, twin);
    await slide(client, id, body);
    await agree(client, id, twin);
    await agree(client, id, other);
    const {tick} = await client.call('world.get', {world: id});
    const shown = (one: Twin) => (last.get(one) as {tick: number} | undefined)?.tick === tick;
    await until(() => shown(twin) && shown(other), 'both show the last tick');
    expect(last.get(twin)).toEqual(last.get(other));
    expect([twin.status.images, other.status.images]).toEqual([2, 1]);
  });

  it('leaves another world of the page alone', async () => {
    const client = open();
    const [plain, rare] = [await world(client), await world(client)];
    const [calm, moving] = [begin(client, plain.id), begin(client, rare.id)];
    await agree(client, plain.id, calm);
    await agree(client, rare.id, moving);
    await slide(client, rare.id, rare.body);
    await agree(client, rare.id, moving);
    await agree(client, plain.id, calm);
    expect([calm.status.images, moving.status.images]).toEqual([1, 2]);
    expect(calm.status.losses).toBe(0);
  });

  it('ends and says why if the full one does not come; the world is as it was, and the next twin tries again', async () => {
    const client = open();
    const {id, body} = await world(client);
    files.missing = true;
    const twin = begin(client, id);
    await agree(client, id, twin);
    await slide(client, id, body);
    const before = await client.call('world.hash', {world: id});
    await until(() => twin.status.state === 'closed', 'it ends');
    expect(twin.status.text).toMatch(/^weft-machine-full\.wasm: .*weft-machine-full\.wasm: 404/);
    expect(await client.call('world.hash', {world: id})).toEqual(before);
    files.missing = false;
    const next = begin(client, id);
    await agree(client, id, next);
    expect(files.asked).toEqual({first: 1, full: 2});
  });

  it('also gives way to the full one if it breaks without a reason', async () => {
    const client = open();
    const {id, body} = await world(client);
    const notices: StreamRecordsNotice[] = [];
    const stream = await client.subscribeRecords(id, (notice) => notices.push(notice));
    await client.call('world.step', {world: id, ticks: 3});
    await until(() => notices.some(({tick}) => tick === 3), 'records of three ticks');
    const core = new TwinCore(await WebAssembly.compile(readFileSync(FIRST)));
    notices.forEach((notice) => core.take(notice, 0));
    core.machine!.step = () => {
      throw new WeftError({kind: 0, code: 'INTERNAL', text: 'the machine broke: tried out'});
    };
    core.step(3);
    expect([core.needs, core.losses, core.machine]).toEqual(['the machine broke: tried out', 1, null]);
    core.widen(await WebAssembly.compile(readFileSync(FIRST.replace(/\.wasm$/, '-full.wasm'))));
    notices.forEach((notice) => core.take(notice, 0));
    while (core.step(3));
    expect([core.needs, core.losses, core.tick, core.differences]).toEqual(['', 1, 3, 0]);
    // The full module is not followed by another one.
    core.machine!.step = () => {
      throw new WeftError({kind: 0, code: 'INTERNAL', text: 'the machine broke: again'});
    };
    await slide(client, id, body);
    await client.call('world.step', {world: id, ticks: 1});
    await until(() => notices.some(({tick}) => tick === 4), 'the next tick');
    notices.slice(notices.findIndex(({tick}) => tick === 3) + 1).forEach((notice) => core.take(notice, 0));
    core.step(4);
    expect([core.needs, core.losses]).toEqual(['', 2]);
    core.close();
    await stream.close();
  });

  it('ends and says so if it does not know where the full one is', async () => {
    const client = open();
    const {id, body} = await world(client);
    const twin = begin(client, id, {machine: readFileSync(FIRST)});
    await agree(client, id, twin);
    await slide(client, id, body);
    await until(() => twin.status.state === 'closed', 'it ends');
    expect(twin.status.text).toMatch(/slide is not in weft-machine\.wasm.*the option "full"/);
    const next = begin(client, id, {machine: readFileSync(FIRST), full: files.machine.replace('.wasm', '-full.wasm')});
    await agree(client, id, next);
  });
});
