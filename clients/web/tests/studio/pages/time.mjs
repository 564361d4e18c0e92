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
  await until(page, () => window.weft.scrubber.count.value > 1);
  assert.equal(await page.evaluate(() => window.weft.scrubber.count.value), 9);
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
