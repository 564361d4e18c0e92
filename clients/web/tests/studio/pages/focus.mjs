// Where the keyboard is after the pointer, after fields, and after what had it is gone.
import assert from 'node:assert/strict';

import {numbers, Peer} from '../peer.mjs';
import {eventually, field, makeWorld, open, positionsOf, server, TELEPHONE, test, until} from '../rig.mjs';

const focused = (page) =>
  page.evaluate(() => {
    const {activeElement: at} = document;
    return at === document.body
      ? 'body'
      : `${at.tagName.toLowerCase()} ${at.getAttribute('aria-label') ?? ''}`.trim();
  });

// An element that is drawn again hands the focus on when that is done.
const comesTo = (page, wanted, what) => eventually(() => focused(page), (at) => wanted.test(at), what);
const textOf = (page) => page.evaluate(() => document.activeElement.textContent);

test('after the pointer the keys are those of the picture', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  await peer.call('world.create', {name: `${name}-other`});
  const page = await open(name);
  const playing = () => page.evaluate(() => window.weft.document.playing.value);
  const spacePlays = async (after) => {
    await comesTo(page, /^canvas/, `${after}: the keyboard is at the picture`);
    const before = await playing();
    await page.keyboard.press('Space');
    await eventually(playing, (now) => now !== before, `${after}: Space plays or pauses`);
    assert.equal(await page.locator('.popover, .dialog').count(), 0, `${after}: nothing opens`);
  };

  await page.getByRole('button', {name: 'New', exact: true}).click();
  await page.getByRole('dialog').getByRole('button', {name: 'Close'}).click();
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await spacePlays('a dialog was closed');

  await page.getByRole('button', {name: `World ${name}`}).click();
  await page.getByRole('dialog', {name: 'Worlds'}).getByText(`${name}-other`).click();
  await until(page, (other) => window.weft.document.name.value === other, `${name}-other`);
  await until(page, () => window.weft.document.phase.value === 'joined');
  await spacePlays('a world was chosen');
  assert.equal(await page.evaluate(() => window.weft.document.name.value), `${name}-other`);

  await page.getByRole('button', {name: 'Plots'}).click();
  await page.getByRole('figure', {name: /^Energy/}).waitFor();
  await spacePlays('a panel was opened');
  await page.keyboard.press('o');
  await page.getByRole('treeitem', {name: 'Wind'}).click();
  await until(page, () => window.weft.selection.selected.value.wind);
  await spacePlays('a thing was chosen in the outline');
  // There is no frame around the picture: nobody came to it by Tab.
  assert.equal(await page.locator('.stage.keyboard').count(), 0);
  peer.close();
});

test('handles, copies, hidden things and views give the keys back to the picture, and are reached without it', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const select = () => page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await select();
  await page.keyboard.press('2');
  const bar = page.getByRole('toolbar', {name: 'Selection'});
  for (const press of [
    () => bar.getByRole('radio', {name: 'Turn'}).click(),
    async () => {
      await bar.getByRole('button', {name: 'Duplicate'}).click();
      // The copy is what is selected then.
      const copied = (id) => window.weft.selection.selected.value.bodies.size === 1 && !window.weft.selection.selected.value.bodies.has(id);
      await until(page, copied, body);
    },
    () => bar.getByRole('button', {name: 'Hide on this page'}).click(),
    () => bar.getByRole('button', {name: 'Show again'}).click(),
  ]) {
    await press();
    await comesTo(page, /^canvas/, 'the keyboard is at the picture');
  }
  await page.getByRole('button', {name: 'View options'}).click();
  await page.getByRole('dialog', {name: 'View options'}).getByRole('button', {name: 'Top'}).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', {name: 'View options'}).waitFor({state: 'detached'});

  // By keys alone: along the bar, and a mode of the handles.
  await select();
  await bar.getByRole('radio', {name: 'Turn'}).focus();
  await page.keyboard.press('ArrowRight');
  await eventually(() => textOf(page), (text) => text === 'Size', 'an arrow goes on along the bar');
  await page.keyboard.press('Enter');
  await until(page, () => window.weft.viewState.handle.value === 'size');
  assert.equal(await textOf(page), 'Size', 'it stays there');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await eventually(() => textOf(page), (text) => text === 'Move', 'round and round');

  // What a handle does, without it: moved, then of another size.
  const before = await positionsOf(peer, name, body);
  const toggle = page.getByRole('button', {name: 'Move, turn, size'});
  await toggle.focus();
  await page.keyboard.press('Enter');
  const write = async (box, text) => {
    await field(page, box).focus();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  const apply = async () => {
    await page.getByRole('button', {name: 'Apply'}).focus();
    await page.keyboard.press('Enter');
  };
  await write('Move x', '0.5');
  await write('Turn y', '180');
  await apply();
  await eventually(
    () => positionsOf(peer, name, body),
    (now) =>
      now.every((x, i) => Math.abs(x - (i % 3 === 1 ? before[i] : i % 3 === 0 ? 0.5 - before[i] : -before[i])) < 1e-4),
    'it is moved and turned about its middle',
  );
  await write('Size y', '2');
  await apply();
  const [, large] = await eventually(
    async () => (await peer.call('world.join', {world: name})).bodies,
    (bodies) => bodies.length === 2 && !bodies.some((one) => one.body === body),
    'it is made again',
  );
  const rest = numbers((await peer.call('body.get', {world: name, body: large.body})).positions);
  const heights = rest.filter((_, i) => i % 3 === 1);
  assert.ok(Math.abs(Math.max(...heights) - Math.min(...heights) - 2) < 1e-6, 'twice as high');
  peer.close();
});

