// What several pages on one world see of each other.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, fill, joined, makeWorld, open, server, test, until} from '../rig.mjs';

test('two pages on one world: one drags, the other sees it move', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer);
  const [one, two] = [await open(name), await open(name)];
  const particle = (side - 1) * side + Math.floor(side / 2);
  await until(two, (id) => window.weft.view.drawn(id) !== null, body);
  const before = await two.evaluate(
    ([id, at]) => [...window.weft.view.drawn(id).slice(3 * at, 3 * at + 3)],
    [body, particle],
  );
  await one.getByText('Drag it').waitFor(); // the hint of the first visit
  const at = await eventually(
    () => one.evaluate(([id, k]) => window.weft.view.project(id, k), [body, particle - side]),
    Boolean,
    'the particle is drawn',
  );
  await one.mouse.move(at.x, at.y);
  await one.mouse.down();
  for (let step = 1; step <= 8; ++step) await one.mouse.move(at.x + 20 * step, at.y - 5 * step);
  const after = await eventually(
    () =>
      two.evaluate(([id, k]) => [...window.weft.view.drawn(id).slice(3 * k, 3 * k + 3)], [body, particle]),
    (now) => Math.hypot(...now.map((x, axis) => x - before[axis])) > 0.15,
    'the other page sees the cloth move',
  );
  assert.ok(after[0] > before[0], 'it moves the way it is pulled');
  await eventually(
    () => two.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 1,
    'the other page sees who holds',
  );
  await one.mouse.up();
  await eventually(
    () => two.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 0,
    'the other page sees it let go',
  );
  await one.getByText('Drag it').waitFor({state: 'detached'});
  peer.close();
});

test('worlds are made, renamed and deleted; a link carries the world and the view', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const names = async () => (await peer.call('world.list')).worlds.map((world) => world.name);
  await page.keyboard.press('b');
  await page.getByRole('button', {name: 'New world…'}).click();
  const dialog = page.getByRole('dialog', {name: 'New world'});
  await fill(dialog.getByRole('textbox', {name: 'Name'}), name);
  await dialog.getByRole('alert').filter({hasText: name}).waitFor();
  await fill(dialog.getByRole('textbox', {name: 'Name'}), `${name}-new`);
  await dialog.waitFor({state: 'detached'});
  await until(
    page,
    (wanted) => window.weft.document.name.value === wanted && window.weft.document.phase.value === 'joined',
    `${name}-new`,
  );
  await page.keyboard.press('b');
  await page.getByRole('button', {name: `Rename ${name}-new`}).click();
  await fill(page.getByRole('textbox', {name: `New name of ${name}-new`}), `${name}-other`);
  await eventually(names, (all) => all.includes(`${name}-other`), 'the world is renamed');
  await page.getByRole('button', {name: `Delete ${name}-other`}).click();
  await page.getByRole('button', {name: 'Delete', exact: true}).click();
  await eventually(names, (all) => !all.includes(`${name}-other`), 'the world is deleted');
  await page.getByText('Someone deleted it.').waitFor();
  await page.getByRole('button', {name, exact: false}).filter({hasText: /body/}).first().click();
  await joined(page);

  await page.evaluate(() => window.weft.view.goTo({position: [2, 3, 4], target: [0.25, 1, 0]}, false));
  await page.waitForFunction(() => location.hash.includes('view=2,3,4,0.25,1,0'));
  await page.keyboard.press('l');
  await page.getByText('The link to this world and view is copied.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(name, {hash: new URL(link).hash});
  const away = () =>
    other.evaluate(() => {
      const {position, target} = window.weft.viewState.camera.value;
      return Math.hypot(
        position[0] - 2,
        position[1] - 3,
        position[2] - 4,
        target[0] - 0.25,
        target[1] - 1,
        target[2],
      );
    });
  await eventually(away, (distance) => distance < 0.01, 'the link has the view');
  await until(other, (id) => window.weft.view.drawn(id) !== null, body);
  assert.ok((await away()) < 0.01, 'it stays when the world is drawn');

  // Somebody renames the world, and then deletes it, while both look at it.
  await peer.call('world.set', {world: name, name: `${name} anew`});
  for (const one of [page, other]) {
    await one.getByRole('button', {name: `${name} anew`}).waitFor();
    await one.waitForFunction(() => decodeURIComponent(location.hash).includes('anew'));
  }
  assert.ok((await away()) < 0.01, 'a new name moves nothing');
  await peer.call('world.delete', {world: `${name} anew`});
  for (const one of [page, other]) await one.getByText('Someone deleted it.').waitFor();
  peer.close();
});

test('in a world that stands still a drag says why nothing follows', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  const at = await page.evaluate((id) => window.weft.view.project(id, 40), body);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y, {steps: 4});
  await page.getByText('it moves when time runs').waitFor();
  await page.mouse.up();
  await page.getByText('it moves when time runs').waitFor({state: 'detached'});
  peer.close();
});

test('people are told by name who plays, pauses and removes, and a new name shows at once', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  await peer.call('world.join', {world: name});
  const [page, other] = [await open(name), await open(name)];
  await peer.call('world.play', {world: name, rate: 0.5});
  await page.getByText('Peer started the world at 0.5×.').waitFor();
  await peer.call('world.pause', {world: name});
  await page.getByText('Peer paused the world.').waitFor();
  await peer.call('body.remove', {world: name, body});
  await page.getByText('Peer removed sheet.').waitFor();
  // Nobody is told what they did themselves.
  await page.keyboard.press('Space');
  await other.getByText(/^[A-Z][a-z]+ [A-Z][a-z]+ started the world at 0.5×\.$/).waitFor();
  assert.equal(await page.getByText(/session-\d+ let/).count(), 0);

  await other.evaluate(() => {
    window.weft.document.refreshPeople = () => Promise.resolve();
  });
  await page.getByRole('button', {name: /(people|person) here$/}).click();
  await fill(page.getByRole('textbox', {name: 'Your name'}), 'Ada');
  await page.getByText('Ada (you)').waitFor();
  const names = () => other.evaluate(() => window.weft.document.people.value.map(({user}) => user));
  await eventually(names, (all) => all.includes('Ada'), 'the other page knows the name, and did not ask');
  await peer.call('session.hello', {errors: 'map', arrays: 'plain', client: 'test', user: 'Grace'});
  await peer.call('world.join', {world: name});
  await eventually(names, (all) => all.includes('Grace') && !all.includes('Peer'), 'and of others too');
  peer.close();
});
