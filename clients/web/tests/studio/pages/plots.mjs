// Curves, and what is saved of them.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';

import {Peer} from '../peer.mjs';
import {eventually, makeWorld, open, server, test, until} from '../rig.mjs';

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
  const bytes = Buffer.concat(picture);
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  assert.equal(bytes.readUInt32BE(16), 1600, 'a picture is 1600 pixels wide, whatever the screen');
  if (process.env.SHOTS) writeFileSync(`${process.env.SHOTS}/energy.png`, bytes);
  await page.evaluate((id) => window.weft.selection.selectParticles(id, [40]), body);
  await page
    .getByRole('figure', {name: /sheet #40/})
    .first()
    .waitFor();
  peer.close();
});

test('curves are hidden, enlarged and drawn on a logarithmic scale', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer);
  const page = await open(name);
  await page.keyboard.press('m');
  const energy = page.getByRole('figure', {name: /^Energy/}).first();
  await energy.waitFor();
  await until(page, () => window.weft.recorder.measures.length > 20);
  // The share of the plot's pixels that are nearly of a curve's colour.
  const colored = (figure, curve) =>
    figure.evaluate((box, which) => {
      const canvas = box.querySelector('canvas');
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = getComputedStyle(document.documentElement)
        .getPropertyValue(`--curve-${which}`)
        .trim();
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (
          data[i + 3] > 80 &&
          Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 40
        )
          count += 1;
      return count;
    }, curve);
  const potential = energy.getByRole('button', {name: /^Potential/});
  await eventually(
    () => colored(energy, 2),
    (count) => count > 20,
    'the curve is drawn',
  );
  await potential.click();
  await energy.getByRole('button', {name: /^Potential/, pressed: false}).waitFor();
  await eventually(
    () => colored(energy, 2),
    (count) => count === 0,
    'and not while it is hidden',
  );
  await eventually(
    async () => (await colored(energy, 1)) + (await colored(energy, 3)),
    (count) => count > 0,
    'the others are',
  );

  await energy.hover();
  await energy.getByRole('button', {name: 'Enlarge Energy'}).click();
  const dialog = page.getByRole('dialog', {name: 'Energy'});
  const large = dialog.getByRole('figure');
  await large.waitFor();
  await eventually(
    () => large.locator('canvas').boundingBox(),
    (box) => box !== null && box.height > 300,
    'it is large',
  );
  await large.getByRole('button', {name: /^Potential/, pressed: false}).waitFor(); // still hidden
  const picture = () => large.evaluate((box) => box.querySelector('canvas').toDataURL());
  const linear = await picture();
  await large.getByRole('button', {name: 'Energy on a log scale'}).click();
  await large.getByRole('button', {name: 'Energy on a log scale', pressed: true}).waitFor();
  await eventually(
    () => colored(large, 1),
    (count) => count > 20,
    'it is drawn on the logarithmic scale',
  );
  await eventually(async () => (await picture()) !== linear, Boolean, 'which is another picture');
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
  peer.close();
});
