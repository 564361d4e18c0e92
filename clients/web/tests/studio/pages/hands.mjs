// What hands do on the picture: handles, selecting tools, pins, constraints, the camera.
import assert from 'node:assert/strict';

import {numbers, Peer} from '../peer.mjs';
import {
  drag,
  eventually,
  handled,
  keepPicture,
  lookFrom,
  makeWorld,
  open,
  pictureChange,
  placeOf,
  server,
  SIZE,
  swipe,
  test,
  until,
} from '../rig.mjs';

// For pictures that are read.
const SMALL = {width: 800, height: 500};

test('handles move, turn and resize colliders, and the wind has one', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const box = {kind: 'box', position: [0, 1, 1], half_extents: [0.2, 0.2, 0.2]};
  const {collider} = await peer.call('collider.add', {world: name, name: 'crate', ...box});
  const ball = await peer.call('collider.add', {
    world: name,
    kind: 'sphere',
    position: [2, 1, 1],
    radius: 0.3,
  });
  const page = await open(name);
  await lookFrom(page, [0, 1, 6], [0, 1, 1]);
  const select = (thing) => page.evaluate((one) => window.weft.selection.select([one]), thing);
  const crate = async (id = collider) =>
    (await peer.call('world.join', {world: name})).colliders.find((one) => one.collider === id);

  await select({kind: 'collider', collider});
  const at = await placeOf(page, box.position);
  // Arrows are as long on the page wherever they are.
  const arrow = {x: at.x + 50, y: at.y};
  await drag(page, arrow, {x: 80, y: 0});
  // On the way there it is seen elsewhere.
  const there = ({position}) => Math.abs(position[0] - 80 / at.perMetre) < 0.05;
  const moved = await eventually(crate, there, 'an arrow moves it with the hand');
  assert.ok(Math.abs(moved.position[1] - 1) < 1e-6, 'along its axis alone');

  const handles = page.getByRole('radiogroup', {name: 'Handle'});
  await handles.getByRole('radio', {name: 'Turn'}).click();
  const here = await placeOf(page, moved.position);
  // The ring about z lies in the plane of the page.
  const ring = 66;
  await drag(page, {x: here.x + ring * 0.7071, y: here.y - ring * 0.7071}, {x: -70, y: -20});
  await handled(page, name);
  const turned = await eventually(crate, ({rotation}) => Math.abs(rotation[2]) > 0.15, 'a ring turns it');
  assert.ok(Math.hypot(turned.rotation[0], turned.rotation[1]) < 0.01, `about z: ${turned.rotation}`);

  await handles.getByRole('radio', {name: 'Size'}).click();
  await peer.call('collider.set', {world: name, collider, rotation: [0, 0, 0, 1]});
  await until(page, (id) => window.weft.document.colliders.value.get(id).rotation[3] === 1, collider);
  await drag(page, {x: here.x + ring, y: here.y}, {x: 66, y: 0});
  const wide = ({half_extents: half}) => Math.abs(half[0] - 0.4) < 0.08;
  const large = await eventually(crate, wide, 'a cube resizes it');
  assert.ok(Math.abs(large.half_extents[1] - 0.2) < 1e-6, 'along its axis alone');

  await select({kind: 'collider', collider: ball.collider});
  await lookFrom(page, [2, 1, 6], [2, 1, 1]);
  await drag(page, {x: at.x, y: at.y - ring}, {x: 0, y: -66});
  const grown = ({radius}) => Math.abs(radius - 0.6) < 0.12;
  await eventually(() => crate(ball.collider), grown, 'a ball grows with the hand');

  // The wind stands over the middle of what there is.
  await peer.call('collider.remove', {world: name, collider});
  await peer.call('collider.remove', {world: name, collider: ball.collider});
  await peer.call('world.set', {world: name, wind: {velocity: [3, 0, 0], density: 1.2}});
  await until(page, () => window.weft.document.settings.value.wind.velocity[0] === 3);
  await lookFrom(page, [0, 2, 6], [0, 2, 0]);
  await select({kind: 'wind'});
  const tip = await placeOf(page, [3 * 0.09, 1.6 + 0.25, 0]);
  await drag(page, tip, {x: 60, y: -30});
  const wind = await eventually(
    async () => (await peer.call('world.get', {world: name})).wind.velocity,
    (velocity) => velocity[0] > 4,
    'the handle changes the wind',
  );
  assert.ok(wind[1] > 0.5 && Math.abs(wind[2]) < 0.5, `in the plane of the page: ${wind}`);
  peer.close();
});

