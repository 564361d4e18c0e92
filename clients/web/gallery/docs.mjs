// The pictures of the documentation: worlds as the studio draws them, and the studio itself.
import {mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {Peer} from '../tests/studio/peer.mjs';
import {around} from './camera.mjs';
import {drawnPoints, encode, fineLight, fresh, openPage, openScene, rest, show, still, stepTo} from './page.mjs';
import {frames, pageFor} from './scenes.mjs';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const DESK = {width: 960, height: 600};
const TELEPHONE = {width: 390, height: 760};

// Looks at a scene at a tick, with all of it in sight. free: the share of the width that panels leave free, in the middle.
async function look(at, page, scene, {tick, width, height, free = 1, ...from}) {
  const world = fresh(scene);
  openScene(at, scene, world);
  await show(page, world);
  await stepTo(page, world, tick);
  await page.evaluate(() => (window.weft.viewState.overlays.pins.value = false));
  const pose = around(await drawnPoints(page), {yaw: 27, pitch: 15, share: 0.84, ...from, aspect: (free * width) / height});
  await page.evaluate((wanted) => window.weft.view.goTo(wanted, false), pose);
  return world;
}

// The page with what is drawn at its finest.
async function photograph(page, file) {
  await fineLight(page);
  await rest(page, true);
  // Surfaces in all of their detail.
  await still(page, {width: 64, height: 64});
  await page.evaluate(() => window.weft.view.capture());
  await page.screenshot({path: file});
  await rest(page, false);
}

function desk(at, {dark = false, viewport = DESK, ...stored} = {}) {
  return openPage(at, {viewport, colorScheme: dark ? 'dark' : 'light', stored: {name: 'Ada', ...stored}, ratio: 0.75});
}

// Each draws into a PNG, and gives the page back.
const STILLS = {
  // The first page's: three worlds side by side.
  async 'weft.webp'(at, file) {
    const size = {width: 420, height: 560};
    const page = await openPage(at, {viewport: {width: 210, height: 280}});
    const panels = [
      ['statue', {tick: 96, yaw: 20, pitch: 14}],
      ['dress', {tick: 108, yaw: 20, pitch: 10}],
      ['toy', {tick: 125, yaw: 12, pitch: 14}],
    ];
    const drawn = [];
    for (const [scene, from] of panels) {
      await look(at, page, scene, {...size, share: 0.8, ...from});
      await fineLight(page);
      await rest(page, true);
      drawn.push(`${file}.${scene}.png`);
      writeFileSync(drawn.at(-1), await still(page, {width: 2 * size.width, height: 2 * size.height}));
      await rest(page, false);
    }
    encode('row', file, ...drawn);
    return page;
  },
  async 'studio.webp'(at, file) {
    const page = await desk(at, {outline: true});
    await look(at, page, 'dress', {...DESK, tick: 150, yaw: 24, pitch: 10, free: 0.47});
    await page.evaluate(() => {
      const {document, selection} = window.weft;
      const dress = [...document.bodies.value.values()].find(({name}) => name === 'dress');
      selection.select([{kind: 'body', body: dress.body}]);
    });
    await photograph(page, file);
    return page;
  },
  async 'guides/pictures/strain.webp'(at, file) {
    const page = await desk(at, {dark: true});
    await look(at, page, 'hammock', {...DESK, tick: 240, yaw: 24, pitch: 16});
    await page.evaluate(() => (window.weft.viewState.overlays.field.value = 'strain'));
    await page.waitForFunction(() => window.weft.viewState.shownField.value !== null);
    await photograph(page, file);
    return page;
  },
  async 'guides/pictures/together.webp'(at, file) {
    const page = await desk(at);
    const world = await look(at, page, 'curtain', {...DESK, tick: 120, yaw: 20, pitch: 10});
    const people = [];
    for (const [user, share] of [['Grace', 0.3], ['Emmy', 0.72]]) {
      const peer = await Peer.connect(at.server.url, user);
      await peer.call('world.join', {world});
      const point = await page.evaluate((part) => {
        const all = window.weft.view.drawn([...window.weft.document.bodies.value.keys()][0]);
        const i = 3 * Math.floor((part * all.length) / 3);
        return [all[i], all[i + 1], all[i + 2]];
      }, share);
      await peer.call('presence.set', {world, cursor: {point}});
      people.push(peer);
    }
    await page.waitForFunction(() => [...window.weft.people.others.value.values()].filter(({cursor}) => cursor).length === 2);
    await photograph(page, file);
    people.forEach((peer) => peer.close());
    return page;
  },
  async 'guides/pictures/palette.webp'(at, file) {
    const page = await desk(at, {dark: true});
    await look(at, page, 'tent', {...DESK, tick: 120, yaw: 30, pitch: 14});
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', {name: 'Find a command, a thing or a field'}).waitFor();
    await page.keyboard.type('wind');
    await photograph(page, file);
    return page;
  },
  async 'guides/pictures/export.webp'(at, file) {
    const page = await desk(at);
    await look(at, page, 'statue', {...DESK, tick: 90, yaw: 20, pitch: 14});
    await page.keyboard.press('Control+e');
    await page.getByRole('dialog', {name: 'Export'}).waitFor();
    await photograph(page, file);
    return page;
  },
  async 'guides/pictures/telephone.webp'(at, file) {
    const page = await desk(at, {viewport: TELEPHONE});
    await look(at, page, 'flag', {...TELEPHONE, tick: 150, yaw: 20, pitch: 8, share: 0.78});
    await photograph(page, file);
    return page;
  },
};

const FILM = 'contact.webp';
const FILMED = ['statue', 'cloths', 'towel', 'sack', 'dress', 'knot'];

export const names = [...Object.keys(STILLS), FILM];

async function film(at, folder) {
  const page = await pageFor(at);
  const folders = FILMED.map((name) => join(folder, name));
  for (const [i, name] of FILMED.entries()) {
    mkdirSync(folders[i]);
    await frames(at, page, name, folders[i]);
  }
  encode('film', join(docs, FILM), ...folders);
  return page;
}

export async function picture(at, name) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-pictures-'));
  const file = join(folder, 'picture.png');
  const page = await (name === FILM ? film(at, folder) : STILLS[name](at, file));
  await page.context().close();
  if (name !== FILM) encode('one', file, join(docs, name));
  rmSync(folder, {recursive: true});
  console.log(`docs/${name}: ${statSync(join(docs, name)).size} bytes`);
}
