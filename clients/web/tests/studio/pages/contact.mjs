// How bodies meet: what is set of it, and what is told.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

import {Peer} from '../peer.mjs';
import {eventually, fill, lookFrom, makeWorld, open, openStatus, server, test} from '../rig.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
  await eventually(() => crossing.first().getAttribute('class'), (all) => /danger/.test(all ?? ''), 'it is said in red');
  peer.close();
});

const MEETS = {thickness: 0.01, contact_group: 1, contact_mask: 1};

function square(side, edge, at) {
  const index = (row, column) => row * side + column;
  const positions = [];
  const triangles = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      positions.push(...at((column - (side - 1) / 2) * edge, (row - (side - 1) / 2) * edge));
      if (row + 1 < side && column + 1 < side) {
        const [a, b, c, d] = [index(row, column), index(row, column + 1), index(row + 1, column), index(row + 1, column + 1)];
        triangles.push(a, c, b, b, c, d);
      }
    }
  }
  return {kind: 'cloth', positions, triangles, ...MEETS};
}

test('the picture shows where cloths touch and, in red, where they cross', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const lies = square(9, 0.1, (x, z) => [x, 0.05, z]);
  await peer.call('body.add', {world: name, name: 'table', ...lies, masses: Array(81).fill(0)});
  await peer.call('body.add', {world: name, name: 'cloth', ...square(5, 0.1, (x, z) => [x + 0.013, 0.0701, z + 0.017])});
  // It hangs through the table.
  const through = square(3, 0.1, (x, y) => [-0.33, y + 0.06, x]);
  await peer.call('body.add', {world: name, name: 'through', ...through, pins: [6, 7, 8]});
  for (const viewport of [{width: 1000, height: 700}, {width: 390, height: 844}]) {
    const page = await open(name, {context: {viewport}});
    await lookFrom(page, [0.7, 0.6, 1.1], [-0.05, 0.05, 0]);
    assert.equal(await page.getByRole('group', {name: 'Colours of contact'}).count(), 0);
    await page.keyboard.press('v');
    const own = page.getByRole('switch', {name: 'Contact between bodies'});
    await own.focus();
    await page.keyboard.press('Space');
    await page.getByRole('switch', {name: 'Contact between bodies', checked: true}).waitFor();
    await page.keyboard.press('Escape');
    const legend = page.getByRole('group', {name: 'Colours of contact'});
    await legend.waitFor();
    await eventually(
      () => legend.boundingBox(),
      (box) => box !== null && box.x >= 0 && box.x + box.width <= viewport.width,
      'the legend is on the page',
    );
    await peer.call('world.step', {world: name, ticks: 8});
    const told = () => page.evaluate(() => window.weft.viewState.contacts.value);
    // Ticks before the last have fewer.
    await eventually(
      told,
      (one) => one?.known && one.touching >= 20 && one.crossed >= 3,
      'the cloth touches the table, and one hangs through it',
    );
    await eventually(() => legend.textContent(), (text) => /Touching \d+.*Crossing \d+/.test(text), 'the legend counts');
    await page.evaluate(axe);
    const found = await page.evaluate(async () =>
      (await window.axe.run(document, {resultTypes: ['violations']})).violations
        .filter(({impact}) => impact === 'serious' || impact === 'critical')
        .map(({id, nodes}) => `${id}: ${nodes[0].html}`),
    );
    assert.deepEqual(found, []);
    await page.evaluate(() => (window.weft.viewState.overlays.contacts.value = false));
    await eventually(told, (one) => one === null, 'nothing is shown any more');
  }
  peer.close();
});

test('whether crossings are possible is set in the settings of the world, and said', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('i');
  const choice = page.getByRole('radiogroup', {name: /^Contact quality/});
  await choice.getByRole('radio', {name: 'Guaranteed', checked: true}).focus();
  await page.keyboard.press('ArrowRight');
  await eventually(
    async () => (await peer.call('world.get', {world: name})).contact_quality,
    (quality) => quality === 'fast',
    'the world is told',
  );
  const untangles = page.getByRole('switch', {name: /^Untangle/});
  assert.equal(await untangles.getAttribute('aria-checked'), 'false');
  await untangles.click();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).untangle,
    (value) => value === true,
    'it untangles',
  );
  await peer.call('world.set', {world: name, untangle: false});
  await eventually(
    () => untangles.getAttribute('aria-checked'),
    (value) => value === 'false',
    'others set it as well',
  );
  const details = await openStatus(page);
  const note = details.getByRole('note', {name: 'Quality of contact'});
  assert.equal(await note.count(), 0, 'nothing is said where nobody meets anybody');
  await peer.call('body.set', {world: name, body, ...MEETS});
  await note.filter({hasText: 'crossings are possible'}).waitFor();
  await peer.call('world.set', {world: name, contact_quality: 'guaranteed'});
  await note.filter({hasText: 'nothing crosses'}).waitFor();
  peer.close();
});
