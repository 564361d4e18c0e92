// Edits are taken back by a key, by a button, in the list of edits, and by the words about a refusal. Who may take back what, and
// what somebody else has changed since, is in tests/model/undo.test.ts.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {eventually, makeWorld, open, server, test, until} from '../rig.mjs';

const toast = (page, text) => page.locator('.toast', {hasText: text}).last();

test('edits are taken back and done again by keys, by buttons and in the list, and by force where that is refused', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const join = () => peer.call('world.join', {world: name});
  const friction = async () => (await join()).bodies.find((it) => it.body === body).friction;
  const before = await friction();
  const {damping: still} = await join();
  const rub = (value) => page.evaluate(([id, to]) => window.weft.commands.setBody(id, {friction: to}), [body, value]);

  // By keys, and by buttons.
  await rub(0.75);
  await page.keyboard.press('Control+z');
  await toast(page, 'Undone: a change of a body.').waitFor();
  assert.equal(await friction(), before);
  await page.keyboard.press('Control+y');
  await toast(page, 'Redone: a change of a body.').waitFor();
  assert.equal(await friction(), 0.75);
  await page.getByRole('button', {name: 'Undo', exact: true}).click();
  await eventually(friction, (now) => now === before, 'taken back by the button');
  await page.getByRole('button', {name: 'Redo', exact: true}).click();
  await eventually(friction, (now) => now === 0.75, 'done again by the button');

  // A refusal says why, and offers to do it all the same.
  await peer.call('body.set', {world: name, body, friction: 0.25});
  await page.keyboard.press('Control+z');
  const refused = toast(page, 'Peer changed the friction of sheet since. Undo anyway?');
  await refused.waitFor();
  assert.equal(await friction(), 0.25, 'nothing happened');
  await refused.getByRole('button', {name: 'Undo anyway'}).click();
  await eventually(friction, (now) => now === before, 'by force');

  // In the list, an older one.
  await rub(0.5);
  await page.evaluate(() => window.weft.commands.setWorld({damping: 2.5}));
  await eventually(join, ({damping}) => damping === 2.5, 'both are done');
  assert.notEqual(still, 2.5);
  await page.keyboard.press('j');
  await page.getByRole('button', {name: 'Edits', exact: true}).click();
  const row = page.locator('.edits-row', {hasText: 'changed sheet'}).first();
  await row.getByRole('button', {name: 'Undo this'}).click();
  await eventually(friction, (now) => now === before, 'the older one is taken back');
  assert.equal((await join()).damping, 2.5, 'the newer one stands');
  await row.getByText('undone').waitFor();
  // Another's edit: the page says whose it is, and leaves the choice.
  await page.locator('.edits-row', {hasText: 'added ground'}).getByRole('button', {name: 'Undo this'}).click();
  await toast(page, 'is an edit of').getByRole('button', {name: 'Undo anyway'}).click();
  await eventually(join, ({colliders}) => colliders.length === 0, 'the ground is gone');
  await until(page, () => window.weft.document.colliders.value.size === 0);
  peer.close();
});

test('a conflict names the person and the field, and somebody without a name has one that lasts', async () => {
  const peer = await Peer.connect(server.url, 'Anna');
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const named = () => page.evaluate(() => window.weft.document.people.value.map(({user}) => user));
  const people = await eventually(named, (all) => all.some((user) => /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(user)), 'it is named');
  const wind = async () => (await peer.call('world.join', {world: name})).wind;
  await page.evaluate(() => window.weft.commands.setWind({drag: 3}));
  await peer.call('world.set', {world: name, wind: {drag: 2}});
  await eventually(wind, ({drag}) => drag === 2, 'both are done');

  // It is the same person when the page is loaded again, and can undo what it did before.
  await page.reload();
  await until(page, () => window.weft?.document.phase.value === 'joined');
  await eventually(named, (all) => people.every((user) => all.includes(user)), 'its name is kept');
  await page.keyboard.press('Control+z');
  const question = toast(page, 'Anna changed the wind’s drag since. Undo anyway?');
  await question.waitFor();
  const words = await page.locator('.toast').allTextContents();
  assert.ok(words.every((text) => !/world\.set|session|revision|CONFLICT/.test(text)), words.join(' | '));

  // Escape leaves it unanswered; asked again, the button answers it.
  await page.keyboard.press('Escape');
  await question.waitFor({state: 'detached'});
  assert.equal((await wind()).drag, 2);
  await page.keyboard.press('Control+z');
  await question.getByRole('button', {name: 'Undo anyway'}).click();
  await eventually(wind, ({drag}) => drag !== 2, 'it is undone all the same');
  await toast(page, 'It overwrote what others did: Anna changed the wind’s drag.').waitFor();
  assert.equal(await page.getByRole('button', {name: 'Undo anyway'}).count(), 0, 'the question is answered');
  peer.close();
});
