// Groups, locks and isolation; snapping and numbers on handles; measures; and all of it for those who only look on. What groups,
// snapping and measures come to is in tests/model.
import assert from 'node:assert/strict';

import {barriersInBoth, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {drag, eventually, handled, joined, lookFrom, makeWorld, open, placeOf, positionsOf, server, TELEPHONE, test, until} from '../rig.mjs';

const select = (page, things) => page.evaluate((all) => window.weft.selection.select(all), things);
const namesIn = async (peer, world) => {
  const {bodies, colliders} = await peer.call('world.join', {world});
  return [...bodies, ...colliders].map(({name}) => name).sort();
};

test('a group is made, named, locked, isolated and moved as one, and other people see it', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const {collider} = await peer.call('collider.add', {world: name, name: 'ball', kind: 'sphere', radius: 0.2, position: [0, 2, 0]});
  const page = await open(name);
  await lookFrom(page, [0, 1.3, 6], [0, 1.3, 0]);
  const both = [
    {kind: 'body', body},
    {kind: 'collider', collider},
  ];
  await until(page, (id) => window.weft.document.colliders.value.has(id), collider);
  await select(page, both);
  await page.keyboard.press('Control+g');
  const box = page.getByRole('textbox', {name: 'Name of the group'});
  await box.fill('Stage');
  await box.press('Enter');
  await eventually(() => namesIn(peer, name), (names) => names.join() === 'Stage/ball,Stage/sheet,ground', 'names have the group');
  const other = await open(name);
  await other.keyboard.press('o');
  await other.getByRole('treeitem', {name: /^Stage.*group of 2$/}).waitFor();

  // Its line selects both; with a key they are locked, and the pointer goes through.
  const line = page.getByRole('treeitem', {name: /^Stage.*group of 2$/});
  await line.focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await until(page, () => window.weft.selection.selected.value.bodies.size + window.weft.selection.selected.value.colliders.size === 2);
  await page.keyboard.press('Shift+L');
  await page.getByRole('treeitem', {name: /sheet.*locked/}).waitFor();
  await page.keyboard.press('2');
  const at = await placeOf(page, [0, 1.3, 0]);
  await page.mouse.click(at.x, at.y);
  await until(page, () => window.weft.selection.empty.value);
  await select(page, both);
  await page.keyboard.press('Delete');
  await page.getByText('This is locked on this page.').waitFor();
  assert.equal((await namesIn(peer, name)).length, 3);
  await page.keyboard.press('Shift+L');

  // Alone in sight, and back.
  await page.keyboard.press('Shift+I');
  await until(page, () => [...window.weft.viewState.looks.value.values()].filter(({hidden}) => hidden).length === 1);
  await page.getByRole('button', {name: 'Show it'}).click();
  await until(page, () => window.weft.viewState.looks.value.size === 0);

  // Moved by one handle, and back with one undo.
  const before = await positionsOf(peer, name, body);
  await page.getByRole('radiogroup', {name: 'Handle'}).waitFor();
  const middle = await placeOf(page, [0, 1.4, 0]);
  await drag(page, {x: middle.x + 50, y: middle.y}, {x: 80, y: 0});
  await handled(page, name);
  const placeOfBall = async () => (await peer.call('world.join', {world: name})).colliders.find((one) => one.collider === collider).position[0];
  const shift = async () => (await positionsOf(peer, name, body))[0] - before[0];
  await eventually(
    async () => [await placeOfBall(), await shift()],
    ([ball, sheet]) => ball > 0.2 && Math.abs(ball - sheet) < 1e-5,
    'both went equally far',
  );
  await page.keyboard.press('Control+z');
  await eventually(
    async () => [await placeOfBall(), await shift()],
    ([ball, sheet]) => Math.abs(ball) < 1e-5 && Math.abs(sheet) < 1e-5,
    'one undo takes both back',
  );
  await until(page, ([id, x]) => Math.abs(window.weft.view.drawn(id)[0] - x) < 1e-3, [body, before[0]]);
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'the outline with a group'), []);
  peer.close();
});

