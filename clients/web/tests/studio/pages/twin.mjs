// The world that is open, simulated on the page itself.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

import {barriers, prepared} from '../axe.mjs';
import {numbers, Peer} from '../peer.mjs';
import {eventually, forgive, makeWorld, newContext, open, openStatus, positionsOf, server, statusTells, test, until} from '../rig.mjs';
import {slowWay} from '../slow.mjs';

const WAY_MS = 150;
// Half of the ticks that the way takes there and back: a page that stops for a moment sees less of it.
const EARLIER = 9;

const run = promisify(execFile);
const scene = (name) => fileURLToPath(new URL(`../../../../scenes/${name}.json`, import.meta.url));

const simulation = (page) => page.evaluate(() => window.weft.simulated.simulation.value);

// Pulls at a particle to and fro, far, until one pull was drawn `enough` ticks before it was certain. For each pull: after how many
// milliseconds and drawn frames it is drawn half of the way, after how many milliseconds it is so where the world is certain; and the
// ticks of the frames in which it is so first, ahead and for certain.
async function pull([body, particle, enough]) {
  const {commands, view, frames, document} = window.weft;
  const frame = () => new Promise(requestAnimationFrame);
  const heightIn = (bodies) => bodies.find((chunk) => chunk.body === body).positions[3 * particle + 1];
  let came = () => undefined;
  frames.onFrame((one) => came(one));
  const [x, y, z] = view.drawn(body).slice(3 * particle, 3 * particle + 3);
  window.hold = commands.grab({body, particle}, [x, y, z], 1e-5);
  await window.hold.begun;
  window.hold.move([x, y, z]);
  // A second of the world: it hangs still by then, and the page knows how far ahead of it it is.
  const settled = document.tick.value + 60;
  while (document.tick.value < settled) await frame();
  const pulls = [];
  const earlier = ({aheadTick, certainTick}) => (aheadTick > 0 ? certainTick - aheadTick : 0);
  for (let turn = 0; turn < 3 || !pulls.some((one) => earlier(one) >= enough); ++turn) {
    const up = turn % 2 === 0 ? 1 : -1;
    const there = (height) => up * (height - y) > 0.1;
    const begun = performance.now();
    const seen = {drawnMs: 0, frames: 0, certainMs: 0, aheadTick: 0, certainTick: 0};
    came = ({tick, ahead, bodies}) => {
      if (ahead && there(heightIn(ahead.bodies))) seen.aheadTick ||= tick;
      if (there(heightIn(bodies))) {
        seen.certainTick ||= tick;
        seen.certainMs ||= performance.now() - begun;
      }
    };
    window.hold.move([x, y + 0.2 * up, z]);
    while (seen.drawnMs === 0 || seen.certainMs === 0) {
      if (seen.drawnMs === 0 && there(view.drawn(body)[3 * particle + 1])) seen.drawnMs = performance.now() - begun;
      seen.frames += seen.drawnMs === 0 ? 1 : 0;
      await frame();
    }
    pulls.push(seen);
  }
  return pulls;
}

async function openScene(name) {
  await run(process.env.WEFT, ['--server', server.tcp, 'open', scene(name), '--name', name]);
  return name;
}

// At rest it is drawn where the server has it, to the last digit.
async function restsWhereItIs(page, peer, name, body) {
  const {tick} = await peer.call('world.pause', {world: name});
  await until(page, (wanted) => window.weft.document.tick.value === wanted, tick);
  const there = Float32Array.from(await positionsOf(peer, name, body));
  await eventually(
    () => page.evaluate((id) => Array.from(window.weft.view.drawn(id)), body),
    (drawn) => drawn.every((x, i) => x === there[i]),
    'it is drawn where it is',
  );
}

test('a scene of the gallery runs on the page, and its hash is equal while others edit and drag', async () => {
  const peer = await Peer.connect(server.url);
  const name = await openScene('flag');
  await peer.call('world.play', {world: name});
  const page = await open(name, {computed: 'here'});
  await until(page, () => window.weft.simulated.simulation.value.state === 'here');
  assert.equal(await page.getByText(/hash equal/i).count(), 0, 'only the details tell of hashes');
  await statusTells(page, /^Simulated here, hash equal at tick/);
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

  await restsWhereItIs(page, peer, name, body);
  await eventually(
    async () => (await peer.call('world.get', {world: name})).streams,
    (count) => count === 1,
    'no positions are sent',
  );

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
  await page.keyboard.press('Escape');
  await statusTells(page, 'Positions from the server, exact');
  const before = await page.evaluate(() => window.weft.frames.counts.frames);
  await peer.call('world.step', {world: name, ticks: 1});
  await until(page, (count) => window.weft.frames.counts.frames > count, before);
  // While it plays they are compressed, and say how far they may be off; at rest they are exact again.
  await page.evaluate(() => {
    window.sent = [];
    window.weft.frames.onFrame(({tolerance}) => window.sent.push(tolerance));
  });
  await peer.call('world.play', {world: name});
  await statusTells(page, /^Positions from the server, within 0\.0?[125] mm, [\d.]+ \w+\/s$/);
  await until(page, () => window.sent.filter((tolerance) => tolerance > 0).length > 10);
  const now = await peer.call('world.pause', {world: name});
  await until(page, (wanted) => window.weft.document.tick.value === wanted, now.tick);
  const where = Float32Array.from(await positionsOf(peer, name, body));
  await eventually(
    () => page.evaluate((id) => Array.from(window.weft.view.drawn(id)), body),
    (drawn) => drawn.every((x, i) => x === where[i]),
    'it is drawn where it rests',
  );
  await page.keyboard.press('v');
  await choice.press('Home');
  await until(page, () => window.weft.simulated.simulation.value.state === 'here');
  peer.close();
});

