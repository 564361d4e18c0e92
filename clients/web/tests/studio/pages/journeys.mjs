// Whole journeys, each as a person would go it: with a keyboard alone, by the mouse in two pages, and with a file of one's own.
// That of a finger is in telephone.mjs.
import assert from 'node:assert/strict';
import validator from 'gltf-validator';

import {chosen, exported, lastFrameOf, opened, readNpz, saved} from '../exports.mjs';
import {numbers, Peer} from '../peer.mjs';
import {
  drag,
  eventually,
  fill,
  give,
  makeWorld,
  open,
  paused,
  placeOf,
  played,
  positionsOf,
  server,
  test,
  until,
} from '../rig.mjs';

const bodyOf = async (peer, world, name) => (await peer.call('world.join', {world})).bodies.find((one) => one.name === name);
const distance = (a, b) => Math.hypot(...a.map((x, axis) => x - b[axis]));

// Presses Tab until that has the focus.
async function tabTo(page, target, most = 80) {
  await target.waitFor();
  for (let i = 0; i < most; ++i) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((one) => one === document.activeElement)) return;
  }
  assert.fail(`Tab does not come to ${target}`);
}

test('the keyboard alone: a cloth of one’s own is made, pinned, played, undone and exported for other programs', async () => {
  const peer = await Peer.connect(server.url);
  const {world, name} = {world: 'own', name: 'cloth'};
  await peer.call('world.create', {name: world, substeps: 4});
  const page = await open(world);
  await page.evaluate(() => {
    window.pointed = 0;
    for (const type of ['pointerdown', 'pointermove', 'mousedown', 'wheel', 'touchstart'])
      addEventListener(type, () => (window.pointed += 1), {capture: true});
  });
  const {keyboard} = page;

  // The palette leads to the gallery; Enter in a field of its form adds the piece.
  await keyboard.press('Control+k');
  await page.getByRole('combobox', {name: /^Find a command/}).waitFor();
  await keyboard.type('add cloth');
  await keyboard.press('Enter');
  await page.getByRole('option', {name: 'Cloth', selected: true, exact: true}).waitFor();
  await tabTo(page, page.getByRole('textbox', {name: /^Cells/}));
  await keyboard.press('Control+a');
  await keyboard.type('8');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  const {body, particles} = await eventually(() => bodyOf(peer, world, name), Boolean, 'it is made');
  assert.equal(particles, 81);
  await until(page, (id) => window.weft.selection.selected.value.bodies.has(id), body);

  // Two corners by their numbers.
  await tabTo(page, page.getByRole('textbox', {name: 'Particles'}));
  await keyboard.type('0, 8');
  await keyboard.press('Enter');
  await until(page, () => window.weft.selection.particleCount.value === 2);
  // The field went with what the inspector showed before, and no key presses what is there now.
  await keyboard.press('p');
  const pins = async () => numbers((await peer.call('body.get', {world, body})).pins);
  await eventually(pins, (all) => all.join() === '0,8', 'P pins');
  await keyboard.press('Control+z');
  await eventually(pins, (all) => all.length === 0, 'Ctrl+Z undoes');
  await keyboard.press('Control+y');
  await eventually(pins, (all) => all.join() === '0,8', 'Ctrl+Y does it again');
  const before = await positionsOf(peer, world, body);
  await keyboard.press('Space');
  await played(peer, world, 20);
  await keyboard.press('Space');
  let tick = await paused(peer, world);
  // A glTF has a picture every second tick. It ends with what is compared here if it has one of the last tick.
  if (tick % 2 !== 0) ({tick} = await peer.call('world.step', {world, ticks: 1}));

  const after = await positionsOf(peer, world, body);
  await until(page, (at) => window.weft.document.tick.value === at, tick);
  const ask = async (type) => {
    const dialog = await opened(page);
    await tabTo(page, dialog.getByRole('combobox', {name: 'File'}));
    if (type) await keyboard.type(type);
    await tabTo(page, dialog.getByRole('button', {name: 'Export', exact: true}));
    return saved(page, () => keyboard.press('Enter'));
  };
  const glb = await ask('');
  assert.equal(glb.name, `${world}.glb`);
  const {issues, info} = await validator.validateBytes(new Uint8Array(glb.bytes));
  assert.deepEqual([issues.numErrors, issues.numWarnings, info.animationCount], [0, 0, 1]);
  const shown = await lastFrameOf(glb.bytes, name);
  assert.ok(shown.length >= 81);
  const places = Array.from({length: 81}, (_, i) => after.slice(3 * i, 3 * i + 3));
  const off = shown.map((vertex) => Math.min(...places.map((place) => distance(place, vertex))));
  assert.ok(Math.max(...off) < 0.02, `each vertex is where a particle is, near the end: ${Math.max(...off)}`);
  const npz = readNpz((await ask('Arr')).bytes);
  const {shape, values} = npz[`${name}/positions`];
  assert.deepEqual(shape, [npz.tick.values.length, 81, 3]);
  const [first, last] = [values.slice(0, 243), values.slice(-243)];
  assert.deepEqual([...first], before);
  assert.deepEqual([0, 8].map((i) => distance(last.slice(3 * i, 3 * i + 3), before.slice(3 * i, 3 * i + 3))), [0, 0]);
  assert.ok(last[1 + 3 * 40] < before[1 + 3 * 40] - 0.02, 'its middle fell');
  assert.equal(await page.evaluate(() => window.pointed), 0, 'nothing was pointed at');
  peer.close();
});

