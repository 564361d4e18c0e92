// Whole bodies: handles, doubling, looks of one's own, what the camera does about them, and large selections.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
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
  positionsOf,
  server,
  SIZE,
  test,
  until,
} from '../rig.mjs';

const axis = (positions, i) => positions.filter((_, at) => at % 3 === i);
const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
const width = (values) => Math.max(...values) - Math.min(...values);

test('handles move, turn and scale a body, and it can be doubled', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await lookFrom(page, [0, 1.1, 6], [0, 1.1, 0]);
  await page.keyboard.press('2');
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const handles = page.getByRole('radiogroup', {name: 'Handle'});
  await handles.waitFor();
  const before = await positionsOf(peer, name, body);
  const at = await placeOf(page, [0, 1.1, 0]);
  await drag(page, {x: at.x + 50, y: at.y}, {x: 80, y: 0});
  await handled(page, name);
  const moved = await eventually(
    () => positionsOf(peer, name, body),
    (now) => Math.abs(middle(axis(now, 0)) - 80 / at.perMetre) < 0.06,
    'an arrow moves it with the hand',
  );
  const off = moved[0] - before[0];
  assert.ok(moved.every((x, i) => Math.abs(x - before[i] - (i % 3 === 0 ? off : 0)) < 1e-5), 'as a whole');

  await handles.getByRole('radio', {name: 'Turn'}).click();
  const here = await placeOf(page, [middle(axis(moved, 0)), 1.1, 0]);
  await drag(page, {x: here.x + 66 * 0.7071, y: here.y - 66 * 0.7071}, {x: -70, y: -20});
  await handled(page, name);
  let last = [];
  const turned = await eventually(
    () => positionsOf(peer, name, body),
    (now) => {
      const rests = now.every((x, i) => x === last[i]);
      last = now;
      return rests && Math.abs(now[1] - now[3 * 8 + 1]) > 0.2;
    },
    'a ring turns it',
  );
  const side = (p) => Math.hypot(p[0] - p[24], p[1] - p[25], p[2] - p[26]);
  assert.ok(Math.abs(side(turned) - side(before)) < 1e-4, 'and it keeps its shape');
  // A reset puts it to where it was added.
  await peer.call('world.reset', {world: name});
  await eventually(
    () => positionsOf(peer, name, body),
    (now) => now.every((x, i) => Math.abs(x - before[i]) < 1e-5),
    'a reset puts it back',
  );
  await until(page, (id) => Math.abs(window.weft.view.drawn(id)[1] - 1.6) < 1e-3, body);

  // Another size is another body: twice as wide, four times as heavy only where it is twice as high too.
  await handles.getByRole('radio', {name: 'Size'}).click();
  const middleNow = await placeOf(page, [0, 1.1, 0]);
  await drag(page, {x: middleNow.x + 66, y: middleNow.y}, {x: 66, y: 0});
  const bodies = async () => (await peer.call('world.join', {world: name})).bodies;
  const [large] = await eventually(
    bodies,
    ([one, more]) => one.body !== body && one.name === 'sheet' && !more,
    'it is made again, by the same name',
  );
  const now = await positionsOf(peer, name, large.body);
  const factor = width(axis(now, 0));
  assert.ok(factor > 1.6 && factor < 2.4, `wider: ${factor}`);
  assert.ok(Math.abs(width(axis(now, 1)) - 1) < 1e-4, 'and no higher');
  const {masses, pins, stretch} = await peer.call('body.get', {world: name, body: large.body});
  const mass = Array.from(masses).reduce((sum, one) => sum + one, 0);
  assert.ok(Math.abs(mass - 0.2 * factor) < 1e-3, `of the same density: ${mass}`);
  assert.deepEqual([...pins], [0, 8]);
  assert.ok(Math.abs(stretch.compliance - 1e-6) < 1e-12);

  await until(page, (id) => window.weft.selection.selected.value.bodies.has(id), large.body);
  await until(page, (id) => window.weft.view.drawn(id) !== null, large.body);
  await page.getByRole('button', {name: 'Duplicate'}).click();
  const [, twin] = await eventually(bodies, (all) => all.length === 2, 'it is doubled');
  assert.equal(twin.name, 'sheet 2');
  const other = await positionsOf(peer, name, twin.body);
  const apart = [0, 2].some(
    (i) =>
      Math.min(...axis(other, i)) > Math.max(...axis(now, i)) ||
      Math.max(...axis(other, i)) < Math.min(...axis(now, i)),
  );
  assert.ok(apart, 'beside it');
  peer.close();
});