test('the selecting tools take what is drawn round, with the mouse and with a finger; buttons pin', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: {hasTouch: true}});
  await lookFrom(page, [0, 1, 4], [0, 1, 0]);
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  const cell = 1 / (side - 1);
  // Round the particles (row, column) to (row, column), half a cell off.
  const corners = async ([row0, column0], [row1, column1]) => {
    const corner = (row, column) => placeOf(page, [column * cell - 0.5, 1.6 - row * cell, 0]);
    const [a, b] = [await corner(row0 - 0.5, column0 - 0.5), await corner(row1 + 0.5, column1 + 0.5)];
    return {a, b};
  };
  const chosen = () =>
    page.evaluate((id) => [...(window.weft.selection.selected.value.particles.get(id) ?? [])], body);
  const pins = async () => [...numbers((await peer.call('body.get', {world: name, body})).pins)];
  // A tap is a click once the page has time for it, and a finger that is down before that still has the tool from before.
  const take = async (named, wanted) => {
    await page.getByRole('radio', {name: named, exact: true}).tap();
    await until(page, (tool) => window.weft.viewState.tool.value === tool, wanted);
  };

  await page.keyboard.press('3');
  await page.getByRole('radio', {name: 'Particles'}).click();
  const {a, b} = await corners([4, 2], [5, 4]);
  await drag(page, a, {x: b.x - a.x, y: b.y - a.y});
  const wanted = [4, 5].flatMap((row) => [2, 3, 4].map((column) => row * side + column));
  await eventually(chosen, (all) => all.join() === wanted.join(), 'a box takes what is in it');
  const bar = page.getByRole('toolbar', {name: 'Selection'});
  await bar.getByRole('button', {name: 'Pin', exact: true}).click();
  await eventually(pins, (all) => wanted.every((one) => all.includes(one)), 'a button pins them');
  await bar.getByRole('button', {name: 'Unpin'}).click();
  await eventually(pins, (all) => all.length === 2, 'and unpins');

  // With a finger.
  await take('Select by lasso', 'lasso');
  const round = await corners([7, 6], [7, 7]);
  const loop = [
    {x: round.a.x, y: round.a.y},
    {x: round.b.x, y: round.a.y},
    {x: round.b.x, y: round.b.y},
    {x: round.a.x, y: round.b.y},
    {x: round.a.x, y: round.a.y},
  ];
  await swipe(page, loop);
  await eventually(chosen, (all) => all.join() === [7 * side + 6, 7 * side + 7].join(), 'a lasso takes two');
  await take('Select by box', 'box');
  await swipe(page, [
    {x: a.x, y: a.y},
    {x: (a.x + b.x) / 2, y: b.y},
    {x: b.x, y: b.y},
  ]);
  await eventually(chosen, (all) => all.length === 6, 'a box with a finger');
  await take('Select', 'click');
  const one = await placeOf(page, [-0.5 + cell, 1.6 - 6 * cell, 0]);
  await page.touchscreen.tap(one.x, one.y);
  await eventually(chosen, (all) => all.join() === String(6 * side + 1), 'a tap takes one');

  // A finger pulls, two go nearer.
  await take('Drag', 'grab');
  await peer.call('world.play', {world: name});
  await swipe(page, [
    {x: one.x, y: one.y},
    {x: one.x - 20, y: one.y},
    {x: one.x - 60, y: one.y},
    {x: one.x - 100, y: one.y},
  ]);
  await until(page, () => window.weft.viewState.dragged.value);
  await peer.call('world.pause', {world: name});
  const away = () =>
    page.evaluate(() => {
      const {position, target} = window.weft.viewState.camera.value;
      return Math.hypot(...position.map((x, i) => x - target[i]));
    });
  const before = await away();
  const {width, height} = SIZE;
  const finger = (by) => Array.from({length: 6}, (_, i) => ({x: width / 2 + by * (40 + 16 * i), y: height / 4}));
  await swipe(page, finger(-1), finger(1));
  await eventually(away, (now) => now < 0.7 * before, 'two fingers go nearer');
  peer.close();
});

