// Meshes that are dropped on the page, and worlds that are new.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';

import {asciiPly, binaryStl, glb, gltfWithData, obj} from '../meshes.mjs';
import {numbers, Peer} from '../peer.mjs';
import {
  SIZE,
  WAIT_MS,
  drop,
  eventually,
  field,
  fill,
  give,
  holdingContext,
  makeWorld,
  open,
  positionsOf,
  server,
  test,
  until,
} from '../rig.mjs';

// The bodies of a world, once they are so many.
const bodiesOf = (peer, world, count) =>
  eventually(
    async () => (await peer.call('world.join', {world})).bodies,
    ({length}) => length === count,
    `the world has ${count} bodies`,
  );

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
    await drop(page, file, content);
    const dialog = page.getByRole('dialog');
    if (file === 'soup.stl') {
      await dialog.getByText('28 of 36 vertices lay where others lie and were welded.').waitFor();
      // It is shown before it is added.
      await page.waitForFunction(() => window.weft.viewState.preview.value !== null);
      await fill(dialog.getByRole('textbox', {name: /^Scale/}), '0.5');
    }
    await page.getByRole('button', {name: 'Add as cloth'}).click();
    await dialog.waitFor({state: 'detached'});
  }
  const [, soup, cube] = await bodiesOf(peer, name, 1 + files.length);
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
  const [flag] = await eventually(
    () =>
      page.evaluate(() => [...window.weft.document.bodies.value.values()].map((body) => [body.body, body.name])),
    ({length}) => length === 1,
    'the page has it',
  );
  assert.equal(flag[1], 'flag');
  await page.getByText('An empty world').waitFor({state: 'hidden'});
  // It was brought into view.
  const isIn = ({x, y}) => x > 0 && x < SIZE.width && y > 0 && y < SIZE.height;
  await eventually(
    () => page.evaluate(([id]) => [0, 900].map((k) => window.weft.view.project(id, k)), [flag[0]]),
    (all) => all.every(Boolean) && Math.abs(all[0].x - all[1].x) > 150 && all.every(isIn),
    'the flag is in view, and large enough to see',
  );

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

test('a closed surface becomes a soft body, and so does a file of tetrahedra', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await give(page, [['cube.ply', asciiPly()]]);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByRole('radio', {name: 'Soft'}).click();
  await dialog.getByText(/^Filled with/).waitFor();
  await fill(dialog.getByRole('textbox', {name: /^Cells/}), '64');
  await dialog.getByText('Filled with 125 particles').waitFor();
  // It is jelly until somebody says otherwise.
  assert.equal(await dialog.getByLabel('Made of').inputValue(), 'jelly');
  await dialog.getByLabel('Made of').selectOption('rubber');
  await page.getByRole('button', {name: 'Add as soft body'}).click();
  await dialog.waitFor({state: 'detached'});

  const tetgen = ['node', 'ele'].map((ending) => [
    `box.${ending}`,
    readFileSync(new URL(`../../../../../tests/meshes/tetgen.${ending}`, import.meta.url)),
  ]);
  await give(page, tetgen.slice(0, 1));
  await page.getByText('box.node is only half of a mesh').waitFor();
  await give(page, tetgen);
  await dialog.waitFor();
  await page.getByRole('button', {name: 'Add as soft body'}).click();
  await dialog.waitFor({state: 'detached'});
  const bodies = await bodiesOf(peer, name, 3);
  assert.deepEqual(
    bodies.map(({kind}) => kind),
    ['cloth', 'soft', 'soft'],
  );
  const [, cube, box] = bodies;
  assert.equal(cube.particles, 125);
  const read = await peer.call('body.get', {world: name, body: cube.body});
  assert.equal(numbers(read.skin.triangles).length, 36, 'the surface is carried');
  assert.ok(numbers(read.masses).reduce((sum, mass) => sum + mass, 0) > 0);
  assert.equal(box.particles, 64);
  // What cannot be filled says why, and stays a cloth.
  await give(page, [['sheet.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n']]);
  await dialog.waitFor();
  await dialog.getByRole('radio', {name: 'Soft'}).click();
  await dialog.getByRole('alert').filter({hasText: 'Only a closed surface can be filled'}).waitFor();
  await page.getByRole('button', {name: 'Add as soft body', disabled: true}).waitFor();
  await dialog.getByRole('radio', {name: 'Cloth'}).click();
  await page.getByRole('button', {name: 'Add as cloth'}).click();
  await dialog.waitFor({state: 'detached'});
  peer.close();
});

