// The moving pictures of the gallery. A scene is in its picture whole, from the first frame to the last.
import {mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {around} from './camera.mjs';
import {drawnPoints, encode, fineLight, fresh, openPage, openScene, rest, show, still, stepTo} from './page.mjs';

// More than what encode.py makes of it, so that edges are smooth.
const SIZE = {width: 432, height: 270};
const FRAMES = 20;
const {LIGHT = 'best'} = process.env;

// first: ticks before the first frame, whose things fill the picture, together with the points in `also`. ticks: between two
// frames; 8 is the pace of the world, more is faster. yaw, pitch and share as camera.mjs has them. still: the frame that stands
// for all.
const USUAL = {first: 30, ticks: 8, yaw: 27, pitch: 17, share: 0.84, still: 4, also: []};
const OWN = {
  bridge: {first: 6, yaw: 20, pitch: 14},
  cloths: {first: 0, ticks: 6, still: 14},
  crane: {first: 60, ticks: 14},
  dress: {first: 24, ticks: 12, yaw: 20, pitch: 8, still: 6},
  hammock: {first: 0, ticks: 5},
  knot: {first: 60, ticks: 14, yaw: 10, pitch: 24, still: 18, also: [[-1.17, 0.886, 0], [1.15, 0.886, 0]]},
  mail: {first: 0, ticks: 6, still: 14},
  marbles: {first: 60, ticks: 12, yaw: 10, pitch: 42, still: 14},
  net: {first: 0, still: 8},
  paper: {first: 18, ticks: 15, still: 8},
  sack: {first: 0, ticks: 8, yaw: 110, pitch: 34, still: 1},
  shirt: {first: 0, ticks: 10, yaw: 20, pitch: 8, still: 16},
  spring: {first: 170, also: [[0, 2.1, 0]]},
  statue: {first: 6, ticks: 9, yaw: 20, pitch: 14, still: 8, also: [[1.8, 0, -0.3]]},
  towel: {first: 100, ticks: 15, yaw: 20, pitch: 18, still: 15},
  toy: {first: 48, ticks: 11, yaw: 12, pitch: 12, still: 7},
};

const here = fileURLToPath(new URL('.', import.meta.url));
export const names = readdirSync(new URL('../../scenes/', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5));

export async function pageFor(at) {
  const page = await openPage(at, {viewport: {width: 320, height: 200}});
  await page.evaluate(() => (window.weft.viewState.overlays.pins.value = false));
  return page;
}

// Draws the frames of a scene into a folder.
export async function frames(at, page, name, folder) {
  const {first, ticks, also, still: _, ...look} = {...USUAL, ...OWN[name]};
  const world = fresh(name);
  openScene(at, name, world);
  await rest(page, false);
  await show(page, world);
  if (LIGHT === 'best') await fineLight(page);
  await rest(page, true);
  await stepTo(page, world, first);
  await still(page, SIZE);
  const points = [...(await drawnPoints(page)), ...also];
  await page.evaluate((pose) => window.weft.view.goTo(pose, false), around(points, {...look, aspect: SIZE.width / SIZE.height}));
  for (let frame = 0; frame < FRAMES; ++frame) {
    await stepTo(page, world, first + ticks * frame);
    writeFileSync(join(folder, `${String(frame).padStart(3, '0')}.png`), await still(page, SIZE));
  }
}

export async function record(at, page, name) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-gallery-'));
  await frames(at, page, name, folder);
  const {still: chosen} = {...USUAL, ...OWN[name]};
  encode('gallery', folder, join(here, name), String(chosen));
  rmSync(folder, {recursive: true});
  const [moves, rests] = ['avif', 'still.avif'].map((kind) => statSync(join(here, `${name}.${kind}`)).size);
  console.log(`${name}: ${moves} bytes, ${rests} still`);
}
