// Help, the first tour, and the lines for programs.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {barriersInBoth, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {eventually, fill, forgive, joined, makeWorld, open, server, TELEPHONE, test, until} from '../rig.mjs';
import {startServer} from '../server.mjs';

const {WEFTD, WEFT_STUDIO_DIR} = process.env;

// The page as a new person has it.
async function asNew(page) {
  await page.evaluate(() => localStorage.setItem('weft.toured', 'false'));
  await page.reload();
  await joined(page);
}

for (const [where, context] of [['wide page', {}], ['telephone', TELEPHONE]]) {
  test(`a new person is shown five steps once, on a ${where}, by the keyboard alone`, async () => {
    const peer = await Peer.connect(server.url);
    const {name} = await makeWorld(peer, {side: 6, play: false});
    const page = await open(name, {context});
    assert.equal(await page.locator('.tour').count(), 0, 'who was here before is shown none');
    await asNew(page);
    const first = page.getByRole('dialog', {name: 'Pull at things'});
    await first.waitFor();
    const card = await first.boundingBox();
    const {width, height} = page.viewportSize();
    assert.ok(card.y > height / 2 && card.y + card.height < height, `the middle of the picture is free: ${JSON.stringify(card)}`);
    await prepared(page);
    assert.deepEqual(await barriersInBoth(page, 'tour'), []);
    if (process.env.SHOTS) await page.screenshot({path: `${process.env.SHOTS}/tour-${where}.png`});
    for (const title of ['Let time run', 'Add things', 'Change them', 'Go back, and take it along']) {
      await page.keyboard.press('Enter');
      const next = page.getByRole('dialog', {name: title});
      await next.waitFor();
      const box = await next.boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${title} is on the page`);
    }
    await page.getByText('5 of 5').waitFor();
    await page.keyboard.press('Escape');
    await until(page, () => document.querySelector('.tour') === null);
    assert.equal((await peer.call('world.get', {world: name})).state, 'paused', 'keys of the tour do nothing else');
    await page.reload();
    await joined(page);
    assert.equal(await page.evaluate(() => localStorage.getItem('weft.toured')), 'true');
    peer.close();
  });
}

test('help has answers, the keys, and the tour again', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {side: 6, play: false});
  const page = await open(name);
  await page.getByRole('button', {name: 'More'}).click();
  await page.getByRole('button', {name: 'Help'}).click();
  const help = page.getByRole('dialog', {name: 'Help'});
  await help.getByText('guides/studio.md').waitFor();
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'help'), []);
  if (process.env.SHOTS) await page.screenshot({path: `${process.env.SHOTS}/help.png`});
  await help.getByRole('button', {name: 'Keys'}).click();
  await page.getByRole('dialog', {name: 'Keys'}).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await help.getByRole('button', {name: 'Take the tour'}).click();
  await page.getByRole('dialog', {name: 'Pull at things'}).waitFor();
  peer.close();
});

test('lines for programs name this world, and are copied', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {side: 6, play: false});
  const page = await open(name);
  await page.getByRole('button', {name: 'More'}).click();
  await page.getByRole('button', {name: 'Connect from a program…'}).click();
  const dialog = page.getByRole('dialog', {name: `Connect to ${name}`});
  await dialog.getByText('127.0.0.1:9338', {exact: true}).waitFor();
  await fill(dialog.getByRole('textbox', {name: 'Port for programs'}), '4711');
  await dialog.getByText('127.0.0.1:4711', {exact: true}).waitFor();
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'connect'), []);
  if (process.env.SHOTS) await page.screenshot({path: `${process.env.SHOTS}/connect.png`});
  await dialog.getByRole('radio', {name: 'Shell'}).click();
  await dialog.getByRole('button', {name: 'Copy these lines'}).click();
  await eventually(
    () => page.evaluate(() => navigator.clipboard.readText()),
    (text) => text.includes("WEFT_SERVER='127.0.0.1:4711'") && text.includes(`world='${name}'`),
    'the lines are on the clipboard',
  );
  peer.close();
});

test('a token for a program is made on demand, is hidden, and is good for this world alone', async () => {
  const data = mkdtempSync(join(tmpdir(), 'weft-studio-'));
  const token = execFileSync(WEFTD, ['--data', data, '--token-new', 'root'], {encoding: 'utf8'}).trim();
  const own = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR, data, more: ['--tokens']});
  try {
    const peer = await Peer.connect(own.url, '', token);
    const {name} = await makeWorld(peer, {play: false});
    await makeWorld(peer, {name: 'other', play: false});
    const page = await open(null, {url: own.url, hash: `#world=${name}`});
    await fill(page.getByRole('dialog', {name: 'Who are you?'}).locator('input'), token);
    await joined(page);
    await until(page, () => window.weft.access.tokens.value && window.weft.access.list.value !== null);
    await page.getByRole('button', {name: 'More'}).click();
    await page.getByRole('button', {name: 'Connect from a program…'}).click();
    const dialog = page.getByRole('dialog', {name: `Connect to ${name}`});
    await dialog.getByRole('button', {name: 'Create a token'}).click();
    await dialog.getByRole('button', {name: 'Show it'}).waitFor();
    assert.ok(!(await dialog.textContent()).includes('weft_'), 'nobody looks over the shoulder at it');
    await dialog.getByRole('button', {name: 'Show it'}).click();
    const made = await dialog.locator('.connect-token code').last().textContent();
    assert.match(made, /^weft_/);
    assert.notEqual(made, token);
    const program = await Peer.connect(own.url, '', made);
    assert.equal((await program.call('world.get', {world: name})).name, name);
    await assert.rejects(program.call('world.pause', {world: name}), /is for editors of world/);
    await assert.rejects(program.call('world.get', {world: 'other'}), /other/);
    program.close();
    peer.close();
  } finally {
    await own.stop();
    rmSync(data, {recursive: true});
    forgive(/WebSocket|ERR_CONNECTION/);
  }
});