test('hidden and coloured things are so on one page alone', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.getByRole('button', {name: 'Hide on this page'}).click();
  await page.getByRole('button', {name: 'Show again'}).waitFor();
  const at = await page.evaluate((id) => window.weft.view.project(id, 40), body);
  await page.keyboard.press('Escape');
  await page.evaluate(({x, y}) => window.weft.view.pickAt(x, y), at);
  assert.ok(await page.evaluate(() => window.weft.selection.selected.value.bodies.size === 0), 'nothing to take');
  await keepPicture(page);
  await page.keyboard.press('v');
  await page.getByRole('button', {name: /Show what is hidden here/}).click();
  await page.keyboard.press('Escape');
  await eventually(() => pictureChange(page), (share) => share > 0.01, 'it is seen again');
  await keepPicture(page);
  await page.evaluate(
    (id) => (window.weft.viewState.own.value = new Map([[`body:${id}`, {color: '#00ff00'}]])),
    body,
  );
  await eventually(() => pictureChange(page), (share) => share > 0.01, 'in its own colour');
  // A ground as well; what is offered first is what it has.
  const [{collider}] = (await peer.call('world.join', {world: name})).colliders;
  await page.evaluate((id) => window.weft.selection.select([{kind: 'collider', collider: id}]), collider);
  await page.getByRole('button', {name: 'On this page', exact: true}).click();
  const colour = page.getByLabel('Colour');
  assert.equal(await colour.inputValue(), '#f3f1ec');
  await keepPicture(page);
  await colour.fill('#203040');
  await eventually(() => pictureChange(page), (share) => share > 0.1, 'a ground in a colour of its own');
  peer.close();
});

test('legends name the kinds that there are, and the strain has a scale', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('v');
  await page.getByRole('radio', {name: 'By kind'}).click();
  const kinds = page.getByRole('group', {name: 'Colours of the constraints'});
  await kinds.getByText('Distance').waitFor();
  await eventually(
    () => kinds.innerText(),
    (words) => /Quadratic/.test(words) && !/Volume|Isometric|Dihedral/.test(words),
    'the kinds that there are',
  );
  assert.ok(!(await page.getByRole('button', {name: 'Volume'}).isVisible()), 'nor are others to be chosen');
  await page.getByRole('radio', {name: 'By strain'}).click();
  const scale = page.getByRole('group', {name: 'Colours of the strain'});
  await scale.getByText('+5 %').waitFor();
  await scale.getByText('+45°').waitFor();
  await until(page, () => window.weft.document.constraints.table('distance').value !== null);
  await page.evaluate(() => window.weft.view.focus('all'));
  await eventually(() => keepPicture(page).then(() => pictureChange(page)), (share) => share === 0, 'it rests');
  await page.getByRole('switch', {name: 'Fill the triangles'}).click();
  await eventually(() => pictureChange(page), (share) => share > 0.003, 'triangles are filled');
  await page.getByRole('radio', {name: 'Unresolved bend'}).click();
  await page.getByRole('group', {name: 'Colours of bending'}).getByText('100 %').waitFor();
  await until(page, () => window.weft.convergence.bodies.value.length > 0);
  assert.equal(await scale.count(), 0, 'one legend at a time');
  peer.close();
});

test('views along the axes, orthographic: what is parallel stays so, and clicks meet what is seen', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  await peer.call('collider.add', {world: name, kind: 'sphere', position: [3, 0.3, -4], radius: 0.3});
  const page = await open(name);
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  await page.keyboard.press('0');
  await page.keyboard.press('9');
  // Seen from above a hanging sheet is a line, wherever on the page.
  await eventually(
    () => page.evaluate((id) => [0, 72].map((k) => window.weft.view.project(id, k)), body),
    ([top, foot]) => Math.abs(top.x - foot.x) < 2 && Math.abs(top.y - foot.y) < 4,
    'from above',
  );
  await page.keyboard.press('7');
  const [a, b, foot] = await eventually(
    () => page.evaluate((id) => [0, 8, 72].map((k) => window.weft.view.project(id, k)), body),
    ([one, other, low]) =>
      Math.abs(one.y - other.y) < 2 && low.y - one.y > 50 && Math.abs(low.y - one.y - (other.x - one.x)) < 3,
    'from the front a square is a square',
  );
  await page.keyboard.press('2');
  await page.mouse.click((a.x + b.x) / 2, (a.y + foot.y) / 2);
  await until(page, (id) => window.weft.selection.selected.value.bodies.has(id), body);
  await page.keyboard.press('8');
  await eventually(
    () => page.evaluate((id) => [0, 8].map((k) => window.weft.view.project(id, k)), body),
    ([one, other]) => Math.abs(one.x - other.x) < 2,
    'from the side',
  );
  peer.close();
});

