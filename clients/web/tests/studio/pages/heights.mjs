// Height fields: made in the gallery, drawn, picked, changed, and read where an edit leaves their heights out.
import assert from 'node:assert/strict';

import {numbers, Peer} from '../peer.mjs';
import {eventually, fill, lookFrom, makeWorld, open, placeOf, server, test, until} from '../rig.mjs';

const SIDE = 64;

function dunes(high) {
  return Array.from({length: SIDE * SIDE}, (_, i) => {
    const x = (i % SIDE) / (SIDE - 1) - 0.5;
    const z = Math.floor(i / SIDE) / (SIDE - 1) - 0.5;
    return high * (Math.cos(12 * x) * Math.cos(9 * z) + 0.4 * Math.cos(25 * x + 17 * z));
  });
}

test('hills come from the gallery, and their spacing from the inspector', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('n');
  const gallery = page.getByRole('dialog', {name: 'New'});
  await gallery.getByRole('option', {name: 'Hills'}).click();
  await fill(gallery.getByRole('textbox', {name: /^Spacing/}), '0.05'); // and Enter adds it
  await gallery.waitFor({state: 'detached'});
  const shown = () =>
    page.evaluate(() => {
      const field = [...window.weft.document.colliders.value.values()].find(({kind}) => kind === 'height_field');
      return field && {heights: field.heights.length, columns: field.columns, spacing: field.spacing};
    });
  // Too many to be told with the edit: the page reads them.
  const made = await eventually(shown, (one) => one?.heights === 41 * 41, 'the page has all heights');
  assert.deepEqual(made, {heights: 41 * 41, columns: 41, spacing: 0.05});
  await fill(page.getByRole('textbox', {name: /^Spacing/}), '0.08');
  await eventually(shown, (one) => one.spacing === 0.08 && one.heights === 41 * 41, 'the page has the other spacing');
  peer.close();
});

test('a field and a hull are drawn and picked, also one whose heights an edit leaves out', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate(() => (window.weft.viewState.overlays.shadows.value = true));
  const ground = {world: name, name: 'dunes', kind: 'height_field', columns: SIDE, spacing: 0.04, position: [0, 0.3, 0]};
  await peer.call('collider.add', {...ground, heights: dunes(0.1)});
  await peer.call('collider.add', {
    world: name,
    name: 'stone',
    kind: 'convex',
    position: [0.5, 0.75, 0.55],
    points: [0, 0.25, 0, 0.3, 0, 0.1, -0.2, 0, 0.25, -0.25, 0, -0.1, 0.1, 0.05, -0.3, 0.1, -0.2, 0.1, -0.1, -0.2, -0.1],
  });
  await lookFrom(page, [1.4, 1.7, 2.3], [0, 0.4, 0]);
  const heightsOf = () =>
    page.evaluate(() => {
      const field = [...window.weft.document.colliders.value.values()].find(({kind}) => kind === 'height_field');
      return field ? [field.heights.length, Math.max(...field.heights)] : [];
    });
  await eventually(heightsOf, ([count]) => count === SIDE * SIDE, 'the page has all heights');
  const pick = async (point, kind) => {
    const at = await placeOf(page, point);
    await page.mouse.click(at.x, at.y);
    await eventually(
      () =>
        page.evaluate(() => {
          const [one] = window.weft.selection.selected.value.colliders;
          return window.weft.document.colliders.value.get(one)?.kind ?? null;
        }),
      (one) => one === kind,
      `a click takes what is ${kind}`,
    );
  };
  await pick([0.5, 0.75, 0.55], 'convex');
  await pick([-0.6, 0.3, 0.9], 'height_field');
  await peer.call('collider.set', {world: name, collider: 'dunes', heights: dunes(0.15)});
  await eventually(heightsOf, ([, most]) => most > 0.15, 'the page reads what it was not told');
  peer.close();
});

test('colliders of any kind are doubled, removed and put back as they are', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const field = {kind: 'height_field', columns: 3, spacing: 0.5, heights: [0, 0.1, 0, 0.2, 0.3, 0.1]};
  await peer.call('collider.add', {world: name, name: 'hill', ...field});
  await peer.call('collider.add', {world: name, name: 'ball', kind: 'sphere', radius: 0.2});
  await peer.call('collider.add', {world: name, name: 'hull', kind: 'convex', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]});
  const colliders = async () => (await peer.call('world.join', {world: name})).colliders;
  const madeOf = ({kind, columns, spacing, heights, radius, points}) =>
    JSON.stringify([kind, columns, spacing, heights && [...numbers(heights)], radius, points && [...numbers(points)]]);
  const before = await colliders();
  const wanted = before.map(madeOf).sort();
  const select = (all) =>
    page.evaluate(
      (ids) => window.weft.selection.select(ids.map((collider) => ({kind: 'collider', collider}))),
      all.map(({collider}) => collider),
    );
  await until(page, () => window.weft.document.colliders.value.size === 4);
  await select(before);
  await page.getByRole('button', {name: 'Duplicate'}).click();
  const both = await eventually(colliders, (all) => all.length === 8, 'each is doubled');
  assert.deepEqual(both.map(madeOf).sort(), [...wanted, ...wanted].sort());
  await until(page, () => window.weft.selection.selected.value.colliders.size === 4);
  await page.keyboard.press('Delete');
  await page.locator('.toast', {hasText: /^Removed/}).waitFor();
  await eventually(colliders, ({length}) => length === 4, 'the doubles are gone');
  await page.keyboard.press('Control+z');
  const back = await eventually(colliders, (all) => all.length === 8, 'and back');
  assert.deepEqual(back.map(madeOf).sort(), [...wanted, ...wanted].sort());
  peer.close();
});
