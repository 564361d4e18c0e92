// The chip of the status, and its details.
import assert from 'node:assert/strict';

import {barriers, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {makeWorld, open, server, TELEPHONE, test} from '../rig.mjs';

const WARNED = 'body 1 (sheet) is stretched: its worst edge is 12 % too long; long_edges, more substeps would help';

for (const [where, context] of [
  ['a wide page', {}],
  ['a telephone', TELEPHONE],
]) {
  test(`one chip says how the world is, and its details say why: ${where}`, async () => {
    const peer = await Peer.connect(server.url);
    const {name, body} = await makeWorld(peer);
    const page = await open(name, {context});
    const chip = page.getByRole('button', {name: /^Status:/});
    await page.getByRole('button', {name: 'Status: Live'}).waitFor();
    await peer.call('world.pause', {world: name});
    await page.getByRole('button', {name: 'Status: Paused'}).waitFor();
    await page.evaluate(
      ([id, text]) => {
        const {client, document} = window.weft;
        const warnings = [{code: 'STRETCHED', text, count: 1, elements: Uint32Array.of(id)}];
        client.deliver('world.warned', {world: document.world.value, warnings}, 0);
      },
      [body, WARNED],
    );
    await page.getByRole('button', {name: 'Status: sheet is stretched'}).waitFor();
    await chip.press('Enter');
    const details = page.getByRole('dialog', {name: 'Status'});
    const warning = details.getByRole('list', {name: 'Warnings'}).getByRole('listitem');
    assert.match(await warning.innerText(), /12 % too long\s+Long_edges, more substeps would help/);
    await details.getByRole('note', {name: 'Place of the simulation'}).getByText(/^Positions from the server/).waitFor();
    await details.getByText('Picture behind').waitFor();
    await prepared(page);
    assert.deepEqual(await barriers(page, 'the details of the status'), []);
    const box = await details.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= page.viewportSize().width, 'the details fit on the page');
    await page.keyboard.press('Escape');
    await details.waitFor({state: 'detached'});
    assert.ok(await chip.evaluate((one) => one === document.activeElement), 'the keyboard is back at the chip');
    // The server takes its warning back.
    await page.evaluate(() => {
      const {client, document} = window.weft;
      client.deliver('world.warned', {world: document.world.value, warnings: []}, 0);
    });
    await page.getByRole('button', {name: 'Status: Paused'}).waitFor();
    assert.equal(await chip.count(), 1);
    peer.close();
  });
}
