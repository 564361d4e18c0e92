// Connections and pushes that are made by hand: a hinge, a ring on a rail, a seam, a field of force.
import assert from 'node:assert/strict';

import {barriersInBoth, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {eventually, fill, keepPicture, lookFrom, makeWorld, open, pictureChange, server, test, until} from '../rig.mjs';

const listed = (peer, world, type) => peer.call('constraint.list', {world, type});
const close = (a, b) => Math.abs(a - b) < 1e-6;

test('a hinge is made by hand: its axis in the form, its limits, and a motor afterwards', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const door = await peer.call('body.add', {
    world: name,
    name: 'door',
    kind: 'rigid',
    positions: [1.5, 1, 0],
    rigid: {form: 'box', half_extents: [0.4, 0.8, 0.02]},
  });
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), door.body);
  await page.getByRole('button', {name: 'Add a joint'}).click();
  const form = page.locator('[data-part="connect"]');
  await fill(form.getByRole('textbox', {name: 'Anchor x'}), '1.1');
  await until(page, () => window.weft.viewState.draftJoint.value?.anchor[0] === 1.1);
  // The handle of the anchor gives the form its place.
  await page.evaluate(() => window.weft.viewState.draftJoint.value.give({axis: [0, 0, 1]}));
  await eventually(
    () => form.getByRole('textbox', {name: 'Axis z'}).inputValue(),
    (text) => text === '1',
    'the form has the axis of the handle',
  );
  await fill(form.getByRole('textbox', {name: /^Least/}), '-90°');
  await fill(form.getByRole('textbox', {name: /^Greatest/}), '0.5');
  await form.getByRole('button', {name: 'Add joint'}).click();
  const joint = await eventually(() => listed(peer, name, 'joint'), ({constraints}) => constraints.length === 1, 'it is there');
  assert.equal(joint.joints[0], 2, 'a hinge');
  assert.ok(close(joint.joint_anchors[0], -0.4) && close(joint.joint_anchors[3], 1.1), 'at its anchor');
  assert.ok(close(joint.limits[0], -Math.PI / 2) && close(joint.limits[1], 0.5), 'with its limits');

  // It is selected, so that it can be driven at once.
  const panel = page.getByRole('complementary', {name: 'Inspector'});
  await panel.getByRole('radio', {name: 'Speed'}).click();
  await fill(panel.getByRole('textbox', {name: /^Motor target/}), '2');
  await eventually(
    () => listed(peer, name, 'joint'),
    ({motors, motor_target}) => motors[0] === 1 && motor_target[0] === 2,
    'it is driven',
  );
  await fill(panel.getByRole('textbox', {name: /^Greatest/}), '1.25');
  await eventually(() => listed(peer, name, 'joint'), ({limits}) => close(limits[1], 1.25), 'and goes farther');
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'the inspector'), []);
  peer.close();
});

test('a ring on a rail and a seam are made by hand, and are seen', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const ring = await peer.call('body.add', {world: name, kind: 'points', positions: [0, 1.6, 0.05], density: 0.1});
  const page = await open(name);
  await until(page, (id) => window.weft.view.drawn(id) !== null, ring.body);
  await lookFrom(page, [0, 1.4, 2.4], [0, 1.1, 0]);
  await keepPicture(page);
  await page.evaluate(
    ([id, last, own]) => {
      window.weft.selection.selectParticles(id, [0, last]);
      window.weft.selection.selectParticles(own, [0], 'add');
    },
    [body, side - 1, ring.body],
  );
  const form = page.locator('[data-part="connect"]');
  await form.getByRole('combobox', {name: 'Type'}).selectOption('slide_rail');
  await form.getByRole('button', {name: 'Add slide rail'}).click();
  const rail = await eventually(() => listed(peer, name, 'slide_rail'), ({constraints}) => constraints.length === 1, 'it is there');
  assert.deepEqual([...rail.particles], [0, 0, side - 1], 'the ring first, and then the ends of the rail');
  await page.evaluate(() => window.weft.selection.clear());
  await eventually(() => pictureChange(page), (share) => share > 0.0005, 'the rail is drawn');

  // The left and the right rim of the sheet.
  const rims = Array.from({length: side}, (_, row) => [row * side, row * side + side - 1]).flat();
  await page.evaluate(([id, all]) => window.weft.selection.selectParticles(id, all), [body, rims]);
  await form.getByRole('combobox', {name: 'Type'}).selectOption('sewing');
  await form.getByRole('button', {name: 'Add seam'}).click();
  const seam = await eventually(() => listed(peer, name, 'join'), ({constraints}) => constraints.length === side, 'it is sewn');
  assert.ok([...seam.seconds].every((seconds) => close(seconds, 2)), 'in two seconds');
  assert.ok([...seam.rest_end].every((rest) => rest === 0), 'to nothing');
  peer.close();
});