// The place on a slider at that share of its length.
async function onSlider(slider, share) {
  const {x, y, width, height} = await slider.boundingBox();
  return {x: x + share * width, y: y + height / 2};
}

test('two people drag sliders at once: each drag is one step, and each undoes their own', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  await peer.call('body.set', {world: name, body, stretch: {compliance: 3e-5}});
  const told = () => peer.call('body.get', {world: name, body});
  const stretch = async () => (await told()).stretch.compliance;
  const bend = async () => (await told()).bend.compliance;
  const revision = async () => (await peer.call('world.get', {world: name})).revision;
  const [stretched, bent, first] = [await stretch(), await bend(), await revision()];
  const people = [];
  for (const [section, value] of [['Stretch', stretch], ['Bend', bend]]) {
    const page = await open(name);
    await page.keyboard.press('o');
    await page.getByRole('treeitem', {name: /sheet/}).click();
    const slider = page.locator('.section', {hasText: section}).getByRole('slider').first();
    await slider.scrollIntoViewIfNeeded();
    const {x, y} = await onSlider(slider, 0.25);
    await page.mouse.move(x, y);
    await page.mouse.down();
    people.push({page, slider, value});
  }
  for (const share of [0.4, 0.55, 0.7])
    for (const {page, slider, value} of people) {
      const last = await value();
      const {x, y} = await onSlider(slider, share);
      await page.mouse.move(x, y, {steps: 2});
      await eventually(value, (now) => now !== last, 'it is live while it is dragged');
    }
  for (const {page} of people) await page.mouse.up();
  assert.ok((await revision()) >= first + 6, 'each value is an edit');
  const [one, two] = people.map(({page}) => page.keyboard);
  const dragged = await bend();
  await one.press('Control+z');
  await eventually(stretch, (now) => now === stretched, 'all of the first person’s drag is taken back');
  assert.equal(await bend(), dragged, 'the other’s stands');
  await two.press('Control+z');
  await eventually(bend, (now) => now === bent, 'and all of the other’s');
  await one.press('Control+y');
  await eventually(stretch, (now) => now !== stretched, 'done again');
  assert.equal(await bend(), bent);
  peer.close();
});

