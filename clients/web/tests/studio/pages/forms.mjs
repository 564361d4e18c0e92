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
  const {width, height} = await slider.boundingBox();
  // Once it stands still: what was typed may have changed what is above it.
  await slider.hover({position: {x: width * 0.25, y: height / 2}});
  const box = await slider.boundingBox();
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
  await eventually(() => note.textContent(), (text) => text === words, 'it says what the server says');
  assert.equal(await box.inputValue(), '-1', 'what was typed stays, to be mended');
  await box.press('Escape');
  await note.waitFor({state: 'detached'});
  await eventually(() => box.inputValue(), (text) => text === '1e-6', 'Escape shows what holds');

  // Where there is no field, it is said near what was pressed.
  await peer.call('world.play', {world: name});
  await until(page, () => window.weft.document.playing.value);
  await page.evaluate(async () => {
    const {weft} = window;
    const done = await weft.commands.call('world.step', {ticks: 1});
    if (!done.ok) weft.notices.error(done.error);
  });
  await page.locator('.toast').getByText('is playing; pause it first').waitFor();
  peer.close();
});

test('a press right after typing acts on what was typed, though the form moves under the pointer', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.selectParticles(id, [12, 62]), body);
  const form = page.locator('[data-part="connect"]');
  const loose = () =>
    page.evaluate(() => [...(window.weft.document.constraints.loose('join').value?.ids ?? [])]);
  const listed = async () =>
    (await peer.call('constraint.list', {world: name, type: 'join', body})).force_limit;
  await form.getByRole('combobox', {name: 'Type'}).selectOption('join');
  const add = form.getByRole('button', {name: 'Add join'});
  const limit = form.getByRole('textbox', {name: 'Force limit'});

  // The field gets a slider when it is left, and the button goes down.
  await limit.fill('750');
  const high = (await add.boundingBox()).y;
  await add.click();
  await eventually(loose, (ids) => ids.length === 1, 'a click adds it');
  assert.notEqual((await add.boundingBox()).y, high, 'the button has moved');
  assert.deepEqual([...(await listed())], [750], 'with what was typed');

  // A press that is let go elsewhere adds nothing, and what was typed is taken.
  await limit.fill('800');
  const at = await add.boundingBox();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2, at.y - 200);
  await page.mouse.up();
  const slider = form.getByRole('slider', {name: 'Force limit'});
  await eventually(() => slider.getAttribute('aria-valuetext'), (text) => text === '800 N', 'it is taken');

  // A slider that is pressed comes after what was typed.
  await limit.fill('900');
  const box = await slider.boundingBox();
  await page.mouse.click(box.x + box.width * 0.3, box.y + box.height / 2);
  await eventually(
    async () => Number((await limit.inputValue()).replaceAll(',', '')),
    (value) => value > 0 && value !== 900,
    'the slider has the last word',
  );

  // A text that is no number is not sent. It holds the form back only while its field is there.
  await limit.fill('much');
  await add.click({force: true});
  await form.getByRole('alert').waitFor();
  assert.equal(await add.isDisabled(), true);
  await form.getByRole('combobox', {name: 'Type'}).selectOption('distance');
  assert.equal(await form.getByRole('button', {name: 'Add distance'}).isDisabled(), false);
  assert.equal((await loose()).length, 1);
  peer.close();
});

test('long edges and a limit of stretch are set, and taken away again', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.getByRole('button', {name: 'Advanced'}).click();
  const box = page.getByRole('textbox', {name: /^Stretch: limit/});
  const limit = async () => (await peer.call('body.get', {world: name, body})).stretch.limit;
  await fill(box, '0.05');
  await eventually(limit, (value) => value === 0.05, 'the stretch has a limit');
  await fill(box, '0');
  await eventually(limit, (value) => value === undefined, 'a limit of 0 is none');
  await page.keyboard.press('Escape');
  await page.keyboard.press('i');
  const long = page.getByRole('switch', {name: /^Long edges/});
  assert.equal(await long.getAttribute('aria-checked'), 'true', 'a new world has them');
  await long.click();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).long_edges,
    (on) => on === false,
    'the world has no long edges',
  );
  await peer.call('world.set', {world: name, long_edges: true});
  await eventually(
    () => long.getAttribute('aria-checked'),
    (value) => value === 'true',
    "the form shows the other's value",
  );
  peer.close();
});

