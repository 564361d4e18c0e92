// Edits are taken back by whoever made them; where somebody else has changed the same since, the page says so.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, makeWorld, open, server, test, until} from '../rig.mjs';

const toast = (page, text) => page.locator('.toast', {hasText: text}).last();

test('two pages take back across each other', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const [one, two] = [await open(name), await open(name)];
  const bodyNow = async () => (await peer.call('world.join', {world: name})).bodies.find((it) => it.body === body);
  const damping = async () => (await peer.call('world.get', {world: name})).damping;
  const before = {body: await bodyNow(), damping: await damping()};

  await one.evaluate((id) => window.weft.commands.setBody(id, {friction: 0.75}), body);
  await two.evaluate(() => window.weft.commands.setWorld({damping: 2.5}));
  await eventually(damping, (now) => now === 2.5, 'the second page changed the world');
  // Each takes back its own, whoever was last.
  await one.keyboard.press('Control+z');
  await toast(one, 'Took back: a change of a body.').waitFor();
  assert.equal((await bodyNow()).friction, before.body.friction);
  assert.equal(await damping(), 2.5);
  await two.getByRole('button', {name: 'Take back', exact: true}).click();
  await toast(two, 'Took back: a change of the world.').waitFor();
  assert.equal(await damping(), before.damping);
  // The other page sees it.
  await until(one, (wanted) => window.weft.document.settings.value.damping === wanted, before.damping);
  await one.keyboard.press('Control+y');
  await toast(one, 'Made anew: a change of a body.').waitFor();
  await until(two, (id) => window.weft.document.bodies.value.get(id)?.friction === 0.75, body);
  await two.getByRole('button', {name: 'Make anew', exact: true}).click();
  await eventually(damping, (now) => now === 2.5, 'made anew by the button');
  peer.close();
});

test('what somebody has changed since is taken back only if one says so', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const friction = async () =>
    (await peer.call('world.join', {world: name})).bodies.find((it) => it.body === body).friction;
  const before = await friction();
  await page.evaluate((id) => window.weft.commands.setBody(id, {friction: 0.75}), body);
  await peer.call('body.set', {world: name, body, friction: 0.25});
  await page.keyboard.press('Control+z');
  const refused = toast(page, 'friction of body');
  await refused.waitFor();
  assert.equal(await friction(), 0.25, 'nothing happened');
  await refused.getByRole('button', {name: 'Take back anyway'}).click();
  await eventually(friction, (now) => now === before, 'by force');
  peer.close();
});

test('any edit of the list can be taken back there', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const join = () => peer.call('world.join', {world: name});
  const before = await join();
  const friction = before.bodies[0].friction;
  await page.evaluate((id) => window.weft.commands.setBody(id, {friction: 0.75}), body);
  await page.evaluate(() => window.weft.commands.setWorld({damping: 2.5}));
  await eventually(join, ({damping}) => damping === 2.5, 'both are done');
  await page.keyboard.press('j');
  await page.getByRole('button', {name: 'Edits', exact: true}).click();
  const row = page.locator('.edits-row', {hasText: 'changed sheet'}).first();
  await row.getByRole('button', {name: 'Take this back'}).click();
  await eventually(join, ({bodies}) => bodies[0].friction === friction, 'the older one is taken back');
  assert.equal((await join()).damping, 2.5, 'the newer one stands');
  await row.getByText('taken back').waitFor();
  // Another's edit: the page says whose it is, and leaves the choice.
  await page.locator('.edits-row', {hasText: 'added ground'}).getByRole('button', {name: 'Take this back'}).click();
  await toast(page, 'is an edit of').getByRole('button', {name: 'Take back anyway'}).click();
  await eventually(join, ({colliders}) => colliders.length === 0, 'the ground is gone');
  peer.close();
});