// A level sheet of so many cells along each side, one metre wide, as a file.
function sheetFile(cells) {
  const rows = [];
  const at = (row, column) => 1 + row * (cells + 1) + column;
  for (let row = 0; row <= cells; ++row)
    for (let column = 0; column <= cells; ++column) rows.push(`v ${column / cells} 0 ${row / cells}`);
  for (let row = 0; row < cells; ++row)
    for (let column = 0; column < cells; ++column)
      rows.push(`f ${at(row, column)} ${at(row + 1, column)} ${at(row + 1, column + 1)} ${at(row, column + 1)}`);
  return rows.join('\n');
}

test('a mesh of one’s own is dropped, pinned by the mouse, falls on a ball, and is exported', async () => {
  const peer = await Peer.connect(server.url);
  const world = 'drape';
  await peer.call('world.create', {name: world, substeps: 4});
  const ball = {position: [0, 0.6, 0], radius: 0.25};
  await peer.call('collider.add', {world, name: 'ball', kind: 'sphere', ...ball});
  const page = await open(world);
  await give(page, [['cover.obj', sheetFile(10)]]);
  const dialog = page.getByRole('dialog');
  await fill(dialog.getByRole('textbox', {name: 'Position x'}), '0');
  await fill(dialog.getByRole('textbox', {name: 'Position y'}), '0.95');
  await fill(dialog.getByRole('textbox', {name: 'Position z'}), '0');
  await dialog.getByRole('button', {name: 'Add as cloth'}).click();
  await dialog.waitFor({state: 'detached'});
  const {body, particles} = await eventually(() => bodyOf(peer, world, 'cover'), Boolean, 'it is added');
  assert.equal(particles, 121);
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);

  // A box round the corner that is nearest to the camera at the left.
  await page.evaluate(() => window.weft.view.goTo({position: [0, 3, 3], target: [0, 0.8, 0]}, false));
  await page.keyboard.press('Escape');
  await page.getByRole('radio', {name: 'Select by box', exact: true}).click();
  await page.getByRole('radio', {name: 'Particles'}).click();
  const places = await positionsOf(peer, world, body);
  const at = (particle) => places.slice(3 * particle, 3 * particle + 3);
  const corner = Array.from({length: particles}, (_, i) => i).sort((a, b) => at(b)[2] - at(b)[0] - at(a)[2] + at(a)[0])[0];
  const {x, y, perMetre} = await placeOf(page, at(corner));
  const half = 0.03 * perMetre;
  await drag(page, {x: x - half, y: y + half}, {x: 2 * half, y: -2 * half});
  await until(page, () => window.weft.selection.particleCount.value === 1);
  await page.getByRole('toolbar', {name: 'Selection'}).getByRole('button', {name: 'Pin', exact: true}).click();
  const pins = async () => numbers((await peer.call('body.get', {world, body})).pins);
  await eventually(pins, (all) => all.join() === String(corner), 'the corner is pinned');

  await page.getByRole('button', {name: 'Play', exact: true}).click();
  await played(peer, world, 40);
  await page.getByRole('button', {name: 'Pause', exact: true}).click();
  const last = await paused(peer, world);
  await until(page, (tick) => window.weft.document.tick.value === tick, last);
  const asked = await opened(page);
  await chosen(asked, 'npz', {first: 0, last, every: 1});
  const arrays = readNpz((await exported(page, asked)).bytes);
  const {shape, values} = arrays['cover/positions'];
  assert.deepEqual(shape, [last + 1, 121, 3]);
  const end = [...values.slice(-3 * particles)];
  assert.deepEqual(end, await positionsOf(peer, world, body), 'its end is what the server has');
  const vertices = Array.from({length: particles}, (_, i) => end.slice(3 * i, 3 * i + 3));
  assert.equal(distance(vertices[corner], at(corner)), 0, 'the pin held');
  const away = vertices.map((vertex) => distance(vertex, ball.position));
  assert.ok(Math.min(...away) > ball.radius - 0.002, `nothing is in the ball: ${Math.min(...away)}`);
  assert.ok(Math.min(...vertices.map((vertex) => vertex[1])) < 0.8, 'what lies beside the ball hangs');
  peer.close();
});