test('what several things do not share is called mixed, and changes for each by itself', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const positions = [0, 1, 0, 1, 1, 0, 0, 1, 1];
  const second = await peer.call('body.add', {
    world: name,
    kind: 'cloth',
    positions,
    triangles: [0, 1, 2],
    thickness: 0.02,
    stretch: {compliance: 1e-4},
    bend: {compliance: 100},
  });
  const boxes = [];
  for (const [x, y] of [
    [0.1, 0.2],
    [0.1, 0.4],
  ])
    boxes.push(
      (await peer.call('collider.add', {world: name, kind: 'box', half_extents: [x, y, 0.3]})).collider,
    );
  const page = await open(name);
  await page.evaluate(
    (ids) => window.weft.selection.select(ids.map((id) => ({kind: 'body', body: id}))),
    [body, second.body],
  );
  const stretch = page.locator('.section', {hasText: 'Stretch'}).first();
  const compliance = stretch.getByRole('textbox', {name: /^Compliance/});
  const isMixed = (box) =>
    eventually(
      async () => [await box.inputValue(), await box.getAttribute('placeholder')],
      ([text, placeholder]) => text === '' && placeholder === 'mixed',
      'what they do not share is mixed',
    );
  await isMixed(compliance);
  const damping = stretch.getByRole('textbox', {name: /^Damping/});
  await eventually(() => damping.inputValue(), (text) => text === '0', 'what they share is shown');
  // Looking at it, and leaving it, changes nothing.
  await compliance.focus();
  await compliance.press('Enter');
  await fill(damping, '2');
  const values = async () => {
    const all = await Promise.all(
      [body, second.body].map((id) => peer.call('body.get', {world: name, body: id})),
    );
    return all.map((one) => [one.stretch.compliance, one.stretch.damping]);
  };
  await eventually(values, (all) => all.every(([, d]) => d === 2), 'both have the damping');
  assert.ok(Math.abs((await values())[0][0] - 1e-6) < 1e-9 && Math.abs((await values())[1][0] - 1e-4) < 1e-9);
  await fill(compliance, '1e-5');
  await eventually(
    values,
    (all) => all.every(([c]) => Math.abs(c - 1e-5) < 1e-9),
    'both have the compliance',
  );

  await page.evaluate(
    (ids) => window.weft.selection.select(ids.map((id) => ({kind: 'collider', collider: id}))),
    boxes,
  );
  await isMixed(field(page, 'Half extents y'));
  await eventually(() => field(page, 'Half extents x').inputValue(), (text) => text === '0.1', 'and their width is not');
  await fill(field(page, 'Half extents x'), '0.5');
  await eventually(
    async () => (await peer.call('world.join', {world: name})).colliders.filter(({kind}) => kind === 'box'),
    (all) => all.every((one) => Math.abs(one.half_extents[0] - 0.5) < 1e-6),
    'both are wider',
  );
  const {colliders} = await peer.call('world.join', {world: name});
  const heights = colliders
    .filter(({kind}) => kind === 'box')
    .map((one) => Number(one.half_extents[1].toFixed(5)));
  assert.deepEqual(heights, [0.2, 0.4], 'and each as high as it was');
  peer.close();
});

test('what is no number is said beside the field, and adds nothing', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const thickness = field(page, 'Thickness');
  const words = page.getByRole('alert').filter({hasText: 'Not a number, such as'});
  for (const text of ['abc', '1/2', '1e400']) {
    await fill(thickness, text);
    await words.waitFor();
    assert.equal(await thickness.getAttribute('aria-invalid'), 'true');
    await thickness.fill('1');
    await words.waitFor({state: 'detached'});
    await thickness.press('Escape');
  }
  await page.keyboard.press('n');
  await page.getByRole('option', {name: 'Cloth', exact: true}).click();
  await field(page, 'Width').fill('wide');
  await page.getByRole('button', {name: 'Add', exact: true}).click();
  await words.waitFor();
  assert.equal((await peer.call('world.get', {world: name})).bodies, 1, 'nothing was added');
  peer.close();
});

