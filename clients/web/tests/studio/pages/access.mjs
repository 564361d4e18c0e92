// A server that asks for tokens: who shows one, who is invited, and what a viewer sees and does not have. What each role may do is in
// tests/model/access.test.ts.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {barriersInBoth, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {eventually, fill, forgive, joined, makeWorld, open, test, until} from '../rig.mjs';
import {startServer} from '../server.mjs';

const {WEFTD, WEFT_STUDIO_DIR} = process.env;

// A server with tokens, for one test; run gets it and its first token.
function guarded(name, run) {
  test(name, async () => {
    const data = mkdtempSync(join(tmpdir(), 'weft-studio-'));
    const token = execFileSync(WEFTD, ['--data', data, '--token-new', 'root'], {encoding: 'utf8'}).trim();
    const own = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR, data, more: ['--tokens']});
    try {
      await run(own, token);
    } finally {
      await own.stop();
      rmSync(data, {recursive: true});
      // Each page loses its server.
      forgive(/WebSocket|ERR_CONNECTION/);
    }
  });
}

// The buttons of the page, by their names.
const buttons = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button')].map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()),
  );

guarded('a token is asked for, and kept for the tab alone', async (own, token) => {
  const peer = await Peer.connect(own.url, '', token);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(null, {url: own.url, hash: `#world=${name}`});
  const dialog = page.getByRole('dialog', {name: 'Who are you?'});
  await fill(dialog.getByRole('textbox').or(dialog.locator('input')), 'weft_wrong');
  await dialog.getByRole('alert').filter({hasText: 'it is wrong'}).waitFor();
  await fill(dialog.locator('input'), token);
  await joined(page);
  await eventually(() => buttons(page), (all) => all.some((one) => one.startsWith('Play')), 'an admin plays');
  assert.deepEqual(
    await page.evaluate(() => [sessionStorage.getItem('weft-token'), Object.values({...localStorage}).join()]).then(
      ([kept, all]) => [kept === null, all.includes('weft_')],
    ),
    [false, false],
    'the token is kept by the tab, and not by the browser',
  );
  await page.reload();
  await joined(page);
  peer.close();
});

guarded('who is invited to look on has no buttons to change anything', async (own, token) => {
  const peer = await Peer.connect(own.url, '', token);
  const {name, body} = await makeWorld(peer, {play: true});
  const {invite} = await peer.call('access.invite', {world: name, role: 'viewer'});
  const page = await open(null, {url: own.url, hash: `#invite=${invite}`});
  await joined(page);
  await eventually(
    () => page.evaluate(() => location.href),
    (href) => !href.includes(invite),
    'the invitation is out of the address',
  );
  await until(page, () => window.weft.document.looking.value);
  await page.getByRole('button', {name: 'Status: You look on'}).waitFor();
  const gone = ['Reset to the start', 'Play', 'Pause', 'Step one tick', 'New'];
  await eventually(() => buttons(page), (names) => !names.some((one) => gone.includes(one)), `there is none of ${gone}`);
  // Nor where something is selected, in the menus and the outline. Looking, measuring and time are there.
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.getByRole('complementary', {name: 'Inspector'}).waitFor();
  await page.keyboard.press('o');
  await page.getByRole('complementary', {name: 'Outline'}).waitFor();
  const edits = ['Undo', 'Redo', 'Duplicate', 'Remove', 'New body or collider', 'Group the selection', 'Apply', 'Pin'];
  await eventually(() => buttons(page), (names) => !names.some((one) => edits.includes(one)), `there is none of ${edits}`);
  const dead = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('button:disabled')]
        .filter((one) => one.role !== 'radio' && one.checkVisibility())
        .map((one) => one.getAttribute('aria-label') ?? one.textContent),
    );
  await eventually(dead, (names) => names.length === 0, 'no button refuses');
  await page.getByRole('timer', {name: 'World time'}).waitFor();
  await page.getByText('Plays', {exact: true}).waitFor();
  await page.getByRole('radio', {name: 'Measure', exact: true}).click();
  const measures = page.getByRole('group', {name: 'Measures'});
  await measures.getByRole('button', {name: 'Area of sheet'}).click();
  await measures.getByRole('listitem').filter({hasText: /m² at rest/}).waitFor();
  await page.getByRole('button', {name: 'Timeline'}).click();
  await page.getByRole('slider', {name: /past/i}).or(page.locator('.timeline')).first().waitFor();
  // It moves all the same, and nothing is pulled or played by keys.
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  await page.keyboard.press(' ');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  const state = await peer.call('world.get', {world: name});
  assert.deepEqual([state.state, state.bodies], ['playing', 1]);
  // The same page again is the same person.
  const who = await page.evaluate(() => window.weft.client.hello.user);
  await page.reload();
  await joined(page);
  assert.equal(await page.evaluate(() => window.weft.client.hello.user), who);
  // Made an editor, it has them.
  await peer.call('access.grant', {world: name, user: who, role: 'editor'});
  await page.reload();
  await joined(page);
  await page.getByRole('button', {name: 'Pause', exact: true}).click();
  await eventually(() => peer.call('world.get', {world: name}), (now) => now.state === 'paused', 'an editor pauses');
  peer.close();
});

