// The palette by keyboard alone, and ranges in the outline.
import assert from 'node:assert/strict';

import {barriersInBoth, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {eventually, makeWorld, open, server, TELEPHONE, test, until} from '../rig.mjs';

test('the palette finds a command, a thing, a piece and a field, by keyboard alone', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await prepared(page);
  const input = page.getByRole('combobox', {name: 'Find a command, a thing or a field'});
  const ask = async (words) => {
    await page.keyboard.press('Control+k');
    await input.waitFor();
    await page.keyboard.type(words);
  };
  // A thing.
  await ask('sheet');
  assert.deepEqual(await barriersInBoth(page, 'the palette'), []);
  await page.keyboard.press('Enter');
  await until(page, (id) => window.weft.selection.selected.value.bodies.has(id), body);
  // A field of it, also one that is folded away.
  await ask('str stiff');
  await page.keyboard.press('Enter');
  await until(page, () => /stiffness/i.test(document.activeElement.closest('.field')?.textContent ?? ''));
  await page.keyboard.press('Escape');
  await ask('friction');
  await page.keyboard.press('Enter');
  await until(page, () => document.activeElement.closest('.field')?.querySelector('.name')?.textContent.trim() === 'Friction');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('0.625');
  await page.keyboard.press('Enter');
  await eventually(() => peer.call('body.get', {world: name, body}), ({friction}) => friction === 0.625, 'it is set');
  // A command, found by arrows, and Escape without one.
  await ask('wiref');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(page, () => window.weft.viewState.overlays.wireframe.value);
  await ask('nothing has this name at all');
  await page.getByText('Nothing of that name.').waitFor();
  await page.keyboard.press('Escape');
  await input.waitFor({state: 'detached'});
  // A piece of the gallery.
  await ask('add hammock');
  await page.keyboard.press('Enter');
  await page.getByRole('option', {name: 'Hammock', selected: true}).waitFor();
  await page.keyboard.press('Escape');
  peer.close();
});

test('the palette and the clipboard are in the menu of a telephone', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: TELEPHONE});
  await prepared(page);
  const more = async (item) => {
    await page.getByRole('button', {name: 'More', exact: true}).tap();
    await page.getByRole('button', {name: item}).tap();
  };
  await more('Find a command…');
  await page.getByRole('combobox').fill('sheet');
  assert.deepEqual(await barriersInBoth(page, 'the palette'), []);
  await page.getByRole('option', {name: /sheet/}).first().tap();
  await until(page, (id) => window.weft.selection.selected.value.bodies.has(id), body);
  await more(/^Copy$/);
  await page.locator('.toast', {hasText: 'Copied 1 body.'}).waitFor();
  await more(/^Paste$/);
  await page.locator('.toast', {hasText: 'Pasted 1 body.'}).waitFor();
  assert.equal((await peer.call('world.join', {world: name})).bodies.length, 2);
  peer.close();
});

test('ranges in the outline go by Shift, and Ctrl adds and removes one', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  for (const ball of ['one', 'two', 'three', 'four'])
    await peer.call('collider.add', {world: name, name: ball, kind: 'sphere', position: [3, 1, 0], radius: 0.1});
  const page = await open(name);
  const chosen = () =>
    page.evaluate(() =>
      [...window.weft.selection.selected.value.colliders].map((id) => window.weft.document.colliders.value.get(id).name),
    );
  await page.keyboard.press('o');
  const row = (of) => page.getByRole('treeitem', {name: of, exact: true});
  await row('one').click();
  await row('three').click({modifiers: ['Shift']});
  assert.deepEqual(await chosen(), ['one', 'two', 'three']);
  await row('two').click({modifiers: ['Control']});
  assert.deepEqual(await chosen(), ['one', 'three']);
  await row('four').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Shift+ArrowUp');
  assert.deepEqual(await chosen(), ['two', 'three', 'four']);
  await page.keyboard.press('Shift+ArrowDown');
  assert.deepEqual(await chosen(), ['three', 'four']);
  peer.close();
});