test('Enter and Space press what has the keyboard, and Enter and Escape leave a field', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  for (const key of ['Enter', 'Space']) {
    await page.getByRole('button', {name: 'More'}).focus();
    await page.keyboard.press(key);
    await page.getByRole('dialog', {name: 'More'}).waitFor();
    await page.keyboard.press('Escape');
    await comesTo(page, /^button More$/, `${key}: the keyboard is back where it was`);
  }
  assert.equal(
    await page.evaluate(() => window.weft.document.playing.value),
    false,
    'Space pressed the button alone',
  );

  await page.keyboard.press('i');
  const damping = field(page, 'Damping');
  await damping.fill('1,000');
  await damping.press('Enter');
  await eventually(
    async () => (await peer.call('world.get', {world: name})).damping,
    (value) => value === 1000,
    '1,000 is a thousand',
  );
  await comesTo(page, /^body$/, 'Enter leaves the field');
  await damping.fill('7');
  await damping.press('Escape');
  await comesTo(page, /^body$/, 'Escape leaves the field');
  await eventually(() => damping.inputValue(), (value) => value === '1000', 'it is as the world has it');
  assert.equal(
    (await peer.call('world.get', {world: name})).damping,
    1000,
    'what was taken back is not sent',
  );
  // Tab goes on from the field.
  await page.keyboard.press('Tab');
  assert.notEqual(await focused(page), 'body');
  assert.ok(await page.evaluate(() => document.activeElement.closest('.inspector') !== null));
  peer.close();
});

test('a tree, toolbars with one stop each, and a keyboard that is not lost', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const stops = (box) =>
    page.evaluate(
      (which) =>
        document.querySelectorAll(`${which} :is(button, input, [role="treeitem"]):not([tabindex="-1"])`)
          .length,
      box,
    );
  await page.keyboard.press('o');
  await page.getByRole('treeitem', {name: /sheet/}).waitFor();
  for (const box of [
    '.dock',
    '[role="toolbar"][aria-label="World"]',
    '[role="toolbar"][aria-label="Page"]',
    '[role="tree"]',
  ])
    await eventually(() => stops(box), (count) => count === 1, `${box} has one stop`);

  await page.getByRole('radio', {name: 'Drag'}).focus();
  await page.keyboard.press('ArrowRight');
  await comesTo(page, /^button Select$/, 'an arrow goes to the next tool');
  await page.keyboard.press('End');
  await comesTo(page, /^button Timeline/, 'End goes to the last');
  await page.keyboard.press('ArrowRight');
  await comesTo(page, /^button Drag$/, 'round and round');
  assert.equal(await stops('.dock'), 1);

  const isAt = (wanted) => eventually(() => textOf(page), (text) => wanted.test(text), `the keyboard is at ${wanted}`);
  await page.getByRole('treeitem', {name: 'World'}).focus();
  await page.keyboard.press('End');
  await isAt(/^People/);
  await page.keyboard.press('ArrowRight');
  await page.getByRole('treeitem', {name: /^People/, expanded: true}).waitFor();
  await page.keyboard.press('ArrowRight');
  await isAt(/you$/);
  await page.keyboard.press('ArrowLeft');
  await isAt(/^People/);
  await page.keyboard.press('Home');
  await isAt(/^World$/);

  // A thing that is removed hands the keyboard to its neighbour.
  await page.getByRole('treeitem', {name: /sheet/}).focus();
  await page.keyboard.press('Enter');
  await until(page, () => window.weft.selection.selected.value.bodies.size === 1);
  await page.keyboard.press('Delete');
  await until(page, () => window.weft.document.bodies.value.size === 0);
  await eventually(
    () => page.evaluate(() => document.activeElement.getAttribute('role')),
    (role) => role === 'treeitem',
    'the keyboard stays in the tree',
  );
  peer.close();
});

test('Select in a body keeps the keyboard in the inspector', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const picker = page.getByRole('textbox', {name: 'Particles'});
  await picker.fill('3-5');
  await picker.press('Tab');
  await eventually(() => textOf(page), (text) => text === 'Select', 'Tab goes on to the button');
  await page.keyboard.press('Enter');
  await until(page, () => window.weft.selection.particleCount.value === 3);
  await eventually(
    () => page.evaluate(() => document.activeElement.closest('.inspector') !== null),
    Boolean,
    'the keyboard stays in the inspector',
  );
  peer.close();
});

test('hidden panels leave a way back', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer);
  const page = await open(name, {context: TELEPHONE});
  await page.getByRole('button', {name: 'More'}).tap();
  await page.getByRole('button', {name: 'Hide the panels'}).tap();
  await page.locator('.dock').waitFor({state: 'detached'});
  const back = page.getByRole('button', {name: 'Show the panels'});
  await eventually(
    () => back.boundingBox(),
    (box) => box !== null && box.width >= 36 && box.height >= 36 && box.x + box.width <= 390,
    'in reach of a finger',
  );
  await back.tap();
  await page.locator('.dock').waitFor();
  await back.waitFor({state: 'detached'});
  peer.close();
});
