// Forms: what they change, and what is refused.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, field, fill, makeWorld, open, server, test, until} from '../rig.mjs';

test('a form changes the world of the server, live and for everybody', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('o');
  await page.getByRole('treeitem', {name: /sheet/}).click();
  const stretch = page.locator('.section', {hasText: 'Stretch'});
  await fill(stretch.getByRole('textbox', {name: /^Compliance/}), '3e-5');
  const compliance = async () => (await peer.call('body.get', {world: name, body})).stretch.compliance;
  await eventually(compliance, (value) => Math.abs(value - 3e-5) < 1e-9, 'what was typed reaches the server');

  // A slider sends while it is dragged.
  const slider = stretch.getByRole('slider').first();
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
  await page.mouse.down();
  await eventually(
    compliance,
    (value) => Math.abs(value - 3e-5) > 1e-7,
    'a press on the slider reaches the server',
  );
  const first = await compliance();
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2, {steps: 6});
  await eventually(compliance, (value) => value > 10 * first, 'the slider is live while it is dragged');
  await page.mouse.up();

  await page.keyboard.press('Escape');
  await page.keyboard.press('i');
  await fill(field(page, 'Gravity y'), '-1.5');
  await eventually(
    async () => (await peer.call('world.get', {world: name})).gravity[1],
    (y) => Math.abs(y + 1.5) < 1e-6,
    'gravity changes',
  );

  // Somebody else's edit shows, with the name.
  await peer.call('world.set', {world: name, damping: 2.5});
  await until(page, () =>
    [...document.querySelectorAll('.edited-by')].some((note) => note.textContent.includes('Peer')),
  );
  await eventually(
    () => field(page, 'Damping').inputValue(),
    (text) => text === '2.5',
    "the form shows the other's value",
  );
  await page.getByText('Peer changed the world.').waitFor();
  peer.close();
});

test('a refused edit shows the words of the server, by the field', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const refusal = await peer.call('body.set', {world: name, body, stretch: {compliance: -1}}).then(
    () => assert.fail('a negative compliance was accepted'),
    (error) => error,
  );
  assert.equal(refusal.field, 'stretch.compliance');
  const box = page.locator('.section', {hasText: 'Stretch'}).getByRole('textbox', {name: /^Compliance/});
  await fill(box, '-1');
  const words = refusal.text.replace(/^stretch\.compliance: /, '');
  const note = page.locator('.section', {hasText: 'Stretch'}).getByRole('alert');
  await note.waitFor();
  assert.equal(await note.textContent(), words);
  assert.equal(await box.inputValue(), '-1', 'what was typed stays, to be mended');
  await box.press('Escape');
  await note.waitFor({state: 'detached'});
  assert.equal(await box.inputValue(), '1e-6', 'Escape shows what holds');

  // Where there is no field, it is said near what was pressed.
  await peer.call('world.play', {world: name});
  await until(page, () => window.weft.document.playing.value);
  const conflict = await peer.call('world.step', {world: name}).then(
    () => assert.fail(),
    (error) => error.text,
  );
  await page.evaluate(async () => {
    const {weft} = window;
    const done = await weft.commands.call('world.step', {ticks: 1});
    if (!done.ok) weft.notices.error(done.error);
  });
  await page.locator('.toast').getByText(conflict).waitFor();
  peer.close();
});
