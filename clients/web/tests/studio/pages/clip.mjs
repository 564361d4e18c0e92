// Parts of a world go by the clipboard into another world. What a copy holds is in tests/model/fragment.test.ts.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, makeWorld, open, server, test, until} from '../rig.mjs';

const toast = (page, text) => page.locator('.toast', {hasText: text}).last();

test('what is copied is pasted into another world in another tab, beside what is there, and one undo takes it away', async () => {
  const peer = await Peer.connect(server.url);
  const from = await makeWorld(peer, {play: false});
  const to = await makeWorld(peer, {play: false});
  const join = (world) => peer.call('world.join', {world});
  const {body: rope} = await peer.call('body.add', {
    world: from.name,
    name: 'cord',
    kind: 'rope',
    positions: [0, 1, 0.5, 0, 1.2, 0.5, 0, 1.4, 0.5],
    edges: [0, 1, 1, 2],
  });
  await peer.call('constraint.add', {world: from.name, bodies: [from.body, rope], particles: [40, 0]});

  const page = await open(from.name);
  // Everything, then without the ground.
  await page.keyboard.press('Control+a');
  await until(page, () => window.weft.selection.selected.value.bodies.size === 2);
  assert.deepEqual(await page.evaluate(() => window.weft.selection.selected.value.colliders.size), 1);
  await page.evaluate(() => window.weft.selection.select([...window.weft.selection.selected.value.colliders].map((collider) => ({kind: 'collider', collider})), 'remove'));
  await page.keyboard.press('Control+c');
  await toast(page, 'Copied 2 bodies, 1 constraint.').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(JSON.parse(text).weft, 1, 'the text is a scene');

  // In another tab, of the same browser.
  const tab = await page.context().newPage();
  await tab.goto(`${server.url}/#world=${to.name}`);
  await until(tab, () => window.weft?.document.phase.value === 'joined');
  await tab.keyboard.press('Control+v');
  await toast(tab, 'Pasted 2 bodies, 1 constraint.').waitFor();
  const {bodies} = await join(to.name);
  assert.deepEqual(bodies.map(({name}) => name).sort(), ['cord', 'sheet', 'sheet 2']);
  const held = await peer.call('constraint.list', {world: to.name, body: 'cord'});
  assert.ok(held.constraints.length >= 3, 'the constraint came with it');
  const [there, pasted] = await Promise.all(
    ['sheet', 'sheet 2'].map((body) => peer.call('body.get', {world: to.name, body})),
  );
  assert.notDeepEqual(pasted.positions, there.positions, 'it stands beside what was there');
  assert.deepEqual(pasted.pins, there.pins);
  await tab.keyboard.press('Control+z');
  await eventually(() => join(to.name), (world) => world.bodies.length === 1, 'one undo takes all of it away');
  await tab.close();

  // Cut takes it away here, and the button of its message brings it back.
  await page.keyboard.press('Control+x');
  const restore = toast(page, 'Removed 2 bodies.').getByRole('button', {name: 'Restore'});
  await restore.waitFor();
  assert.equal((await join(from.name)).bodies.length, 0);
  await restore.click();
  await eventually(() => join(from.name), (world) => world.bodies.length === 2, 'it is there again');

  // A text that is no scene is refused, and in a field the keys are the field's.
  await page.evaluate(() => navigator.clipboard.writeText('a shopping list'));
  await page.keyboard.press('Control+v');
  await toast(page, 'There is nothing on the clipboard that can be pasted here.').waitFor();
  await page.evaluate(() => navigator.clipboard.writeText('{"weft": 1, "bodies": [{"kind": "cloth"}]}'));
  await page.keyboard.press('Control+v');
  await toast(page, 'Nothing was pasted.').waitFor();
  assert.equal((await join(from.name)).bodies.length, 2);
  peer.close();
});
