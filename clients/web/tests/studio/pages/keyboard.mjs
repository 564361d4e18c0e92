// The page without a pointer.
import {numbers, Peer} from '../peer.mjs';
import {eventually, makeWorld, open, positionsOf, server, test, until} from '../rig.mjs';

test('the keyboard alone drives the main verbs', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const world = () => peer.call('world.get', {world: name});
  const press = (...keys) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

  await press('Space');
  await eventually(world, ({state}) => state === 'playing', 'Space plays');
  await until(page, () => window.weft.document.playing.value);
  await press('=');
  await eventually(world, ({rate}) => rate === 2, '+ is faster');
  await until(page, () => window.weft.document.run.value.rate === 2);
  await press('-');
  await eventually(world, ({rate}) => rate === 1, '- is slower');
  await press('Space');
  await eventually(world, ({state}) => state === 'paused', 'Space pauses');
  await until(page, () => !window.weft.document.playing.value);
  const {tick} = await world();
  await press('.');
  await eventually(world, (now) => now.tick === tick + 1, '. steps one tick');

  // Through the outline to the inspector, and there to particles.
  await press('o');
  await page.getByRole('tree').waitFor();
  await page.getByRole('treeitem', {name: 'World'}).focus();
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
  await until(page, (id) => window.weft.selection.selected.value.bodies.has(id), body);
  const picker = page.getByRole('textbox', {name: 'Particles'});
  await picker.focus();
  await page.keyboard.type('40');
  await press('Enter');
  await until(page, () => window.weft.selection.particleCount.value === 1);
  await page.evaluate(() => document.activeElement.blur());
  const pins = async () => [...numbers((await peer.call('body.get', {world: name, body})).pins)];
  await press('p');
  await eventually(pins, (all) => all.includes(40), 'P pins');
  await press('u');
  await eventually(pins, (all) => !all.includes(40), 'U unpins');

  // Drags without a pointer. A field of the panel may have taken the focus when the element that had it was drawn again.
  const leave = () => page.evaluate(() => document.activeElement.blur());
  await leave();
  await press('Space');
  await until(page, () => window.weft.document.playing.value);
  await leave();
  await press('g');
  await page.getByText('Grabbed: arrows').waitFor();
  await eventually(
    () => page.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 1,
    'G takes hold',
  );
  const before = (await positionsOf(peer, name, body)).slice(120, 123);
  for (let i = 0; i < 8; ++i) await press('Shift+ArrowUp');
  await eventually(
    async () => (await positionsOf(peer, name, body))[121],
    (y) => y > before[1] + 0.1,
    'arrows pull',
  );
  await press('Enter');
  await eventually(
    () => page.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 0,
    'Enter lets go',
  );

  // A constraint between two particles.
  await page.evaluate(
    ([id, last]) => window.weft.selection.selectParticles(id, [0, last]),
    [body, side * side - 1],
  );
  await press('c');
  await eventually(
    () => page.evaluate(() => document.activeElement.closest('[data-part="connect"]') !== null),
    Boolean,
    'C goes to the form',
  );
  await page.getByRole('button', {name: 'Add distance'}).focus();
  await press('Enter');
  await eventually(
    async () => (await world()).constraints,
    (now) => now > 0,
    'there are constraints',
  );
  const loose = () =>
    page.evaluate(() => Array.from(window.weft.document.constraints.loose('distance').value?.ids ?? []));
  await eventually(loose, (ids) => ids.length === 1, 'the constraint is added');
  await page.getByRole('treeitem', {name: /^Distance/}).waitFor();

  // Adds a body from the gallery, and removes it.
  await press('Escape', 'n');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('option', {name: 'Rope'}).focus();
  await press('Enter');
  await page.getByRole('textbox', {name: /^Length/}).focus();
  await press('Enter');
  await eventually(world, ({bodies}) => bodies === 2, 'the rope is there');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await until(page, () => window.weft.selection.selected.value.bodies.size === 1);
  await page.evaluate(() => document.activeElement.blur());
  await press('Delete');
  await eventually(world, ({bodies}) => bodies === 1, 'Delete removes it');

  await press('?');
  await page.getByRole('dialog', {name: 'Keys'}).waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await press('r');
  await until(page, () => window.weft.document.edits.value.some((edit) => edit.method === 'world.reset'));
  peer.close();
});

test('menus begin where one is, and Tab leaves them for what opened them; a gallery is one stop', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
  const button = page.getByRole('button', {name: `World ${name}`});
  await button.focus();
  await page.keyboard.press('Enter');
  await until(page, () => document.activeElement?.getAttribute('aria-current') === 'true');
  await page.keyboard.press('Escape');
  for (const keys of [['Shift+Tab'], ['ArrowUp', 'Tab']]) {
    await page.getByRole('button', {name: 'View options'}).focus();
    await page.keyboard.press('Enter');
    await until(page, () => document.activeElement?.closest('[role="dialog"]') !== null);
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole('dialog', {name: 'View options'}).waitFor({state: 'detached'});
    await eventually(focused, (at) => at === 'View options', keys.join());
  }
  await page.keyboard.press('n');
  await page.getByRole('dialog', {name: 'New'}).waitFor();
  await page.getByRole('option', {name: 'Cloth', exact: true}).focus();
  for (const [key, wanted] of [
    ['ArrowRight', /Flag/],
    ['ArrowDown', /Hammock/],
    ['End', /Points/],
    ['Tab', /Ground/],
    ['ArrowRight', /Ball/],
    ['Shift+Tab', /Points/],
    ['Enter', /Points/],
  ]) {
    await page.keyboard.press(key);
    await eventually(focused, (at) => wanted.test(at), `${key} goes to ${wanted}`);
  }
  await page.getByRole('option', {name: 'Points', selected: true}).waitFor();
  peer.close();
});

test('a long name leaves what belongs to it on the page', async () => {
  const peer = await Peer.connect(server.url);
  const long = 'm'.repeat(64);
  await makeWorld(peer, {name: long, play: false});
  for (const viewport of [{width: 1000, height: 700}, {width: 390, height: 844}]) {
    const page = await open(long, {context: {viewport}});
    await page.keyboard.press('b');
    const boxes = [
      page.getByRole('dialog', {name: 'Worlds'}),
      page.getByRole('button', {name: `Rename ${long}`}),
      page.getByRole('button', {name: `Delete ${long}`}),
    ];
    await eventually(
      () => Promise.all(boxes.map((box) => box.boundingBox())),
      ([menu, rename, remove]) =>
        menu && rename && remove && rename.width >= 24 && remove.x + remove.width <= menu.x + menu.width,
      'the buttons are in the menu',
    );
    await eventually(
      () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      (over) => over === 0,
      'nothing is wider than the page',
    );
  }
  peer.close();
});
