// What people in one world see of each other: cursors, cameras, what is said; and what stays in hand while a connection is lost.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, forgiveConnections, makeWorld, open, server, test, until} from '../rig.mjs';
import {slowWay} from '../slow.mjs';

const TELEPHONE = {viewport: {width: 390, height: 780}};

// The places of a particle, as a page draws it.
async function placeOfParticle(page, body, particle) {
  return eventually(
    () => page.evaluate(([id, k]) => window.weft.view.project(id, k), [body, particle]),
    Boolean,
    'the particle is drawn',
  );
}

async function other(page) {
  await until(page, () => window.weft.people.others.value.size === 1);
  return page.evaluate(() => {
    const [one] = window.weft.people.others.value.values();
    return {session: one.session, name: one.name, color: one.color};
  });
}

test('where somebody points is seen by the other, with a name and in their colour', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const [one, two] = [await open(name), await open(name)];
  const at = await placeOfParticle(one, body, side + 1);
  await one.mouse.move(at.x - 2, at.y);
  await one.mouse.move(at.x, at.y);
  const seen = two.locator('.view-other.cursor');
  await seen.waitFor();
  const them = await other(two);
  assert.equal(await seen.getAttribute('data-session'), `${them.session}`);
  assert.match(them.color, /^#[0-9a-f]{6}$/);
  // It is where the particle is, in the other page's own picture.
  const there = await placeOfParticle(two, body, side + 1);
  await eventually(
    () => seen.boundingBox(),
    (box) => box !== null && Math.abs(box.x - 8 - there.x) < 60 && Math.abs(box.y - 6 - there.y) < 60,
    'the cursor is where it points',
  );
  await one.mouse.move(at.x, 1);
  await one.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await until(two, (id) => [...window.weft.people.others.value.values()][0].bodies.has(id), body);
  await one.close();
  await until(two, () => window.weft.people.others.value.size === 0);
  peer.close();
});

test('a camera is followed until one moves one’s own', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const [one, two] = [await open(name), await open(name, {context: TELEPHONE})];
  await one.evaluate(() => window.weft.view.goTo({position: [3, 2, 4], target: [0, 1, 0]}, false));
  const them = await other(two);
  await until(two, () => [...window.weft.people.others.value.values()][0].camera !== null);
  await two.getByRole('button', {name: /people here/}).press('Enter');
  const follow = two.getByRole('button', {name: `Follow ${them.name}`});
  await follow.press('Enter');
  const near = (wanted) =>
    until(
      two,
      (position) => {
        const at = window.weft.viewState.camera.value.position;
        return at.every((x, axis) => Math.abs(x - position[axis]) < 0.05);
      },
      wanted,
    );
  await near([3, 2, 4]);
  await one.evaluate(() => window.weft.view.goTo({position: [-2, 3, 3], target: [0, 1, 0]}, false));
  await near([-2, 3, 3]);
  await two.keyboard.press('Escape');
  await two.mouse.move(150, 500);
  await two.mouse.wheel(0, 120);
  await until(two, () => window.weft.people.following.value === 0);
  peer.close();
});

test('a press on a face follows that person, with a frame in their colour, until Escape', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const [one, two] = [await open(name), await open(name)];
  await until(two, () => [...window.weft.people.others.value.values()][0]?.camera);
  const them = await other(two);
  // Things that they have selected have their name.
  await one.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await two.locator('.view-other.selection', {hasText: them.name}).waitFor();
  await two.getByRole('button', {name: `Follow ${them.name}`}).click();
  await one.evaluate(() => window.weft.view.goTo({position: [3, 2, 4], target: [0, 1, 0]}, false));
  await until(two, () => Math.hypot(...window.weft.viewState.camera.value.position.map((x, i) => x - [3, 2, 4][i])) < 0.05);
  const frame = two.locator('.follow-frame');
  await frame.getByText(`Following ${them.name}`).waitFor();
  const color = await frame.evaluate((box) => getComputedStyle(box).borderTopColor);
  const wanted = /^#(..)(..)(..)$/.exec(them.color).slice(1).map((hex) => Number.parseInt(hex, 16));
  assert.equal(color, `rgb(${wanted.join(', ')})`);
  await two.keyboard.press('Escape');
  await frame.waitFor({state: 'detached'});
  // A camera that looks from the same place is not in the way.
  assert.equal(await two.locator('.view-other.eye').count(), 0);
  await one.evaluate(() => window.weft.view.goTo({position: [-4, 3, -4], target: [0, 1, 0]}, false));
  await two.evaluate(() => window.weft.view.goTo({position: [0, 2, 6], target: [0, 1, 0]}, false));
  await two.locator('.view-other.eye', {hasText: them.name}).waitFor({state: 'attached'});
  peer.close();
});

test('what is said is read by all', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const [one, two] = [await open(name), await open(name, {context: TELEPHONE})];
  await other(two);
  await one.getByRole('button', {name: /people here/}).click();
  const line = one.getByRole('textbox', {name: 'Write a message'});
  await line.fill('Hold this corner, please.');
  await line.press('Enter');
  await two.getByLabel('1 new lines').waitFor();
  await two.getByRole('button', {name: /people here/}).click();
  await two.getByRole('list', {name: 'Messages'}).getByText('Hold this corner, please.').waitFor();
  await until(two, () => window.weft.people.unread.value === 0);
  assert.ok(
    await two.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    'it fits on a telephone',
  );
  peer.close();
});

test('a connection that is lost in the middle of a drag: what is held stays, and the hand goes on', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer);
  const way = await slowWay(server.address);
  const page = await open(name, {url: way.url});
  const particle = (side - 2) * side + Math.floor(side / 2);
  const at = await placeOfParticle(page, body, particle);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let step = 1; step <= 4; ++step) await page.mouse.move(at.x + 10 * step, at.y);
  await until(page, () => window.weft.document.grabs.value.size === 1);
  const before = await page.evaluate(() => ({
    session: window.weft.session.id.value,
    grab: [...window.weft.document.grabs.value.keys()][0],
    epoch: window.weft.document.epoch.value,
  }));
  const joined = async () => (await peer.call('world.join', {world: name})).grabs;
  await page.evaluate(() => {
    window.wasLost = false;
    window.weft.client.onState((state) => (window.wasLost ||= state === 'lost'));
  });
  way.cut();
  await until(page, () => window.wasLost);
  await page.mouse.move(at.x + 80, at.y - 10);
  await until(page, () => window.weft.client.state === 'open');
  assert.deepEqual(
    (await joined()).map(({grab}) => grab),
    [before.grab],
    'it is held as before',
  );
  const was = (await joined())[0].target;
  await page.mouse.move(at.x + 120, at.y - 20);
  await eventually(joined, ([grab]) => grab !== undefined && Math.abs(grab.target[0] - was[0]) > 1e-3, 'the hand goes on');
  const frames = await page.evaluate(() => window.weft.frames.counts.frames);
  await until(page, (count) => window.weft.frames.counts.frames > count + 5, frames);
  await page.mouse.up();
  await eventually(joined, (grabs) => grabs.length === 0, 'it is let go');
  const after = await page.evaluate(() => ({
    session: window.weft.session.id.value,
    epoch: window.weft.document.epoch.value,
  }));
  assert.deepEqual(after, {session: before.session, epoch: before.epoch}, 'nothing was read again');
  way.close();
  peer.close();
  forgiveConnections();
});
