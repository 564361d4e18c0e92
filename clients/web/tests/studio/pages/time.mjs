// What is drawn against what the server has, tick by tick and within a tick.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, makeWorld, open, positionsOf, server, test, until} from '../rig.mjs';

test('what is drawn is what body.state says', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {side: 12, play: false});
  await peer.call('world.step', {world: name, ticks: 30});
  const page = await open(name);
  const compare = async (when) => {
    const state = await positionsOf(peer, name, body);
    await eventually(
      async () => {
        const drawn = await page.evaluate((id) => Array.from(window.weft.view.drawn(id) ?? []), body);
        return drawn.length === state.length
          ? Math.max(...drawn.map((x, i) => Math.abs(x - state[i])))
          : Infinity;
      },
      (worst) => worst < 1e-5,
      `${when}: every particle is drawn where the server has it`,
    );
  };
  await compare('when the page is opened');
  await peer.call('world.step', {world: name, ticks: 25});
  await compare('after more ticks');
  await page.keyboard.press('.');
  await until(page, () => window.weft.document.tick.value === 56);
  await compare('after a step by the page');
  await page.keyboard.press('r');
  await until(page, () => window.weft.document.edits.value.some((edit) => edit.method === 'world.reset'));
  await compare('after a reset');

  // Looking into a tick: its substeps one by one, the last being where the server is.
  await page.keyboard.press(']');
  await until(page, () => window.weft.scrubber.count.value === 9);
  const slider = page.getByRole('slider', {name: 'Substep'});
  await slider.focus();
  await page.keyboard.press('End');
  await compare('at the last substep');
  await page.keyboard.press('Home');
  const state = await positionsOf(peer, name, body);
  await eventually(
    () =>
      page.evaluate(
        ([id, last]) => Array.from(window.weft.view.drawn(id)).some((x, i) => Math.abs(x - last[i]) > 1e-5),
        [body, state],
      ),
    Boolean,
    'the first substep is another moment',
  );
  peer.close();
});

test('a rate that is chosen while the world is paused waits for play, and edits leave the substeps to be seen', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const world = () => peer.call('world.get', {world: name});
  await page.getByRole('button', {name: 'Rate 1×'}).click();
  await page.getByRole('radio', {name: '0.5×'}).click();
  await page.getByRole('button', {name: 'Rate 0.5×'}).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('-');
  await page.getByRole('button', {name: 'Rate 0.25×'}).waitFor();
  assert.equal((await world()).state, 'paused');
  await page.keyboard.press('Space');
  await eventually(
    world,
    ({state, rate}) => state === 'playing' && rate === 0.25,
    'it plays at what was chosen',
  );
  await until(page, () => window.weft.document.playing.value);
  await page.keyboard.press('Space');
  await until(page, () => !window.weft.document.playing.value);

  await page.keyboard.press(']');
  await until(page, () => window.weft.scrubber.count.value === 9);
  const bar = page.getByRole('group', {name: 'Substeps of a tick'});
  await peer.call('body.set', {world: name, body, stretch: {compliance: 1e-3}});
  await bar.getByText('before the edit').waitFor();
  // What it shows is that tick still, though another thing came and the world has other substeps.
  await peer.call('world.set', {world: name, substeps: 20});
  const {body: extra} = await peer.call('body.add', {world: name, kind: 'points', positions: [0, 1, 0]});
  await until(page, (id) => window.weft.document.bodies.value.get(id)?.topology, extra);
  const before = await page.evaluate((id) => Array.from(window.weft.view.drawn(id)), body);
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await eventually(
    () => page.evaluate((id) => Array.from(window.weft.view.drawn(id)), body),
    (now) => now.some((x, i) => x !== before[i]),
    'the next substeps are shown',
  );
  await bar.getByText('2/8').waitFor();
  await peer.call('body.remove', {world: name, body: extra});
  await until(page, (id) => !window.weft.document.bodies.value.has(id), extra);
  assert.equal(await page.evaluate(() => window.weft.scrubber.count.value), 9);
  await peer.call('world.reset', {world: name});
  await bar.waitFor({state: 'detached'});
  peer.close();
});

test('a world that is slower than it should be says so', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {side: 24, play: false});
  await peer.call('world.set', {world: name, substeps: 1000, iterations: 2});
  await peer.call('world.play', {world: name, rate: 1000});
  const page = await open(name);
  await page.getByRole('button', {name: /^Rate .+× of 1000×$/}).waitFor();
  await peer.call('world.pause', {world: name});
  await page.getByRole('button', {name: 'Rate 1000×', exact: true}).waitFor();
  peer.close();
});
