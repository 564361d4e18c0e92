// Pages of the studio that are looked at from outside, for pictures: their worlds, ticks, cameras, and what is drawn.
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {join} from 'node:path';

import {launch} from '../tests/studio/chromium.mjs';
import {startServer} from '../tests/studio/server.mjs';

const scenes = fileURLToPath(new URL('../../scenes/', import.meta.url));
const {WEFTD, WEFT, WEFT_STUDIO_DIR} = process.env;
if (!WEFTD || !WEFT || !WEFT_STUDIO_DIR) throw new Error('set WEFTD, WEFT and WEFT_STUDIO_DIR');

// A server and a browser for as long as `work` lasts.
export async function studio(work) {
  const server = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR});
  const browser = await launch();
  try {
    await work({server, browser});
  } finally {
    await browser.close();
    await server.stop();
  }
}

// A name that no world of this server has.
const taken = new Set();
export function fresh(name) {
  let free = name;
  for (let i = 2; taken.has(free); ++i) free = `${name} ${i}`;
  taken.add(free);
  return free;
}

// Makes a world of a scene: a name of the gallery, or a file.
export function openScene({server}, scene, name = scene) {
  const file = scene.endsWith('.json') ? scene : join(scenes, `${scene}.json`);
  execFileSync(WEFT, ['--server', server.tcp, 'open', file, '--name', name]);
}

// A page for worlds, which draws no world yet. ratio: pixels of the picture for one of the page; twice as many when it rests.
export async function openPage({server, browser}, {stored = {}, ratio = 1, ...context} = {}) {
  const own = await browser.newContext({colorScheme: 'light', reducedMotion: 'reduce', ...context});
  const page = await own.newPage();
  page.setDefaultTimeout(300_000);
  await page.addInitScript(drawOnDemand);
  await page.addInitScript(
    ([values, pixels]) => {
      for (const [key, value] of Object.entries(values)) localStorage.setItem(`weft.${key}`, JSON.stringify(value));
      Object.defineProperty(window, 'devicePixelRatio', {get: () => pixels});
    },
    [{computed: 'sent', toured: true, dragged: true, ...stored}, ratio],
  );
  await page.goto(server.url);
  await page.waitForFunction(() => window.weft !== undefined);
  return page;
}

// The world is there, and all of it is drawn.
export async function show(page, name) {
  await page.evaluate((world) => void window.weft.open(world), name);
  await page.waitForFunction((world) => {
    const {document, view} = window.weft;
    const bodies = [...document.bodies.value.values()];
    const drawn = bodies.length > 0 && bodies.every(({topology, body}) => topology && view.drawn(body));
    return document.phase.value === 'joined' && document.name.value === world && drawn;
  }, name);
}

// All of the light, even where the machine is slow.
export async function fineLight(page) {
  await page.evaluate(async () => {
    const {view, viewState} = window.weft;
    viewState.light.value = 'best';
    while (view.lightLevel < 2) await new Promise(requestAnimationFrame);
  });
}

// From now on the page draws only what it is asked for (`drawing`), because each picture takes a processor long.
export function rest(page, resting) {
  return page.evaluate((on) => (window.drawing.resting = on), resting);
}

function drawOnDemand() {
  const next = window.requestAnimationFrame.bind(window);
  const drawing = {resting: false, waiting: []};
  window.drawing = drawing;
  window.requestAnimationFrame = (callback) => {
    if (!drawing.resting) return next(callback);
    drawing.waiting.push(callback);
    return 0;
  };
  const wake = () => {
    if (!drawing.resting) drawing.waiting.splice(0).forEach((callback) => next(callback));
    setTimeout(wake, 50);
  };
  wake();
}

// Brings the world to a tick, and waits until the page has that one.
export async function stepTo(page, name, tick) {
  await page.evaluate(
    async ([world, until]) => {
      const {client, document, view} = window.weft;
      const {tick: now} = await client.call('world.get', {world});
      if (until > now) await client.call('world.step', {world, ticks: until - now});
      while (document.tick.value !== until || view.tick !== until) await new Promise((done) => setTimeout(done, 10));
    },
    [name, tick],
  );
}

// Some of the points that things take up as they are drawn.
export function drawnPoints(page) {
  return page.evaluate(() => {
    const {document, view} = window.weft;
    const points = [];
    for (const body of document.bodies.value.keys()) {
      const all = view.drawn(body);
      const step = 3 * Math.max(1, Math.floor(all.length / 3 / 400));
      for (let i = 0; i < all.length; i += step) points.push([all[i], all[i + 1], all[i + 2]]);
    }
    for (const id of document.colliders.value.keys()) {
      const box = view.boxOf('collider', id);
      for (let corner = 0; box && corner < 8; ++corner)
        points.push([0, 1, 2].map((axis) => (corner & (1 << axis) ? box.max : box.min)[axis]));
    }
    return points;
  });
}

// The world alone, without panels, as PNG.
export async function still(page, {width, height}) {
  const url = await page.evaluate(async (asked) => {
    let made = '';
    await window.weft.view.still({...asked, transparent: false}, (canvas) => (made = canvas.toDataURL('image/png')));
    return made;
  }, {width, height});
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

export function encode(...words) {
  execFileSync('python3', [fileURLToPath(new URL('encode.py', import.meta.url)), ...words], {stdio: 'inherit'});
}