test('a constraint of each type is added between particles, seen, chosen and removed', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: {viewport: SMALL}});
  const loose = (kind) =>
    page.evaluate((one) => [...(window.weft.document.constraints.loose(one).value?.ids ?? [])], kind);
  const take = (particles) =>
    page.evaluate(([id, all]) => window.weft.selection.selectParticles(id, all), [body, particles]);
  const bead = await peer.call('body.add', {
    world: name,
    kind: 'points',
    positions: [0.1, 1, 0.4],
    density: 0.1,
  });
  await until(page, (id) => window.weft.view.drawn(id) !== null, bead.body);
  const form = page.locator('[data-part="connect"]');
  // Two triangles that share an edge.
  const quad = [40, 41, 40 + side, 41 + side];
  const cases = [
    // The form keeps the force limit that is typed for it, and no other kind has one.
    ['join', 'Join', [12, 62]],
    ['distance', 'Distance', [10, 60]],
    ['dihedral', 'Dihedral', quad],
    ['isometric', 'Isometric', quad],
    ['quadratic', 'Quadratic', quad],
    // With a bead before the cloth.
    ['volume', 'Volume', quad.slice(0, 3)],
    // The bead is the ring.
    ['slide', 'Slide', [14, 64]],
  ];
  for (const [kind, words, particles] of cases) {
    await take(particles);
    if (kind === 'volume' || kind === 'slide')
      await page.evaluate((id) => window.weft.selection.selectParticles(id, [0], 'add'), bead.body);
    await form.getByRole('combobox', {name: 'Type'}).selectOption(kind);
    if (kind === 'join') await form.getByRole('textbox', {name: 'Force limit'}).fill('1000');
    if (kind === 'slide') await form.getByRole('combobox', {name: 'Ring'}).selectOption(`${bead.body}:0`);
    await form.getByRole('button', {name: `Add ${kind}`}).click();
    await eventually(() => loose(kind), (ids) => ids.length === 1, `${kind} is added`);
  }
  const slide = await page.evaluate(() => {
    const {bodies, particles} = window.weft.document.constraints.loose('slide').value;
    return [[...bodies], [...particles]];
  });
  assert.deepEqual(slide, [[body, bead.body, body], [14, 0, 64]], 'the ring is between the ends');

  // Lines by kind, and by strain.
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.weft.selection.clear());
  await lookFrom(page, [0, 1, 2.6], [0, 1.1, 0]);
  await keepPicture(page);
  await page.keyboard.press('v');
  const menu = page.getByRole('dialog', {name: 'View options'});
  await menu.getByRole('radio', {name: 'By kind'}).click();
  await eventually(() => pictureChange(page), (share) => share > 0.005, 'kinds are drawn');
  await keepPicture(page);
  await menu.getByRole('radio', {name: 'By strain'}).click();
  await eventually(() => pictureChange(page), (share) => share > 0.005, 'strains are drawn');
  await keepPicture(page);
  await menu.getByRole('radio', {name: 'Off'}).click();
  await menu.getByRole('switch', {name: 'Wireframe'}).click();
  await eventually(() => pictureChange(page), (share) => share > 0.005, 'a wireframe is drawn');
  await page.keyboard.press('Escape');

  // Each is in the outline, and Delete removes it.
  await page.keyboard.press('o');
  for (const [kind, words] of cases) {
    await page.getByRole('treeitem', {name: new RegExp(`^${words}`)}).click();
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('Delete');
    await eventually(() => loose(kind), (ids) => ids.length === 0, `${kind} is removed`);
  }
  peer.close();
});

test('the camera flies, turns, shifts, goes nearer and comes back to a view that was kept', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: {viewport: SMALL}});
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  const pose = () => page.evaluate(() => window.weft.viewState.camera.value);
  const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
  const home = {position: [0, 1.2, 5], target: [0, 1, 0]};
  await lookFrom(page, home.position, home.target);
  await page.keyboard.press('v');
  const menu = page.getByRole('dialog', {name: 'View options'});
  await menu.getByRole('textbox', {name: 'Name of the view'}).fill('front');
  await menu.getByRole('button', {name: 'Keep this view'}).click();
  await page.keyboard.press('Escape');
  await page.locator('canvas').focus();

  const moves = async (act, what) => {
    const before = await pose();
    await act();
    await eventually(
      pose,
      (now) => apart(now.position, before.position) > 0.05 || apart(now.target, before.target) > 0.05,
      what,
    );
  };
  for (const key of ['w', 'a', 'e', 'ArrowLeft', 'ArrowUp']) {
    await moves(() => page.keyboard.down(key), `${key} moves the camera while it is held`);
    await page.keyboard.up(key);
  }
  const empty = {x: 60, y: SMALL.height / 2};
  await moves(() => drag(page, empty, {x: 90, y: 30}), 'dragging beside things turns it');
  await moves(() => drag(page, empty, {x: 90, y: 30}, {button: 'right'}), 'the right button shifts it');
  await page.mouse.move(SMALL.width / 2, SMALL.height / 2);
  await moves(() => page.mouse.wheel(0, -300), 'the wheel goes nearer');
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.locator('canvas').focus();
  await moves(() => page.keyboard.press('f'), 'F looks at the selection');

  await page.reload();
  await page.waitForFunction(() => window.weft?.document.phase.value === 'joined');
  await page.keyboard.press('v');
  await menu.getByRole('button', {name: 'front', exact: true}).click();
  await eventually(
    pose,
    (now) => apart(now.position, home.position) < 0.01 && apart(now.target, home.target) < 0.01,
    'a kept view outlives the page',
  );
  await menu.getByRole('button', {name: 'Forget front'}).click();
  await menu.getByRole('button', {name: 'front', exact: true}).waitFor({state: 'detached'});

  // What moves has lines where velocities are shown.
  await menu.getByRole('switch', {name: 'Velocities'}).click();
  await page.keyboard.press('Escape');
  await peer.call('world.set', {world: name, gravity: [12, -9, 0]});
  const {tick} = await peer.call('world.step', {world: name, ticks: 12});
  await until(page, (last) => window.weft.document.tick.value === last, tick);
  await lookFrom(page, [0, 1.1, 1.8], [0, 1.1, 0]);
  await eventually(() => keepPicture(page).then(() => pictureChange(page)), (share) => share === 0, 'it rests');
  await page.evaluate(() => (window.weft.viewState.overlays.velocities.value = false));
  // Thin lines, and nothing else: the world rests.
  await eventually(() => pictureChange(page), (share) => share > 5e-5, 'velocities are drawn');
  peer.close();
});
