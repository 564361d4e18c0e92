// Curves, and what is saved of them.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {makeWorld, open, server, test, until} from '../rig.mjs';

test('plots show curves and are saved as PNG and CSV', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name);
  await page.keyboard.press('m');
  const energy = page.getByRole('figure', {name: /^Energy/});
  await energy.waitFor();
  await until(page, () => window.weft.recorder.measures.length > 5);
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    energy.getByRole('button', {name: 'Save Energy as CSV'}).click(),
  ]);
  const chunks = [];
  for await (const chunk of await csv.createReadStream()) chunks.push(chunk);
  const [head, ...rows] = Buffer.concat(chunks).toString().trim().split('\r\n');
  assert.match(head, /^time \[s\],Kinetic \[J\]/);
  assert.ok(rows.length > 5 && rows.every((row) => row.split(',').length === head.split(',').length));
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    energy.getByRole('button', {name: 'Save Energy as PNG'}).click(),
  ]);
  const picture = [];
  for await (const chunk of await png.createReadStream()) picture.push(chunk);
  assert.equal(Buffer.concat(picture).subarray(1, 4).toString(), 'PNG');
  await page.evaluate((id) => window.weft.selection.selectParticles(id, [40]), body);
  await page
    .getByRole('figure', {name: /sheet #40/})
    .first()
    .waitFor();
  peer.close();
});
