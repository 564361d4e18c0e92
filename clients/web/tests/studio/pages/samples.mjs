// The gallery of worlds that come with the page, from a server that has none of them.
import assert from 'node:assert/strict';

import {barriers, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {eventually, forgive, open, server, test, until} from '../rig.mjs';

test('a server without worlds shows examples; pictures move while one looks at them, and a choice makes a world that plays', async () => {
  const peer = await Peer.connect(server.url);
  const page = await open(null, {hash: '', context: {reducedMotion: 'no-preference'}});
  await page.getByRole('button', {name: 'See the examples'}).click();
  const dialog = page.getByRole('dialog', {name: 'Example worlds'});
  const card = dialog.getByRole('button', {name: /^flag/});
  await card.waitFor();
  const pictures = card.getByRole('presentation', {includeHidden: true});
  const drawn = () => pictures.evaluateAll((all) => all.filter((one) => one.naturalWidth > 0).map((one) => one.className));
  await eventually(drawn, (all) => all.join() === '', 'there is a picture that stands still');
  await card.hover();
  await eventually(drawn, (all) => all.includes('moving'), 'it moves under the pointer');
  await page.mouse.move(2, 2);
  await eventually(drawn, (all) => all.join() === '', 'and stands still again');
  await page.emulateMedia({reducedMotion: 'reduce'});
  await card.hover();
  assert.equal(await card.locator('.moving').count(), 0, 'nothing moves for those who want that');
  await prepared(page);
  assert.deepEqual(await barriers(page, 'the gallery'), []);
  await card.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({state: 'detached'});
  await until(page, () => window.weft.document.name.value === 'flag' && window.weft.document.run.value.state === 'playing');
  const {worlds} = await peer.call('world.list');
  assert.deepEqual(worlds.map(({name, state}) => [name, state]), [['flag', 'playing']]);
  peer.close();
});

test('the examples are not where they should be: the page says so, and tries again', async () => {
  const page = await open(null, {hash: ''});
  forgive(/scenes\/index\.json/);
  await page.route('**/scenes/index.json', (route) => route.abort());
  await page.getByRole('button', {name: 'See the examples'}).click();
  const dialog = page.getByRole('dialog', {name: 'Example worlds'});
  await dialog.getByRole('alert').getByText(/could not be loaded/).waitFor();
  await page.unroute('**/scenes/index.json');
  await dialog.getByRole('button', {name: 'Try again'}).click();
  await dialog.getByRole('button', {name: /^jelly/}).waitFor();
  assert.equal(await dialog.getByRole('alert').count(), 0);
});
