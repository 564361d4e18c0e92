// Meshes that are dropped on the page, and worlds that are new.
import assert from 'node:assert/strict';

import {asciiPly, binaryStl, glb, gltfWithData, obj} from '../meshes.mjs';
import {Peer} from '../peer.mjs';
import {SIZE, eventually, field, fill, makeWorld, open, positionsOf, server, test} from '../rig.mjs';

test('a file that is dropped becomes a cloth, welded', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const files = [
    ['soup.stl', binaryStl()],
    ['cube.obj', obj()],
    ['cube.ply', asciiPly()],
    ['cube.glb', glb()],
    ['cube.gltf', gltfWithData()],
  ];
  for (const [file, content] of files) {
    const base64 = Buffer.from(content).toString('base64');
    await page.evaluate(
      ([fileName, data]) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], fileName));
        for (const type of ['dragenter', 'dragover', 'drop']) {
          document.body.dispatchEvent(
            new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}),
          );
        }
      },
      [file, base64],
    );
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    if (file === 'soup.stl') {
      await dialog.getByText('28 of 36 vertices lay where others lie and were welded.').waitFor();
      // It is shown before it is added.
      await page.waitForFunction(() => window.weft.viewState.preview.value !== null);
      await fill(dialog.getByRole('textbox', {name: /^Scale/}), '0.5');
    }
    await page.getByRole('button', {name: 'Add as cloth'}).click();
    await dialog.waitFor({state: 'detached'});
  }
  const {bodies} = await peer.call('world.join', {world: name});
  assert.equal(bodies.length, 1 + files.length);
  const [, soup, cube] = bodies;
  assert.deepEqual([soup.kind, soup.name, soup.particles, soup.triangles], ['cloth', 'soup', 8, 12]);
  assert.deepEqual([cube.kind, cube.name, cube.particles, cube.triangles], ['cloth', 'cube', 8, 12]);
  const heights = (await positionsOf(peer, name, soup.body)).filter((_, i) => i % 3 === 1);
  assert.ok(Math.abs(Math.max(...heights) - Math.min(...heights) - 0.5) < 1e-5, 'the scale that was typed');

  // What cannot be read is said.
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['nonsense'], 'broken.ply'));
    document.body.dispatchEvent(
      new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}),
    );
  });
  await page.getByText('broken.ply could not be read').waitFor();
  peer.close();
});

test('a new world has a ground, says that it is empty, and shows what comes', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('b');
  await page.getByRole('button', {name: 'New world…'}).click();
  await fill(page.getByRole('dialog').getByRole('textbox', {name: 'Name'}), `${name}-bare`);
  await page.getByText('An empty world').waitFor();
  const colliders = async () => (await peer.call('world.get', {world: `${name}-bare`})).colliders;
  await eventually(colliders, (count) => count === 1, 'there is a ground');

  // A double click on a picture takes that one: nothing moves under the pointer.
  await page.getByRole('button', {name: 'Add something'}).click();
  await page.getByRole('option', {name: 'Flag'}).dblclick();
  await page.getByRole('dialog').waitFor({state: 'detached'});
  const flag = await page.evaluate(() =>
    [...window.weft.document.bodies.value.values()].map((body) => [body.body, body.name]),
  );
  assert.equal(flag.length, 1);
  assert.equal(flag[0][1], 'flag');
  assert.ok(!(await page.getByText('An empty world').isVisible()));
  // It was brought into view.
  const corners = await eventually(
    () => page.evaluate(([id]) => [0, 900].map((k) => window.weft.view.project(id, k)), [flag[0][0]]),
    (all) => all.every(Boolean) && Math.abs(all[0].x - all[1].x) > 150,
    'the flag is large enough to see',
  );
  for (const {x, y} of corners) assert.ok(x > 0 && x < SIZE.width && y > 0 && y < SIZE.height);

  // What is refused is said, though its field lies in a part that is folded away.
  await page.evaluate(() => window.weft.selection.clear());
  await page.keyboard.press('n');
  const gallery = page.getByRole('dialog', {name: 'New'});
  await gallery.getByRole('option', {name: 'Rope'}).click();
  await gallery.getByRole('button', {name: 'Material'}).click();
  await fill(gallery.getByRole('textbox', {name: /^Density/}), '-1');
  await gallery.getByRole('button', {name: 'Material'}).click();
  await gallery.getByRole('button', {name: 'Add', exact: true}).click();
  await gallery.getByRole('alert').filter({hasText: 'not above 0'}).waitFor();
  assert.equal((await peer.call('world.get', {world: `${name}-bare`})).bodies, 1, 'nothing was added');
  peer.close();
});
