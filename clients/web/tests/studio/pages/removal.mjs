// What was removed, and comes back.
import assert from 'node:assert/strict';

import {numbers, Peer} from '../peer.mjs';
import {eventually, makeWorld, open, positionsOf, server, test, until} from '../rig.mjs';

test('what was removed can be put back, as it was', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const {body: anchor} = await peer.call('body.add', {world: name, kind: 'points', positions: [0, 1, 1]});
  await peer.call('constraint.add', {
    world: name,
    bodies: [body, anchor],
    particles: [side * side - 1, 0],
    compliance: 1e-4,
  });
  await peer.call('body.set', {world: name, body, stretch: {compliance: 3e-5}, thickness: 0.02});
  const poses = [0, 0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0.5, 0];
  const keys = {times: [0, 1], offsets: [0, 0, 0, 0, 0, 0], interpolation: 'cubic', loop: true, poses};
  await peer.call('motion.add', {world: name, body, particles: [0, 1], ...keys});
  await peer.call('world.step', {world: name, ticks: 40});
  const places = await positionsOf(peer, name, body);
  const before = await peer.call('body.get', {world: name, body});
  const page = await open(name);
  const join = () => peer.call('world.join', {world: name});

  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.keyboard.press('Delete');
  const toast = page.locator('.toast', {hasText: 'Removed sheet.'});
  await toast.waitFor();
  await eventually(join, ({bodies}) => bodies.length === 1, 'it is gone');
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: removing a body.').waitFor();
  const {bodies} = await join();
  const back = bodies.find((one) => one.name === 'sheet');
  const after = await peer.call('body.get', {world: name, body: back.body});
  for (const part of ['positions', 'triangles', 'masses', 'pins'])
    assert.deepEqual([...numbers(after[part])], [...numbers(before[part])], part);
  for (const part of ['stretch', 'bend', 'thickness', 'kind', 'particles'])
    assert.deepEqual(after[part], before[part], part);
  assert.deepEqual([...(await positionsOf(peer, name, back.body))], [...places], 'where it was');
  const {motions} = await peer.call('motion.list', {world: name, poses: true});
  assert.deepEqual(
    motions.map((one) => [one.body, one.interpolation, one.loop, [...numbers(one.poses)]]),
    [[back.body, 'cubic', true, poses]],
    'with what moves it',
  );
  // The page reads constraints again when the server tells of them, which may be after the words.
  await until(page, () => window.weft.document.constraints.loose('distance').value?.ids.length === 1);
  const loose = await page.evaluate(() =>
    Array.from(window.weft.document.constraints.loose('distance').value.bodies),
  );
  assert.deepEqual(loose, [back.body, anchor], 'with the constraint that it had to another body');
  assert.equal(back.body, body, 'under its id');

  // A collider, by the button in the words about it; a constraint after its body came back.
  const [ground] = (await join()).colliders;
  await page.evaluate(
    (id) => window.weft.selection.select([{kind: 'collider', collider: id}]),
    ground.collider,
  );
  await page.getByRole('button', {name: 'Remove'}).click();
  await eventually(join, ({colliders}) => colliders.length === 0, 'the ground is gone');
  const words = page.locator('.toast', {hasText: 'Removed ground.'});
  await words.getByRole('button', {name: /^Restore/}).click();
  await eventually(
    join,
    ({colliders}) => colliders.length === 1 && colliders[0].name === 'ground',
    'and back',
  );

  // What came back is selected then.
  await page.getByText('Restored ground.').waitFor();
  await until(page, () => window.weft.document.constraints.loose('distance').value?.ids.length === 1);
  const [id] = await page.evaluate(() =>
    Array.from(window.weft.document.constraints.loose('distance').value.ids),
  );
  await page.evaluate(
    (one) => window.weft.selection.select([{kind: 'constraint', constraint: one, type: 'distance'}]),
    id,
  );
  await page.keyboard.press('Delete');
  await page.locator('.toast', {hasText: 'Removed 1 constraint.'}).waitFor();
  await page.keyboard.press('Control+z');
  await until(
    page,
    (old) => {
      const table = window.weft.document.constraints.loose('distance').value;
      return table?.ids.length === 1 && table.ids[0] === old && Math.abs(table.compliance[0] - 1e-4) < 1e-9;
    },
    id,
  );
  // It is done again, and taken back once more, by the keys.
  await page.keyboard.press('Control+Shift+z');
  await page.getByText('Redone: removing constraints.').waitFor();
  await page.keyboard.press('Control+z');
  await page.locator('.toast', {hasText: 'Undone: removing constraints.'}).last().waitFor();
  // There is nothing left to take back, and the page says so.
  await page.keyboard.press('Control+z');
  await page.getByText('There is nothing more of yours to undo.').waitFor();
  peer.close();
});

test('a world that somebody deletes while it is looked at: the page says so, and leads on', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const other = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.evaluate(() => (window.weft.viewState.tool.value = 'click'));
  await page.getByRole('radiogroup', {name: 'Handle'}).waitFor();
  await peer.call('world.delete', {world: name});
  await page.getByRole('heading', {name: `${name} is gone`}).waitFor();
  await until(page, () => window.weft.selection.empty.value);
  await page.getByRole('button', {name: 'See the worlds'}).click();
  await page.getByRole('dialog', {name: 'Worlds'}).getByRole('button', {name: other.name}).first().click();
  await page.getByRole('button', {name: `World ${other.name}`}).waitFor();
  peer.close();
});

test('several things that are selected go as one edit, or none of them', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const {body: anchor} = await peer.call('body.add', {world: name, kind: 'points', positions: [0, 1, 1]});
  const {constraints} = await peer.call('constraint.add', {
    world: name,
    bodies: [body, anchor],
    particles: [0, 0],
  });
  const join = () => peer.call('world.join', {world: name});
  const before = await join();
  const page = await open(name);
  await until(page, () => window.weft.document.constraints.loose('distance').value?.ids.length === 1);
  await page.evaluate(
    ([one, ground, tie]) =>
      window.weft.selection.select([
        {kind: 'body', body: one},
        {kind: 'collider', collider: ground},
        {kind: 'constraint', constraint: tie, type: 'distance'},
      ]),
    [body, before.colliders[0].collider, numbers(constraints)[0]],
  );
  await page.keyboard.press('Delete');
  const after = await eventually(
    join,
    ({bodies, colliders}) => bodies.length === 1 && colliders.length === 0,
    'they are gone',
  );
  assert.equal(after.revision, before.revision + 1);
  // The page followed it without reading the world again.
  await until(
    page,
    (id) => {
      const {bodies} = window.weft.document;
      return bodies.value.size === 1 && bodies.value.has(id);
    },
    anchor,
  );
  await until(page, () => window.weft.document.constraints.loose('distance').value?.ids.length === 0);
  await page.keyboard.press('Control+z');
  await eventually(
    join,
    ({bodies, colliders}) => bodies.length === 2 && colliders.length === 1,
    'and back',
  );
  peer.close();
});