test('a handle snaps, says how far it went, and takes a number', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const {collider} = await peer.call('collider.add', {world: name, name: 'ball', kind: 'sphere', radius: 0.2, position: [0, 1, 1]});
  const page = await open(name);
  const place = async () => (await peer.call('world.join', {world: name})).colliders.find((one) => one.collider === collider).position;
  await lookFrom(page, [0, 1, 6], [0, 1, 0]);
  await until(page, (id) => window.weft.document.colliders.value.has(id), collider);
  await select(page, [{kind: 'collider', collider}]);
  await page.getByRole('button', {name: 'Snap to steps and other things'}).click();
  const number = page.getByRole('textbox', {name: /^Move/});
  const at = await placeOf(page, [0, 1, 1]);
  // The part that draws numbers comes with the first handles.
  await until(page, () => window.weft.view.handles.assist !== null);
  await drag(page, {x: at.x + 50, y: at.y}, {x: 83, y: 0});
  await handled(page, name);
  const [x] = await eventually(place, ([now]) => now > 0.2, 'an arrow moves it');
  assert.ok(Math.abs(x / 0.05 - Math.round(x / 0.05)) < 1e-6, `${x} m is a whole number of steps`);
  assert.ok(Math.abs(Number(await number.inputValue()) - x) < 1e-6, 'the number says so');

  // A handle that is pressed, and a number.
  const here = await placeOf(page, [x, 1, 1]);
  await drag(page, {x: here.x, y: here.y - 50}, {x: 0, y: 0});
  await page.keyboard.type('1500 mm');
  await page.keyboard.press('Enter');
  await eventually(place, ([, y]) => Math.abs(y - 2.5) < 1e-6, 'it is exactly where the number says');
  // Corrected, it counts from the press.
  await number.fill('0.25');
  await number.press('Enter');
  await eventually(place, ([, y]) => Math.abs(y - 1.25) < 1e-6, 'another number is instead of the first');

  // Two things to one side, as one edit.
  await select(page, [
    {kind: 'body', body},
    {kind: 'collider', collider},
  ]);
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await inspector.getByRole('button', {name: 'Align'}).click();
  await inspector.getByRole('button', {name: 'Left along x'}).click();
  await eventually(place, ([now]) => Math.abs(now + 0.3) < 1e-5, 'its left is that of the sheet');
  await page.keyboard.press('Control+z');
  await eventually(place, ([now]) => Math.abs(now - x) < 1e-5, 'one undo takes it back');
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'alignment'), []);
  peer.close();
});

test('a distance and an area are measured with a finger, and follow the world', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: TELEPHONE});
  await lookFrom(page, [0, 1.1, 4], [0, 1.1, 0]);
  await page.getByRole('radio', {name: 'Measure', exact: true}).tap();
  const panel = page.getByRole('group', {name: 'Measures'});
  await panel.getByText('Click the first point.').waitFor();
  for (const x of [-0.5, 0.5]) {
    const at = await placeOf(page, [x, 1.6, 0]);
    await page.touchscreen.tap(at.x, at.y);
  }
  const line = panel.getByRole('listitem');
  await line.filter({hasText: `Distance sheet #0 – #${side - 1}`}).filter({hasText: '1 m'}).waitFor();
  await select(page, [{kind: 'body', body}]);
  await panel.getByRole('button', {name: 'Area of sheet'}).tap();
  await line.filter({hasText: 'Area of sheet'}).filter({hasText: '1 m² at rest, 0 %'}).waitFor();
  // One corner is put elsewhere: both follow.
  await peer.call('particle.set', {world: name, body, particles: [side - 1], positions: [0.5, 1.6, 0.75]});
  await line.filter({hasText: 'Distance'}).filter({hasText: '1.25 m'}).waitFor();
  await line.filter({hasText: 'Area'}).filter({hasText: /at rest, \+/}).waitFor();
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'measures'), []);
  await panel.getByRole('button', {name: /^Remove: Distance/}).tap();
  await eventually(() => line.count(), (count) => count === 1, 'a measure is removed');
  peer.close();
});
