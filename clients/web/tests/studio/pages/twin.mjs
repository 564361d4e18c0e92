// The world that is open, simulated on the page itself.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

import {barriers, prepared} from '../axe.mjs';
import {numbers, Peer} from '../peer.mjs';
import {browser, complaints, eventually, makeWorld, open, positionsOf, server, SIZE, test, until} from '../rig.mjs';

const run = promisify(execFile);
const scene = (name) => fileURLToPath(new URL(`../../../../scenes/${name}.json`, import.meta.url));

const simulation = (page) => page.evaluate(() => window.weft.simulated.simulation.value);

async function openScene(name) {
  const world = `${name}-${Date.now()}`;
  await run(process.env.WEFT, ['--server', server.tcp, 'open', scene(name), '--name', world]);
  return world;
}

test('a scene of the gallery runs on the page, and its hash is equal while others edit and drag', async () => {
  const peer = await Peer.connect(server.url);
  const name = await openScene('flag');
  await peer.call('world.play', {world: name});
  const page = await open(name, {computed: 'here'});
  const badge = page.getByRole('note', {name: 'Where it is simulated'});
  await badge.getByText(/Simulated here, hash equal at tick/).waitFor();
  const {bodies} = await peer.call('world.join', {world: name});
  const [{body, particles, pins}] = bodies;
  const free = [...Array(particles).keys()].filter((particle) => !numbers(pins).includes(particle));
  const {grab} = await peer.call('grab.begin', {world: name, body, particle: free.at(-1)});
  const equal = [];
  for (let step = 0; step < 2; ++step) {
    const at = (await simulation(page)).twin.sameTick;
    await peer.call('grab.move', {world: name, grab, target: [0, 1 + 0.1 * step, 0.2]});
    await peer.call('body.set', {world: name, body, stretch: {compliance: 1e-7 * (1 + step)}});
    await until(page, (tick) => window.weft.simulated.simulation.value.twin?.sameTick > tick, at);
    equal.push((await simulation(page)).twin.sameTick);
  }
  assert.ok(equal[1] > equal[0], 'at growing ticks');
  // One's own drag goes to the server, and comes back as a record.
  await page.evaluate(
    async ([id, particle]) => {
      window.hold = window.weft.commands.grab({body: id, particle}, [0.3, 1.2, 0.3]);
      await window.hold.begun;
    },
    [body, free[Math.floor(free.length / 2)]],
  );
  await until(page, () => window.weft.document.grabs.value.size === 2);
  const holders = await page.evaluate(() => [...window.weft.document.grabs.value.values()].map(({user}) => user));
  assert.ok(holders.includes('Peer'), `who holds is known: ${holders}`);
  await page.evaluate(() => window.hold.end());
  await peer.call('grab.end', {world: name, grab});
  const {twin, state} = await simulation(page);
  assert.deepEqual([state, twin.differences, twin.losses, twin.images], ['here', 0, 0, 1]);

  // At rest it is drawn where the server has it, to the last digit.
  const {tick} = await peer.call('world.pause', {world: name});
  await until(page, (wanted) => window.weft.document.tick.value === wanted, tick);
  const there = Float32Array.from(await positionsOf(peer, name, body));
  await eventually(
    () => page.evaluate((id) => Array.from(window.weft.view.drawn(id)), body),
    (drawn) => drawn.every((x, i) => x === there[i]),
    'it is drawn where it is',
  );
  assert.equal((await peer.call('world.get', {world: name})).streams, 1, 'no positions are sent');

  await page.keyboard.press('y');
  await page.getByRole('group', {name: 'Figures'}).getByText('Hash equal at').waitFor();
  await page.keyboard.press('y');

  // Positions again, by the keyboard alone.
  await page.keyboard.press('v');
  const choice = page.getByRole('combobox', {name: 'The world is'});
  await choice.focus();
  await prepared(page);
  assert.deepEqual(await barriers(page, 'the choice'), []);
  await choice.press('End');
  await until(page, () => window.weft.simulated.simulation.value.state === 'sent');
  await badge.waitFor({state: 'detached'});
  const before = await page.evaluate(() => window.weft.frames.counts.frames);
  await peer.call('world.step', {world: name, ticks: 1});
  await until(page, (count) => window.weft.frames.counts.frames > count, before);
  await choice.press('Home');
  await until(page, () => window.weft.simulated.simulation.value.state === 'here');
  peer.close();
});

test('where it is no twin any more it says so in red, and positions are shown until it is one again', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer);
  const page = await open(name, {computed: 'here', lies: 1});
  const badge = page.getByRole('note', {name: 'Where it is simulated'});
  await badge.getByText(/It differed once/).waitFor();
  const color = await badge.locator('.danger').evaluate((span) => getComputedStyle(span).color);
  const [red, green] = /(\d+), (\d+)/.exec(color).slice(1).map(Number);
  assert.ok(red > 1.5 * green, `red: ${color}`);
  await until(page, () => {
    const {state, twin} = window.weft.simulated.simulation.value;
    return state === 'here' && twin.images === 2;
  });
  await prepared(page);
  assert.deepEqual(await barriers(page, 'what differed'), []);
  peer.close();
});

test('a page without the module says so, and positions come', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const own = await browser.newContext({viewport: SIZE, reducedMotion: 'reduce'});
  await own.route('**/weft-machine*.wasm', (route) => route.fulfill({status: 404, body: 'none'}));
  const page = await open(name, {computed: 'automatic', own});
  await until(page, () => /weft-machine.*404/.test(window.weft.simulated.simulation.value.why));
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  const before = await page.evaluate(() => window.weft.frames.counts.frames);
  await until(page, (count) => window.weft.frames.counts.frames > count, before);
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !/404/.test(text)));
  await page.keyboard.press('v');
  await page.getByText(/positions from the server: weft-machine/).waitFor();
  peer.close();
});