test('a field of force is made by hand, is changed, and goes with Delete', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const fields = async () => (await peer.call('force.list', {world: name})).fields;
  await lookFrom(page, [0, 2, 5], [0, 1, 0]);
  await keepPicture(page);
  await page.keyboard.press('n');
  await page.getByRole('option', {name: 'Fan', exact: true}).click();
  await page.getByRole('textbox', {name: /^Strength/}).fill('12');
  await page.getByRole('button', {name: 'Add', exact: true}).click();
  const [fan] = await eventually(fields, (all) => all.length === 1, 'it is there');
  assert.deepEqual([fan.kind, fan.strength], ['fan', 12]);
  await eventually(() => pictureChange(page), (share) => share > 0.001, 'it is drawn');

  const panel = page.getByRole('complementary', {name: 'Inspector'});
  await fill(panel.getByRole('textbox', {name: /^Width/}), '0.75');
  await panel.getByRole('button', {name: 'Acts on'}).click();
  await panel.getByRole('switch', {name: 'sheet'}).click();
  await eventually(fields, ([one]) => one.width === 0.75 && one.bodies[0] === body, 'it is wider, and blows at the sheet alone');
  assert.equal(await panel.getByRole('textbox', {name: /^Falloff/}).count(), 0, 'a fan has no falloff');
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'the inspector'), []);

  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  await page.getByRole('treeitem', {name: 'Fan 1'}).press('Delete');
  await eventually(fields, (all) => all.length === 0, 'it is gone');
  await page.getByRole('button', {name: 'Restore'}).click();
  await eventually(fields, (all) => all.length === 1 && all[0].width === 0.75, 'and comes back as it was');
  peer.close();
});

test('bodies have the colours of a field, with a legend and a range of one’s own', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  await peer.call('body.force', {world: name, body, force: [0, 0, 1]});
  await peer.call('world.step', {world: name, ticks: 30});
  const page = await open(name);
  await lookFrom(page, [0, 1.2, 2.6], [0, 1.1, 0]);
  await keepPicture(page);
  await page.keyboard.press('v');
  const menu = page.getByRole('dialog', {name: 'View options'});
  await menu.getByRole('combobox', {name: 'Colour bodies by'}).selectOption('stress');
  await menu.getByRole('switch', {name: 'Forces as arrows'}).click();
  await page.keyboard.press('Escape');
  const legend = page.getByRole('group', {name: 'Colours of stress'});
  // The sheet of 0.2 kg hangs by two corners.
  await eventually(
    () => page.evaluate(() => window.weft.viewState.shownField.value),
    (shown) => shown?.unit === 'N/m' && shown.high > 0.2 && shown.low === -shown.high,
    'the server has told its forces',
  );
  await legend.getByText('N/m').waitFor();
  await eventually(() => pictureChange(page), (share) => share > 0.02, 'the sheet has other colours');
  await legend.getByRole('switch', {name: 'Range by itself'}).click();
  await fill(legend.getByRole('textbox', {name: /^Greatest/}), '50');
  await eventually(
    () => page.evaluate(() => window.weft.viewState.shownField.value?.high),
    (high) => high === 50,
    'the range is fixed',
  );
  // Both pins hold half of the weight, and the push.
  const scale = page.getByRole('group', {name: 'Scale of the arrows'});
  await scale.getByText(/The longest arrow is/).waitFor();
  await eventually(
    () => page.evaluate(() => window.weft.viewState.shownArrows.value),
    (shown) => shown.count === 3 && shown.full > 0.3,
    'two pins and the push have arrows',
  );
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'the legend'), []);
  peer.close();
});