test('a mesh becomes an obstacle, by the mouse and by the keyboard, and a cloth lies on it', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const dialog = page.getByRole('dialog');
  const thickness = dialog.getByRole('textbox', {name: /^Thickness/});
  await give(page, [['block.ply', asciiPly()]]);
  await dialog.waitFor();
  await dialog.getByRole('radio', {name: 'Obstacle'}).click();
  // It is of no material and has no pins.
  await dialog.getByLabel('Made of').waitFor({state: 'hidden'});
  await dialog.getByRole('radio', {name: 'Top'}).waitFor({state: 'hidden'});
  // It is as thick as its edges say, at any scale, until somebody says otherwise.
  const thick = async () => Number(await thickness.inputValue());
  const before = await eventually(thick, (it) => it > 0.15 && it < 0.22, 'a sixth of an edge and more of diagonals');
  await fill(dialog.getByRole('textbox', {name: /^Scale/}), '0.5');
  await eventually(thick, (it) => Math.abs(it - before / 2) < 1e-3, 'half as large, half as thick');
  await fill(thickness, '0.03');
  await fill(dialog.getByRole('textbox', {name: /^Scale/}), '1');
  assert.equal(await thickness.inputValue(), '0.03');
  await page.getByRole('button', {name: 'Add as an obstacle'}).click();
  await dialog.waitFor({state: 'detached'});

  // Back to a cloth it is one as before; then, without a mouse, an obstacle again.
  await give(page, [['second.ply', asciiPly()]]);
  await dialog.waitFor();
  await dialog.getByRole('radio', {name: 'Cloth'}).focus();
  const obstacle = page.getByRole('button', {name: 'Add as an obstacle'});
  await page.keyboard.press('ArrowLeft');
  await obstacle.waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', {name: 'Add as cloth'}).waitFor();
  await page.keyboard.press('ArrowLeft');
  await obstacle.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({state: 'detached'});

  const [, block, second] = await bodiesOf(peer, name, 3);
  assert.deepEqual([block.kind, block.particles, block.thickness], ['cloth', 8, 0.03]);
  for (const one of [block, second]) {
    assert.deepEqual([one.self_contact, one.contact_group, one.contact_mask], [false, 1, 1]);
    const {masses} = await peer.call('body.get', {world: name, body: one.body});
    assert.ok(numbers(masses).every((mass) => mass === 0), 'all of it is static');
  }
  // What falls on it lies there, and it stays where it was put.
  const at = await positionsOf(peer, name, block.body);
  const top = Math.max(...at.filter((_, i) => i % 3 === 1));
  const middle = [0, 2].map((axis) => at.filter((_, i) => i % 3 === axis).reduce((sum, x) => sum + x, 0) / 8);
  const [side, positions, triangles] = [12, [], []];
  for (let z = 0; z <= side; ++z)
    for (let x = 0; x <= side; ++x) {
      positions.push(middle[0] + 0.06 * (x - side / 2), top + 0.1, middle[1] + 0.06 * (z - side / 2));
      const i = z * (side + 1) + x;
      if (x < side && z < side) triangles.push(i, i + side + 1, i + 1, i + 1, i + side + 1, i + side + 2);
    }
  const contact = {thickness: 0.01, self_contact: true, contact_group: 1, contact_mask: 1};
  const cloth = await peer.call('body.add', {world: name, name: 'cover', kind: 'cloth', positions, triangles, ...contact});
  await peer.call('world.step', {world: name, ticks: 90});
  const {contact: met} = await peer.call('world.measure', {world: name});
  assert.equal(met.crossed ?? 0, 0, 'nothing crosses');
  const low = Math.min(...(await positionsOf(peer, name, cloth.body)).filter((_, i) => i % 3 === 1));
  assert.ok(low > top, `it lies on the block: ${low} above ${top}`);
  assert.deepEqual(await positionsOf(peer, name, block.body), at);
  peer.close();
});

