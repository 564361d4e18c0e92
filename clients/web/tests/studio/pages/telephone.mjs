// A narrow page and a finger.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, makeWorld, open, server, test} from '../rig.mjs';

test('a telephone: everything is in reach of a finger', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name, {
    context: {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 1},
  });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(await overflow(), 0, 'nothing is wider than the page');
  const buttons = await page.locator('.dock button:visible, .top button:visible').all();
  assert.ok(buttons.length >= 8);
  for (const button of buttons) {
    const box = await button.boundingBox();
    assert.ok(
      box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844,
      'a button is off the page',
    );
    assert.ok(
      box.height >= 36 && box.width >= 30,
      `a button is too small to touch: ${box.width} × ${box.height}`,
    );
  }
  await page.getByRole('button', {name: 'Pause'}).tap();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).state,
    (state) => state === 'paused',
    'a tap pauses',
  );
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.getByRole('button', {name: 'Edit'}).tap();
  const sheet = page.getByRole('complementary', {name: 'Inspector'});
  await sheet.waitFor();
  const box = await sheet.boundingBox();
  assert.ok(
    box.x >= 0 && box.x + box.width <= 390 && box.y > 300 && box.y + box.height < 844,
    'the sheet is on the page, below',
  );
  assert.equal(await overflow(), 0);
  await sheet.getByRole('button', {name: 'Close'}).tap();
  await page.getByRole('button', {name: 'New'}).tap();
  await page.getByRole('option', {name: 'Flag'}).tap();
  assert.equal(await overflow(), 0);
  await page.getByRole('button', {name: 'Add', exact: true}).tap();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).bodies,
    (bodies) => bodies === 2,
    'the flag is there',
  );
  peer.close();
});