test('a closed cloth is filled and emptied, creases, and keeps its soft pins at another size', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const {body} = await peer.call('body.add', {
    world: name,
    kind: 'cloth',
    name: 'gem',
    positions: [0.5, 2, 0, -0.5, 2, 0, 0, 2.5, 0, 0, 1.5, 0, 0, 2, 0.5, 0, 2, -0.5],
    triangles: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
    bend: {model: 'dihedral', compliance: 0.1},
  });
  const told = (id = body) => peer.call('body.get', {world: name, body: id});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const press = (what) => page.getByRole('button', {name: what, exact: true}).click();

  await press('Pressure');
  await press('Fill with gas');
  await eventually(told, ({pressure}) => pressure?.overpressure === 1000, 'gas is inside');
  await fill(page.getByRole('textbox', {name: /^In/}), '2');
  await fill(page.getByRole('textbox', {name: /^Overpressure/}), '400');
  await eventually(told, ({pressure: {overpressure, seconds}}) => overpressure === 400 && seconds === 2, 'it goes there in 2 s');
  await press('Keep the volume');
  await eventually(told, ({pressure}) => pressure.model === 'volume', 'the volume is kept');
  await page.getByRole('textbox', {name: /^Ratio/}).waitFor();
  assert.equal(await page.getByRole('textbox', {name: /^Overpressure/}).count(), 0, 'and only what that takes is shown');
  await press('Let it out');
  await eventually(told, ({pressure}) => !pressure, 'nothing is inside');

  await press('Folds');
  await press('Let it crease');
  await fill(page.getByRole('textbox', {name: /^Yield/}), '0.25');
  await eventually(told, ({bend}) => bend.plastic?.yield_angle === 0.25, 'it creases');
  await press('Keep these folds');
  await press('Make it elastic');
  await eventually(told, ({bend}) => !bend.plastic, 'it is elastic');

  await peer.call('particle.pin', {world: name, body, particles: [2], compliance: 0.25, distance: 0.5});
  await until(page, (id) => window.weft.document.bodies.value.get(id).softness[0] === 0.25, body);
  await page.evaluate((id) => window.weft.remake([id], [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]), body);
  const larger = (await peer.call('world.join', {world: name})).bodies.find((one) => one.name === 'gem');
  const {pins, pin_compliances, pin_distances, pin_targets} = await told(larger.body);
  assert.notEqual(larger.body, body);
  assert.deepEqual([pins, pin_compliances, pin_distances].map((all) => [...all]), [[2], [0.25], [0.5]]);
  assert.ok(Math.abs(pin_targets[1] - 5) < 1e-6, 'its target has moved as well');
  peer.close();
});

test('pairs of surfaces are added, changed and taken away again', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('i');
  const rows = async () => (await peer.call('world.join', {world: name})).surfaces;
  await page.getByRole('button', {name: 'Surfaces'}).click();
  await page.getByRole('button', {name: 'Add a pair'}).click();
  const part = page.locator('[data-part="surfaces"]');
  await fill(part.getByLabel('Between'), 'ice');
  assert.deepEqual(await rows(), [], 'a row with one name is not sent yet');
  await fill(part.getByLabel('And'), 'rubber');
  await eventually(rows, ([row]) => row?.one === 'ice' && row.other === 'rubber' && row.friction === 0.5, 'a pair is added');
  const pair = part.locator('.section', {hasText: 'ice and rubber'});
  await fill(pair.getByRole('textbox', {name: /^Restitution/}), '0.25');
  await eventually(rows, ([row]) => row?.restitution === 0.25 && row.friction === 0.5, 'one value changes alone');
  if (process.env.SHOTS) await page.screenshot({path: `${process.env.SHOTS}/surfaces.png`});
  await pair.getByRole('button', {name: 'Remove this pair'}).click();
  await eventually(rows, (all) => all.length === 0, 'the pair is gone');
  await page.keyboard.press('Control+z');
  await eventually(rows, ([row]) => row?.restitution === 0.25, 'an undo brings it back');
  await part.getByRole('button', {name: 'ice and rubber'}).waitFor();
  peer.close();
});
