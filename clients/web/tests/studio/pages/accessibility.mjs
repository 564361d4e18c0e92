// axe looks at everything that can be opened, in both themes, wide and narrow.
import assert from 'node:assert/strict';

import {barriers, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {asciiPly} from '../meshes.mjs';
import {give, makeWorld, open, server, TELEPHONE, test, until} from '../rig.mjs';

for (const theme of ['light', 'dark']) {
  test(`nothing serious stands in anybody's way: ${theme}`, async () => {
    const peer = await Peer.connect(server.url);
    const {name, body} = await makeWorld(peer, {play: false});
    const soft = [0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 1];
    await peer.call('body.add', {world: name, kind: 'soft', positions: soft, tets: [0, 1, 2, 3]});
    const page = await open(name, {context: {viewport: {width: 1280, height: 800}}});
    await prepared(page);
    await page.evaluate((choice) => (window.weft.viewState.themeChoice.value = choice), theme);
    const found = [];
    const look = async (where) => found.push(...(await barriers(page, where, theme)));
    const select = (thing) => page.evaluate((one) => window.weft.selection.select([one]), thing);

    await look('the page');
    await page.keyboard.press('o');
    await page.keyboard.press('y');
    await page.keyboard.press('m');
    await page.getByRole('treeitem', {name: /sheet/}).waitFor();
    await page.keyboard.press('i');
    await look('outline, world, statistics, plots');
    await select({kind: 'body', body});
    const folds = page.locator('.inspector .section-toggle[aria-expanded="false"]');
    while ((await folds.count()) > 0) await folds.first().click();
    await look('a body');
    await page.evaluate((id) => window.weft.selection.selectParticles(id, [0, 1, 9, 10]), body);
    await look('particles');
    const [collider] = (await peer.call('world.join', {world: name})).colliders;
    await select({kind: 'collider', collider: collider.collider});
    await look('a collider');
    await select({kind: 'constraint', constraint: 1, type: 'distance'});
    await look('a constraint');
    await page.keyboard.press(']');
    await until(page, () => window.weft.scrubber.count.value > 0);
    await page.keyboard.press('3');
    await look('substeps and tool options');
    for (const colours of ['kind', 'strain']) {
      await page.evaluate((mode) => (window.weft.viewState.overlays.constraints.value = mode), colours);
      await page.getByRole('group', {name: /^Colours of the/}).waitFor();
      await look(`the legend: ${colours}`);
    }
    await select({kind: 'body', body});
    await page.getByRole('radiogroup', {name: 'Handle'}).waitFor();
    await page.keyboard.press('Shift+H');
    await page.getByRole('button', {name: 'Show again'}).waitFor();
    await look('handles, and a body that is hidden');
    await page.keyboard.press('Shift+H');
    await page.evaluate(() => (window.weft.viewState.overlays.constraints.value = 'off'));
    await page.evaluate(() => window.weft.selection.clear());
    for (const [button, dialog] of [
      [`World ${name}`, 'Worlds'],
      [/(people|person) here$/, 'People'],
      ['View options', 'View options'],
      ['More', 'More'],
      [/^Rate/, 'Rate'],
    ]) {
      await page.getByRole('button', {name: button, exact: typeof button === 'string'}).click();
      await page.getByRole('dialog', {name: dialog}).waitFor();
      await look(dialog);
      await page.keyboard.press('Escape');
    }
    for (const [key, dialog] of [
      ['n', 'New'],
      ['?', 'Keys'],
    ]) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', {name: dialog}).waitFor();
      await look(dialog);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('b');
    await page.getByRole('button', {name: 'New world…'}).click();
    await page.getByRole('dialog', {name: 'New world'}).waitFor();
    await look('a new world');
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({id}) => id));
    assert.equal(new Set(ids).size, ids.length, 'no two elements have one id');
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.weft.notices.info('A notice.'));
    await page.getByText('A notice.').waitFor();
    await look('a notice');
    await lookAtImport(page, look);
    assert.deepEqual(found, []);
    peer.close();
  });
}

// The dialog of a file, as it comes, as a soft body, as an obstacle, and where it cannot be one.
async function lookAtImport(page, look) {
  const dialog = page.getByRole('dialog');
  await give(page, [['cube.ply', asciiPly()]]);
  await dialog.waitFor();
  await look('a mesh');
  await dialog.getByRole('radio', {name: 'Soft'}).click();
  await dialog.getByText(/^Filled with/).waitFor();
  await look('a mesh, filled');
  await dialog.getByRole('radio', {name: 'Obstacle'}).click();
  await look('a mesh as an obstacle');
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
  await give(page, [['sheet.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n']]);
  await dialog.waitFor();
  await dialog.getByRole('radio', {name: 'Soft'}).click();
  await dialog.getByRole('alert').filter({hasText: 'closed surface'}).waitFor();
  await look('a mesh that cannot be filled');
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
}

test("nothing serious stands in anybody's way: a telephone", async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  // Others are there, whose letters are seen.
  const others = [await Peer.connect(server.url), await Peer.connect(server.url)];
  for (const other of others) await other.call('world.join', {world: name});
  const page = await open(name, {context: TELEPHONE});
  await prepared(page);
  const found = [];
  const look = async (where) => found.push(...(await barriers(page, where)));
  await look('the page');
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.getByRole('button', {name: 'Edit'}).tap();
  await look('the inspector');
  for (const sheet of ['Outline', 'Plots']) {
    await page.getByRole('button', {name: 'More'}).tap();
    await page.getByRole('dialog', {name: 'More'}).getByRole('button', {name: sheet}).tap();
    await look(sheet);
  }
  await page.evaluate(() => (window.weft.viewState.overlays.constraints.value = 'strain'));
  await page.evaluate(() => (window.weft.viewState.tool.value = 'click'));
  await page.getByRole('radiogroup', {name: 'Handle'}).waitFor();
  await look('handles and a legend');
  await lookAtImport(page, look);
  await page.keyboard.press('h');
  await page.getByRole('button', {name: 'Show the panels'}).waitFor();
  await look('hidden panels');
  assert.deepEqual(found, []);
  for (const one of [peer, ...others]) one.close();
});