test('a world is saved as a scene and opened again, the same to the last bit', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  await peer.call('world.step', {world: name, ticks: 30});
  await peer.call('body.set', {world: name, body, stretch: {compliance: 1e-5}});
  const page = await open(name);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  assert.equal(download.suggestedFilename(), `${name}.json`);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const text = Buffer.concat(chunks);
  assert.equal(JSON.parse(text).weft, 1);

  await page.getByRole('button', {name: 'More'}).click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', {name: 'Open a scene…'}).click(),
  ]);
  await chooser.setFiles([{name: 'mine.json', mimeType: 'application/json', buffer: text}]);
  const opened = `${name} 2`;
  await page.getByRole('button', {name: `World ${opened}`}).waitFor();
  const hash = async (world) => (await peer.call('world.hash', {world})).hash;
  const saved = await hash(name);
  await eventually(() => hash(opened), (now) => now === saved, 'it is the same');

  // One that was written by hand is dropped; one that is wrong is refused with the place.
  await give(page, [
    [
      'flag.json',
      '{"bodies": [{"grid": {"cells": [8, 6], "upright": true}, "material": "cotton", "pins": "left edge"}]}',
    ],
  ]);
  await page.getByRole('button', {name: 'World flag'}).waitFor();
  const [flag] = await bodiesOf(peer, 'flag', 1);
  assert.deepEqual([flag.kind, flag.particles, numbers(flag.pins).length], ['cloth', 63, 7]);
  await give(page, [['wrong.json', '{"bodies": [{"grid": {"cells": [8]}}]}']]);
  await page.getByText('wrong.json: bodies[0].grid.cells: must be a list of 2 whole numbers').waitFor();
  await give(page, [['refused.json', '{"settings": {"substeps": 0}}']]);
  await page.getByText(/^refused\.json: .*substeps/).waitFor();
  peer.close();
});

test('a large mesh is read aside: the page says how far it is, goes on, and can call it off', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer);
  const page = await open(name, {own: await holdingContext()});
  await page.evaluate(() => {
    window.heldWork.holding = true;
    const side = 200;
    const rows = [];
    for (let i = 0; i < side * side; ++i) rows.push(`v ${i % side} 0 ${Math.floor(i / side)}`);
    for (let i = 1; i + side < side * side; ++i)
      if (i % side !== 0) rows.push(`f ${i} ${i + 1} ${i + side + 1} ${i + side}`);
    const transfer = new DataTransfer();
    transfer.items.add(new File([rows.join('\n')], 'large.obj'));
    document.body.dispatchEvent(
      new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}),
    );
  });
  await page.getByText(/large\.obj: (reading|taking it apart|welding)/).waitFor();
  const tick = await page.evaluate(() => window.weft.document.tick.value);
  await until(page, (before) => window.weft.document.tick.value > before, tick);
  await page.getByRole('button', {name: 'Cancel'}).click();
  await page.getByText(/large\.obj:/).waitFor({state: 'detached'});
  assert.equal(await page.evaluate(() => window.heldWork.ended), 1, 'nobody reads it any more');
  assert.ok(!(await page.getByRole('dialog').isVisible()), 'nothing is placed');
  peer.close();
});