test('where it is no twin any more it says so in red, and positions are shown until it is one again', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer);
  const way = await slowWay(server.address, {delayMs: WAY_MS});
  const page = await open(name, {computed: 'here', lies: 1, url: way.url});
  await page.getByRole('button', {name: 'Status: Differed from the server once'}).waitFor();
  const details = await openStatus(page);
  const place = details.getByRole('note', {name: 'Place of the simulation'});
  await place.getByText(/It differed once/).waitFor();
  const color = await place.locator('.danger').evaluate((span) => getComputedStyle(span).color);
  const [red, green] = /(\d+), (\d+)/.exec(color).slice(1).map(Number);
  assert.ok(red > 1.5 * green, `red: ${color}`);
  await until(page, () => {
    const {state, twin} = window.weft.simulated.simulation.value;
    return state === 'here' && twin.images >= 2;
  });
  await prepared(page);
  assert.deepEqual(await barriers(page, 'what differed'), []);

  // One's own drag comes back as a record 300 ms later at the least. It is drawn before, and what is certain stays equal.
  const equalAt = (await simulation(page)).twin.sameTick;
  const pulls = await page.evaluate(pull, [body, (side * side - 1) / 2, EARLIER]);
  for (const {drawnMs, frames, certainMs} of pulls) {
    console.log(`  a pull was drawn after ${drawnMs.toFixed(0)} ms, ${frames} frames; certain after ${certainMs.toFixed(0)} ms`);
    assert.ok(certainMs > 2 * WAY_MS, 'it took its way');
  }
  await until(page, () => window.weft.simulated.simulation.value.twin.ahead > 0);
  await place.getByText(/equal at tick .* predicted \d+ ticks? ahead/).waitFor();
  await until(page, (tick) => window.weft.simulated.simulation.value.twin.sameTick > tick, equalAt);
  await page.evaluate(() => window.hold.end());
  await until(page, () => window.weft.simulated.simulation.value.twin.ahead === 0);
  assert.equal((await simulation(page)).twin.differences, 1, 'the one that was made up');
  await restsWhereItIs(page, peer, name, body);
  peer.close();
  await page.close();
  way.close();
});

test('a world that needs a rare kind goes over to the full module, and is simulated here again', async () => {
  const peer = await Peer.connect(server.url);
  const name = await openScene('flag');
  const own = await newContext();
  const asked = [];
  await own.route('**/weft-machine*', (route) => {
    asked.push(new URL(route.request().url()).pathname.includes('-full') ? 'full' : 'first');
    return route.continue();
  });
  await peer.call('world.play', {world: name});
  const page = await open(name, {computed: 'here', own});
  const here = () => window.weft.simulated.simulation.value.state === 'here';
  await until(page, here);
  assert.deepEqual(asked, ['first']);
  const {bodies} = await peer.call('world.join', {world: name});
  const [{body}] = bodies;
  await peer.call('constraint.add', {world: name, type: 'slide', body, particles: [0, 1, 2], compliance: 1e-6});
  await until(page, () => window.weft.simulated.simulation.value.twin?.images >= 2); // more where a busy machine fell behind
  await until(page, here);
  assert.deepEqual(asked, ['first', 'full']);
  assert.equal((await simulation(page)).twin.differences, 0);
  await restsWhereItIs(page, peer, name, body);
  peer.close();
  await page.close();
});

test('a page without the modules says so, and positions come as floats', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const own = await newContext();
  await own.route('**/weft-*.wasm', (route) => route.fulfill({status: 404, body: 'none'}));
  const page = await open(name, {computed: 'automatic', own});
  await until(page, () => /weft-machine.*404/.test(window.weft.simulated.simulation.value.why));
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  const before = await page.evaluate(() => window.weft.frames.counts.frames);
  await until(page, (count) => window.weft.frames.counts.frames > count, before);
  forgive(/404/);
  await page.keyboard.press('v');
  const now = page.getByText(/Now: positions from the server, exact, .*not compressed .*weft-codec.*404.*: weft-machine/);
  await now.waitFor();
  peer.close();
});
