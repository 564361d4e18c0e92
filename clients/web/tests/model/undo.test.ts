// Several people take edits back and do them again, against a real weftd (WEFTD names the program). The tests look at the words
// of the page and at the mirrors of both people.
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {App, type Outcome} from '../../src/studio/model/index.js';
import {errorWords} from '../../src/studio/ui/errors.js';
import {takeBack} from '../../src/studio/ui/undo.js';
import {cloth, until, Weftd, WEFTD} from '../lib/weftd.js';

let server: Weftd;
const apps: App[] = [];
let worlds = 0;

function person(user: string): App {
  const app = new App({url: server.url, client: 'test', user, WebSocket});
  apps.push(app);
  return app;
}

function good<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw outcome.error;
  return outcome.result;
}

// Two people in a world with a sheet, which Ann added.
async function pair(): Promise<{ann: App; bob: App; body: number}> {
  const name = `undone ${++worlds}`;
  const ann = person('Ann');
  good(await ann.worlds.create({name, damping: 0.5}));
  await ann.open(name);
  const {body} = good(await ann.commands.addBody({...cloth(4), name: 'sheet', friction: 0.125}));
  const bob = person('Bob');
  await bob.open(name);
  await until(() => bob.document.bodies.value.has(body), 'both have the sheet');
  return {ann, bob, body};
}

const frictionOf = (app: App, body: number) => app.document.bodies.value.get(body)!.friction;
const dampingOf = (app: App) => app.document.settings.value.damping;
const said = (app: App) => app.notices.list.value.at(-1)!;

// Until both mirrors say so.
const both = (all: App[], holds: (app: App) => boolean, what: string) => until(() => all.every(holds), what);

const suite = WEFTD === '' ? describe.skip : describe;

suite('what was done', () => {
  beforeAll(async () => {
    server = await Weftd.start();
  });
  afterEach(() => {
    apps.splice(0).forEach((app) => app.close());
  });
  afterAll(() => server.stop());

  it('is taken back by each for themselves, whoever was last, and done again', async () => {
    const {ann, bob, body} = await pair();
    good(await ann.commands.setBody(body, {friction: 0.75}));
    good(await bob.commands.setWorld({damping: 2.5}));
    await both([ann, bob], (app) => frictionOf(app, body) === 0.75 && dampingOf(app) === 2.5, 'both are done');
    expect(await takeBack(ann)).toBe(true);
    expect(said(ann)).toMatchObject({kind: 'info', text: 'Undone: a change of a body.'});
    await both([ann, bob], (app) => frictionOf(app, body) === 0.125 && dampingOf(app) === 2.5, "Ann's is taken back");
    expect(await takeBack(bob)).toBe(true);
    expect(said(bob).text).toBe('Undone: a change of the world.');
    await both([ann, bob], (app) => dampingOf(app) === 0.5, "and Bob's");
    expect(await takeBack(ann, {redo: true})).toBe(true);
    expect(said(ann).text).toBe('Redone: a change of a body.');
    await both([ann, bob], (app) => frictionOf(app, body) === 0.75 && dampingOf(app) === 0.5, "Ann's is there again");
    expect(await takeBack(bob, {redo: true})).toBe(true);
    await both([ann, bob], (app) => dampingOf(app) === 2.5, "and Bob's");
  });

  it('and was changed by somebody since is taken back only if one says so', async () => {
    const {ann, bob, body} = await pair();
    good(await ann.commands.setBody(body, {friction: 0.75}));
    good(await bob.commands.setBody(body, {friction: 0.25}));
    expect(await takeBack(ann)).toBe(false);
    const {kind, text, error, action} = said(ann);
    expect([kind, error!.code, action!.name]).toEqual(['error', 'CONFLICT', 'Undo anyway']);
    expect(text).toBe('Bob changed the friction of sheet since. Undo anyway?');
    expect((await bob.client.call('body.get', {world: bob.document.world.value, body})).friction).toBe(0.25);
    action!.run();
    await both([ann, bob], (app) => frictionOf(app, body) === 0.125, 'it is taken back by force');
    await until(() => said(ann).text !== text, 'it is said what that overwrote');
    expect(said(ann).text).toBe(
      'Undone: a change of a body. It overwrote what others did: Bob changed the friction of sheet.',
    );
    expect(ann.notices.list.value.every((notice) => notice.action === null)).toBe(true);
  });

  it('and does not go with what somebody did since is refused in words, with no way to do it all the same', async () => {
    const {ann, bob, body} = await pair();
    good(await ann.commands.setBody(body, {bend: {compliance: 0.001}}));
    good(await ann.commands.setBody(body, {bend: {compliance: 0}}));
    good(await bob.commands.setBody(body, {bend: {rigidity: 0.002}}));
    expect(await takeBack(ann)).toBe(false);
    expect(said(ann)).toMatchObject({action: null, kind: 'error'});
    expect(errorWords(ann, said(ann).error!)).toBe(
      'Bob changed the bend rigidity of sheet since, and the bend compliance of sheet does not go together with that.',
    );
  });

  it('by several people is told by person and by thing', async () => {
    const {ann, bob, body} = await pair();
    const eve = person('Eve');
    await eve.open(ann.document.name.value);
    const edits = [
      ['world.set', {wind: {drag: 2}, damping: 3}],
      ['body.set', {body, friction: 0.5}],
    ] as const;
    good(await ann.commands.batch(edits));
    good(await bob.commands.setWorld({wind: {drag: 1}}));
    good(await bob.commands.setWorld({damping: 1}));
    good(await eve.commands.setBody(body, {friction: 0.75}));
    expect(await takeBack(ann)).toBe(false);
    expect(said(ann).text).toBe(
      'Eve changed the friction of sheet, and Bob changed the world’s damping and the wind’s drag since. Undo anyway?',
    );
  });

  it('is no word of a particle that somebody else holds: it is said who does', async () => {
    const {ann, bob, body} = await pair();
    good(await bob.commands.call('grab.begin', {body, particle: 9, target: [0, 1, 0]}));
    const refused = await ann.commands.call('grab.begin', {body, particle: 9, target: [0, 1, 0]});
    expect(refused.ok ? '' : errorWords(ann, refused.error)).toBe('Bob holds this point.');
  });

  it('is taken back by its revision while what came later stands; what is an edit of another is said to be', async () => {
    const {ann, bob, body} = await pair();
    good(await ann.commands.setBody(body, {friction: 0.75}));
    const {revision} = await ann.client.call('world.get', {world: ann.document.world.value});
    good(await ann.commands.setWorld({damping: 2.5}));
    expect(await takeBack(bob, {revision})).toBe(false);
    expect(said(bob).text).toBe('This is an edit of Ann. Undo anyway?');
    expect(said(bob).action!.name).toBe('Undo anyway');
    expect(await takeBack(ann, {revision})).toBe(true);
    await both([ann, bob], (app) => frictionOf(app, body) === 0.125 && dampingOf(app) === 2.5, 'the older one alone');
  });

  it('by nobody is refused in words, without a way to do it all the same', async () => {
    const {bob} = await pair();
    expect(await takeBack(bob)).toBe(false);
    expect(said(bob)).toMatchObject({kind: 'error', action: null});
    expect(errorWords(bob, said(bob).error!)).toBe('There is nothing more of yours to undo.');
  });
});