test('a scene above the limit of a message is read aside', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer);
  const page = await open(name);
  // 72 MB of coordinates; all of it is read, and what stands beside them is refused.
  await page.evaluate(() => {
    // What is said of it may come and go between two looks from outside.
    window.words = [];
    new MutationObserver(() => window.words.push(document.querySelector('.reading')?.textContent ?? '')).observe(
      document.querySelector('.studio'),
      {childList: true, subtree: true, characterData: true},
    );
    const head = "{'descr': '<f8', 'fortran_order': False, 'shape': (9000000,), }\n".padStart(117, ' ');
    const bytes = Uint8Array.from([0x93, ...[...`NUMPY\x01\x00\x75\x00${head}`].map((one) => one.charCodeAt(0))]);
    const scene = '{"bodies": [{"kind": "points", "positions": "p.npy"}], "settings": {"substeps": 0}}';
    const transfer = new DataTransfer();
    transfer.items.add(new File([scene], 'large.json'));
    transfer.items.add(new File([bytes, new Float64Array(9e6)], 'p.npy'));
    document.body.dispatchEvent(
      new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}),
    );
  });
  // Seconds, and those of two more programs at once.
  await page.getByText(/^large\.json: .*substeps/).waitFor({timeout: 3 * WAIT_MS});
  await page.locator('.reading').waitFor({state: 'detached'});
  const words = await page.evaluate(() => window.words);
  assert.ok(words.some((one) => /^large\.json: (reading|opening)/.test(one)), `nothing was said of it: ${words}`);
  peer.close();
});

// A ball of so many rings, closed.
function ball(rings) {
  const rows = [];
  for (let ring = 0; ring <= rings; ++ring) {
    for (let side = 0; side < 2 * rings; ++side) {
      const [up, round] = [(Math.PI * ring) / rings, (Math.PI * side) / rings];
      rows.push(`v ${Math.sin(up) * Math.cos(round)} ${Math.cos(up)} ${Math.sin(up) * Math.sin(round)}`);
    }
  }
  for (let ring = 0; ring < rings; ++ring) {
    for (let side = 0; side < 2 * rings; ++side) {
      const next = (side + 1) % (2 * rings);
      const at = (row, column) => 1 + 2 * rings * row + column;
      rows.push(`f ${at(ring, side)} ${at(ring + 1, side)} ${at(ring + 1, next)} ${at(ring, next)}`);
    }
  }
  return rows.join('\n');
}

test('a lattice is filled aside: the page goes on, and it can be stopped', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer);
  const page = await open(name, {own: await holdingContext()});
  await give(page, [['ball.obj', ball(40)]]);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByRole('radio', {name: 'Soft'}).click();
  await dialog.getByText(/^Filled with/).waitFor();
  const cells = dialog.getByRole('textbox', {name: /^Cells/});
  await fill(cells, '1000');
  const words = dialog.getByText(/^Filled with/);
  await words.waitFor();
  const before = await words.textContent();
  const ended = await page.evaluate(() => {
    window.heldWork.holding = true;
    return window.heldWork.ended;
  });
  await fill(cells, '20000');
  const stop = dialog.getByRole('button', {name: 'Stop filling'});
  await stop.waitFor();
  const tick = await page.evaluate(() => window.weft.document.tick.value);
  await until(page, (last) => window.weft.document.tick.value > last, tick);
  assert.ok(await page.getByRole('button', {name: 'Add as soft body'}).isDisabled(), 'it is not added before it is filled');
  await stop.click();
  await stop.waitFor({state: 'detached'});
  assert.equal(await page.evaluate(() => window.heldWork.ended), ended + 1, 'nobody fills it any more');
  // It is again as it was filled before.
  await eventually(() => cells.inputValue(), (text) => text === '1000', 'the field says so');
  assert.equal(await words.textContent(), before);
  await page.getByRole('button', {name: 'Add as soft body'}).click();
  await dialog.waitFor({state: 'detached'});
  assert.equal((await bodiesOf(peer, name, 2)).at(-1).kind, 'soft');
  peer.close();
});