test('the first world is seen as a whole, and what is added stands beside and in view', async () => {
  const page = await open('', {hash: '', url: server.url});
  await page.evaluate(async () => {
    await window.weft.client.opened();
  });
  await page.getByRole('button', {name: 'Create a world'}).click();
  await until(page, () => window.weft.document.bodies.value.size === 3);
  const inView = () =>
    page.evaluate(
      ([w, h]) =>
        [...window.weft.document.bodies.value.values()].flatMap(({body, particles}) =>
          [0, particles - 1].map((k) => {
            const at = window.weft.view.project(body, k);
            return at !== null && at.x > 0 && at.y > 0 && at.x < w && at.y < h;
          }),
        ),
      [SIZE.width, SIZE.height],
    );
  await eventually(inView, (all) => all.length === 6 && all.every(Boolean), 'all of it is in view');

  // Somebody takes the camera elsewhere: what is added from here is brought into view, and stands in nothing.
  await page.mouse.move(500, 60);
  await page.mouse.down({button: 'right'});
  await page.mouse.move(-900, 60, {steps: 3});
  await page.mouse.up({button: 'right'});
  for (let i = 0; i < 3; ++i) {
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByRole('option', {name: 'Soft cube'}).dblclick();
    await page.getByRole('dialog').waitFor({state: 'detached'});
  }
  await until(page, () => {
    const bodies = [...window.weft.document.bodies.value.values()];
    return bodies.length === 6 && bodies.every(({topology}) => topology);
  });
  const boxes = await page.evaluate(() =>
    [...window.weft.document.bodies.value.values()].slice(3).map(({topology}) => {
      const of = (axis) => Array.from(topology.rest).filter((_, i) => i % 3 === axis);
      return [0, 1, 2].map((axis) => [Math.min(...of(axis)), Math.max(...of(axis))]);
    }),
  );
  for (const [i, one] of boxes.entries()) {
    for (const other of boxes.slice(i + 1)) {
      const apart = one.some(([low, high], axis) => low >= other[axis][1] || high <= other[axis][0]);
      assert.ok(apart, `${JSON.stringify(one)} stands in ${JSON.stringify(other)}`);
    }
  }
  await eventually(
    () =>
      page.evaluate(
        ([w, h]) => {
          const last = [...window.weft.document.bodies.value.values()].at(-1);
          const at = window.weft.view.project(last.body, 0);
          return at !== null && at.x > 0 && at.y > 0 && at.x < w && at.y < h;
        },
        [SIZE.width, SIZE.height],
      ),
    Boolean,
    'the last one is in view',
  );
});

test('a number of the gallery that is too large is refused while it is typed', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('n');
  const gallery = page.getByRole('dialog', {name: 'New'});
  // A material of that name is an option as well.
  await gallery.locator('button').and(gallery.getByRole('option', {name: 'Tablecloth'})).click();
  const cells = gallery.getByRole('textbox', {name: 'Cells'});
  await cells.fill('5000');
  await gallery.getByRole('alert').filter({hasText: 'At most 200.'}).waitFor();
  await cells.press('Enter');
  assert.ok(await gallery.getByText('At most 200.').isVisible(), 'it is not taken');
  assert.ok(await gallery.getByRole('button', {name: 'Add', exact: true}).isDisabled());
  await cells.fill('12');
  await cells.press('Tab');
  await gallery.getByText('At most 200.').waitFor({state: 'detached'});
  await gallery.getByText('169 particles').waitFor();
  peer.close();
});

test('half a million particles are chosen by a box', async () => {
  const page = await open('', {hash: ''});
  await page.evaluate(() => window.weft.client.opened());
  const name = 'many';
  const side = 708;
  const count = side * side;
  await page.evaluate(
    async ([world, n]) => {
      await window.weft.worlds.create({name: world});
      await window.weft.open(world);
      const positions = new Float32Array(3 * n * n);
      const triangles = new Uint32Array(6 * (n - 1) * (n - 1));
      let t = 0;
      for (let i = 0; i < n * n; ++i) {
        positions.set([(2 * (i % n)) / n - 1, 0.5, (2 * Math.floor(i / n)) / n - 1], 3 * i);
        if (i % n === n - 1 || i + n >= n * n) continue;
        triangles.set([i, i + n, i + 1, i + 1, i + n, i + n + 1], t);
        t += 6;
      }
      const done = await window.weft.commands.addBody({kind: 'cloth', positions, triangles});
      if (!done.ok) throw done.error;
    },
    [name, side],
  );
  await until(page, () => [...window.weft.document.bodies.value.keys()].some((id) => window.weft.view.drawn(id)));
  await lookFrom(page, [0, 9, 0.1], [0, 0.5, 0]);
  await page.keyboard.press('3');
  await page.evaluate(() => (window.weft.viewState.target.value = 'particle'));
  await drag(page, {x: 60, y: 60}, {x: SIZE.width - 120, y: SIZE.height - 230}, {steps: 3});
  await until(page, (all) => window.weft.selection.particleCount.value === all, count);
  await page.keyboard.press('Escape');
  await until(page, () => window.weft.selection.empty.value);
});
