// How bodies meet: what is set of it, and what is told.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, fill, makeWorld, open, server, test} from '../rig.mjs';

test('contact is set in the inspector, and refused by what the server says', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const contact = page.locator('.section', {hasText: 'Contact'});
  const itself = contact.getByRole('switch', {name: 'Self contact'});
  // It is as thin as nothing, and so it can meet nobody.
  await itself.click();
  await page.getByRole('alert').filter({hasText: /thick/}).first().waitFor();
  assert.equal((await peer.call('body.get', {world: name, body})).self_contact, false);
  await fill(page.getByRole('textbox', {name: /^Thickness/}), '0.01');
  await eventually(
    async () => (await peer.call('body.get', {world: name, body})).thickness,
    (value) => Math.abs(value - 0.01) < 1e-9,
    'it is thick enough',
  );
  if ((await itself.getAttribute('aria-checked')) === 'true') await itself.click();
  await itself.click();
  await eventually(
    async () => (await peer.call('body.get', {world: name, body})).self_contact,
    (value) => value === true,
    'it meets itself',
  );
  peer.close();
});

test('statistics tell what touches and what crosses', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name);
  await page.keyboard.press('y');
  const figures = page.getByRole('group', {name: 'Figures'});
  await figures.getByText('Ticks').waitFor();
  assert.equal(await figures.getByText('Contacts').count(), 0, 'nothing is said where nobody meets anybody');
  const meets = {thickness: 0.01, self_contact: true, contact_group: 1, contact_mask: 1};
  await peer.call('body.set', {world: name, body, ...meets});
  await peer.call('body.add', {
    world: name,
    name: 'through',
    kind: 'cloth',
    positions: [-0.31, 1.13, -0.3, 0.33, 1.13, -0.3, 0.02, 1.13, 0.4],
    triangles: [0, 1, 2],
    masses: [0, 0, 0],
    ...meets,
  });
  const crossing = figures.locator('div', {has: page.getByText('Crossing', {exact: true})}).locator('dd');
  await crossing.waitFor();
  await eventually(
    async () => Number(await crossing.first().textContent()),
    (count) => count > 0,
    'edges go through a triangle',
  );
  assert.match(await crossing.first().getAttribute('class'), /danger/);
  peer.close();
});