guarded('an owner invites from the page, and the link lets somebody in', async (own, token) => {
  const root = await Peer.connect(own.url, '', token);
  const ada = await root.call('token.create', {user: 'Ada'});
  const peer = await Peer.connect(own.url, '', ada.token);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(null, {url: own.url, hash: `#world=${name}`});
  await fill(page.getByRole('dialog', {name: 'Who are you?'}).locator('input'), ada.token);
  await joined(page);
  await until(page, () => window.weft.access.tokens.value && window.weft.access.list.value !== null);
  await page.getByRole('button', {name: /here$/}).click();
  await page.getByRole('button', {name: 'Roles and invitations…'}).click();
  const dialog = page.getByRole('dialog', {name: `Who may do what in ${name}`});
  await dialog.getByRole('radio', {name: 'Editor'}).click();
  await dialog.getByRole('button', {name: 'Create a link'}).click();
  const link = await dialog.getByRole('textbox', {name: 'Invitation'}).inputValue();
  const guest = await open(null, {url: own.url, hash: link.slice(link.indexOf('#'))});
  await joined(guest);
  assert.equal(await guest.evaluate(() => window.weft.document.name.value), name);
  await until(guest, () => window.weft.access.list.value?.role === 'editor');
  // The roles are listed, and changed there.
  const guestName = await guest.evaluate(() => window.weft.client.hello.user);
  await page.evaluate(() => window.weft.access.refresh());
  await dialog.getByRole('combobox', {name: `Role of ${guestName}`}).selectOption('viewer');
  await eventually(
    async () => (await peer.call('access.list', {world: name})).people,
    (people) => people.some(({user, role}) => user === guestName && role === 'viewer'),
    'the guest only looks on',
  );
  // A second invitation is revoked before anybody accepts it.
  await dialog.getByRole('button', {name: 'Create a link'}).click();
  const invitations = dialog.getByRole('list', {name: 'Invitations'});
  await invitations.getByText('Editor, works once, ends in 6 days, by Ada').waitFor();
  const second = await dialog.getByRole('textbox', {name: 'Invitation'}).inputValue();
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'roles and invitations'), []);
  await invitations.getByRole('button', {name: /^Revoke invitation/}).click();
  await invitations.getByText('There are none.').waitFor();
  const late = await open(null, {url: own.url, hash: second.slice(second.indexOf('#'))});
  await late.getByRole('dialog', {name: 'Who are you?'}).waitFor();
  // Whoever is shut out sees it at once.
  await root.call('token.revoke', {user: guestName});
  await guest.getByRole('dialog', {name: 'Who are you?'}).waitFor();
  peer.close();
  root.close();
});
