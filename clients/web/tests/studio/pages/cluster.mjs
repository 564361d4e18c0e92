// Servers that share worlds: a page goes where its world is, along when that moves, and to who goes on with it when its server is
// killed; by itself, and with what is in its hand.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';

import {hasBroker, startCluster} from '../cluster.mjs';
import {Peer} from '../peer.mjs';
import {
  closePages,
  eventually,
  field,
  fill,
  forgiveConnections,
  makeWorld,
  newContext,
  open,
  positionsOf,
  skip,
  statusTells,
  test,
  until,
} from '../rig.mjs';

const run = promisify(execFile);
const SIZE = {width: 800, height: 500};

if (!hasBroker) skip('there is no nats-server');

// The second peer is at the server that stays: what it asks of a world elsewhere is passed on.
function cluster(name, steps) {
  if (!hasBroker) return;
  test(name, async () => {
    const {servers, close} = await startCluster('a', 'b');
    const peers = await Promise.all(servers.map(({url}) => Peer.connect(url)));
    try {
      await steps(...servers, ...peers);
      await closePages();
    } finally {
      peers.forEach((peer) => peer.close());
      await close();
    }
  });
}

// A page of somebody with a name: edits are theirs at every server.
async function pageOf(user, world, options) {
  const own = await newContext({viewport: SIZE});
  await own.addInitScript((name) => localStorage.setItem('weft.name', JSON.stringify(name)), user);
  const page = await open(world, {own, ...options});
  await page.evaluate(() => (window.neverLeft = true));
  return page;
}

const isAt = (page, server) =>
  until(
    page,
    (name) => {
      const {client, document} = window.weft;
      const here = client.hello?.servers?.find((one) => one.here)?.server;
      return client.state === 'open' && here === name && document.phase.value === 'joined';
    },
    server.name,
  );

async function playsOn(page, ticks = 20) {
  const from = await page.evaluate(() => window.weft.document.tick.value);
  await until(page, (tick) => window.weft.document.tick.value >= tick, from + ticks);
}

// Takes hold of a particle with the mouse, which goes to and fro until it lets go, or the page is closed.
async function take(page, body, particle) {
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  const {x, y} = await page.evaluate(([id, k]) => window.weft.view.project(id, k), [body, particle]);
  await page.mouse.move(x, y);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.mouse.down();
  let over = false;
  const moves = (async () => {
    for (let step = 0; !over; ++step) {
      await page.mouse.move(x + 30 + 20 * Math.sin(step / 5), y - 20);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
  })().catch(() => undefined);
  await pulls(page);
  return async () => {
    over = true;
    await moves;
    await page.mouse.up();
  };
}

// The server tells of a grab of this page's own, which goes where the hand does.
async function pulls(page) {
  const x = () =>
    page.evaluate(() => {
      const {document, client} = window.weft;
      const own = [...document.grabs.value.values()].filter(({session}) => session === client.hello.session);
      return own.length === 1 ? own[0].target[0] : null;
    });
  const from = await eventually(x, (at) => at !== null, 'it holds');
  await eventually(x, (at) => at !== null && Math.abs(at - from) > 1e-3, 'what it holds goes with the hand');
}

const peopleHere = (page, count) =>
  page.getByRole('button', {name: `${count} people here`, exact: true}).waitFor();

// Two pages draw it for as long as servers need to notice that one is gone.
async function slowWorld(peer) {
  const made = await makeWorld(peer, {play: false});
  await peer.call('world.play', {world: made.name, rate: 0.5});
  return made;
}

// Edits of the world that say so.
async function made(peer, world, method, such) {
  const {edits} = await peer.call('edit.log', {world, limit: 500});
  return edits.filter((edit) => edit.method === method && such(edit.params)).length;
}

// At rest it is drawn where the server has it, to the last digit.
async function restsWhereItIs(pages, peer, world, body) {
  const {tick} = await peer.call('world.pause', {world});
  const there = Float32Array.from(await positionsOf(peer, world, body));
  for (const page of pages) {
    await until(page, (wanted) => window.weft.document.tick.value === wanted, tick);
    await eventually(
      () => page.evaluate((id) => Array.from(window.weft.view.drawn(id) ?? []), body),
      (drawn) => drawn.length === there.length && drawn.every((x, i) => x === there[i]),
      'it is drawn where it is',
    );
    assert.ok(await page.evaluate(() => window.neverLeft), 'nobody loaded the page again');
  }
}

const nearly = (wanted) => (value) => Math.abs(value - wanted) < 1e-6;

cluster('a world moves to another server while a page drags: the hand goes on there, and what was done can be taken back', async (a, b, near, far) => {
  const {name, body, side} = await slowWorld(near);
  const thickness = async () => (await far.call('body.get', {world: name, body})).thickness;
  const [one, two] = [await pageOf('Ada', name, {url: b.url}), await pageOf('Bob', name, {url: a.url})];
  await isAt(one, a);
  await peopleHere(one, 2);
  await playsOn(one);
  const before = await thickness();
  await one.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await fill(field(one, 'Thickness'), '0.02');
  await eventually(thickness, nearly(0.02), 'what was typed is made');

  const letGo = await take(one, body, (side * side - 1) / 2);
  await run(process.env.WEFT, ['--server', b.tcp, 'move', name, b.name]);
  for (const page of [one, two]) {
    await isAt(page, b);
    await playsOn(page);
    await peopleHere(page, 2);
  }
  await pulls(one);
  await letGo();
  await eventually(async () => (await far.call('world.get', {world: name})).grabs, (count) => count === 0, 'it is let go');

  await one.keyboard.press('Control+z');
  await one.locator('.toast', {hasText: 'Undone: a change of a body.'}).waitFor();
  assert.ok(nearly(before)(await thickness()));
  await restsWhereItIs([one, two], far, name, body);
});

cluster('the server is killed: pages go on at the other, one that simulates and one that drags, with each edit once', async (a, b, near, far) => {
  const {name, body, side} = await slowWorld(near);
  const [one, two] = [await pageOf('Ada', name, {url: a.url, computed: 'here'}), await pageOf('Bob', name, {url: a.url})];
  await statusTells(one, /^Simulated here, hash equal at tick/);
  await one.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await fill(field(one, 'Thickness'), '0.02');
  await eventually(async () => (await far.call('body.get', {world: name, body})).thickness, nearly(0.02), 'it is made');
  const letGo = await take(two, body, (side * side - 1) / 2);

  await a.stop('SIGKILL');
  for (const page of [one, two]) await page.getByRole('button', {name: /^Status: Reconnecting/}).waitFor();
  await fill(field(one, 'Thickness'), '0.03');
  for (const page of [one, two]) {
    await isAt(page, b);
    await playsOn(page);
    await peopleHere(page, 2);
  }
  await pulls(two);
  await letGo();
  await statusTells(one, /^Simulated here, hash equal at tick/);
  const {sameTick} = await one.evaluate(() => window.weft.simulated.simulation.value.twin);
  await until(one, (tick) => window.weft.simulated.simulation.value.twin?.sameTick > tick, sameTick);
  assert.equal((await one.evaluate(() => window.weft.simulated.simulation.value.twin)).differences, 0);
  await eventually(async () => (await far.call('body.get', {world: name, body})).thickness, nearly(0.03), 'what waited is made');
  for (const value of [0.02, 0.03])
    assert.equal(await made(far, name, 'body.set', (params) => nearly(value)(params.thickness)), 1, `${value} once`);
  await restsWhereItIs([one, two], far, name, body);
  forgiveConnections();
});
