// A page knows who may do what. These tests ask a real weftd that wants tokens (WEFTD names the program).
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import type {ConnectOptions} from '../../src/lib/index.js';
import {App, type Outcome} from '../../src/studio/model/index.js';
import {until, Weftd, WEFTD} from '../lib/weftd.js';

let server: Weftd;
let data: string;
let token: string;
const apps: App[] = [];
let worlds = 0;

function person(options: Pick<ConnectOptions, 'token' | 'invite' | 'accepted'>): App {
  const app = new App({url: server.url, client: 'test', WebSocket, reconnect: false, ...options});
  apps.push(app);
  return app;
}

function good<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw outcome.error;
  return outcome.result;
}

// The first person of the server in a world of theirs.
async function owner(): Promise<{root: App; world: string}> {
  const root = person({token});
  const world = `guarded ${++worlds}`;
  good(await root.worlds.create({name: world}));
  await root.open(world);
  await until(() => root.access.list.value !== null, 'roles are known');
  return {root, world};
}

const suite = WEFTD === '' ? describe.skip : describe;

suite('a server that asks for tokens', () => {
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'weft-access-'));
    token = execFileSync(WEFTD, ['--data', data, '--token-new', 'root'], {encoding: 'utf8'}).trim();
    server = await Weftd.start('127.0.0.1:0', '--data', data, '--tokens');
  });
  afterEach(() => {
    apps.splice(0).forEach((app) => app.close());
  });
  afterAll(async () => {
    await server.stop();
    rmSync(data, {recursive: true});
  });

  it('lets nobody in without one, or with a wrong one', async () => {
    for (const options of [{}, {token: 'weft_wrong'}]) {
      await expect(person(options).client.opened()).rejects.toMatchObject({code: 'DENIED'});
    }
    const {root} = await owner();
    expect([root.access.tokens.value, root.access.role.value, root.access.controls.value]).toEqual([true, 'owner', true]);
  });

  it('has a viewer look on, and made an editor they edit', async () => {
    const {root, world} = await owner();
    const {invite} = await root.client.call('access.invite', {world, role: 'viewer'});
    const guest = person({invite});
    await guest.client.opened();
    await guest.open(world);
    await until(() => guest.document.looking.value, 'they look on');
    expect([guest.access.role.value, guest.access.controls.value]).toEqual(['viewer', false]);
    expect(guest.document.readOnly.value).not.toBe('');
    for (const refused of [guest.commands.play(), guest.commands.addBody({kind: 'points', positions: [0, 0, 0]})]) {
      expect((await refused).ok).toBe(false);
    }
    expect(await root.client.call('world.get', {world})).toMatchObject({state: 'paused', bodies: 0, revision: root.document.revision.value});
    await root.client.call('access.grant', {world, user: guest.client.hello!.user, role: 'editor'});
    await guest.access.refresh();
    expect([guest.access.role.value, guest.document.looking.value, guest.document.readOnly.value]).toEqual(['editor', false, '']);
    good(await guest.commands.addBody({kind: 'points', positions: [0, 0, 0]}));
  });

  it('takes an invitation once, and shuts out whose token is taken back', async () => {
    const {root, world} = await owner();
    const {invite} = await root.client.call('access.invite', {world, role: 'editor'});
    let accepted = '';
    const guest = person({invite, accepted: ({name}) => (accepted = name)});
    await guest.client.opened();
    expect(accepted).toBe(world);
    await guest.open(world);
    await until(() => guest.access.list.value?.role === 'editor', 'they are an editor');
    await expect(person({invite}).client.opened()).rejects.toBeInstanceOf(Error);
    await root.client.call('token.revoke', {user: guest.client.hello!.user});
    await until(() => guest.client.state !== 'open', 'they are shut out');
  });
});
