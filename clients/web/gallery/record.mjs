// Records the moving pictures of the gallery: each scene in a real weftd, drawn by a real page of the studio.
//
//     WEFTD=… WEFT=… WEFT_STUDIO_DIR=… node gallery/record.mjs [SCENE…]
//
// Writes NAME.avif, which moves, and NAME.still.avif, which does not, beside this script, and tells how large they are. Needs
// Python with Pillow 11.3 or newer, which encodes them. Run it again when a scene or the look of the studio has changed.
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

import {startServer} from '../tests/studio/server.mjs';

const SIZE = {width: 320, height: 200};
const FRAMES = 24;
const TICKS = 7; // between two frames, as encode.py shows them
const FIRST = 30; // ticks before the first frame
const NEARER = 0.9; // than the page looks by itself, because panels cover nothing here
const here = fileURLToPath(new URL('.', import.meta.url));
const scenes = fileURLToPath(new URL('../../scenes/', import.meta.url));
const {WEFTD, WEFT, WEFT_STUDIO_DIR} = process.env;
if (!WEFTD || !WEFT || !WEFT_STUDIO_DIR) throw new Error('set WEFTD, WEFT and WEFT_STUDIO_DIR');

const all = readdirSync(scenes)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;

// Brings the world to a tick, and waits until the page draws that one.
async function stepTo(page, name, tick) {
  await page.evaluate(
    async ([world, until]) => {
      const {client, document} = window.weft;
      const {tick: now} = await client.call('world.get', {world});
      if (until > now) await client.call('world.step', {world, ticks: until - now});
      while (document.tick.value !== until) await new Promise(requestAnimationFrame);
      for (let i = 0; i < 2; ++i) await new Promise(requestAnimationFrame);
    },
    [name, tick],
  );
}

const picture = (page) =>
  page.evaluate(async () => {
    const bytes = new Uint8Array(await (await window.weft.view.capture()).arrayBuffer());
    let text = '';
    for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
    return btoa(text);
  });

async function record(browser, server, name, folder) {
  execFileSync(WEFT, ['--server', server.tcp, 'open', join(scenes, `${name}.json`), '--name', name]);
  const context = await browser.newContext({viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce'});
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('weft.computed', '"sent"'));
  await page.goto(`${server.url}/#world=${encodeURIComponent(name)}`);
  await page.waitForFunction(() => {
    const {document, view} = window.weft ?? {};
    const bodies = [...(document?.bodies.value.values() ?? [])];
    return document?.phase.value === 'joined' && bodies.every(({topology, body}) => topology && view.drawn(body));
  });
  await page.evaluate((share) => {
    const {view, viewState} = window.weft;
    viewState.overlays.pins.value = false;
    const {position, target} = viewState.camera.value;
    view.goTo({target, position: target.map((x, axis) => x + share * (position[axis] - x))}, false);
  }, NEARER);
  for (let frame = 0; frame < FRAMES; ++frame) {
    await stepTo(page, name, FIRST + TICKS * frame);
    const file = join(folder, `${String(frame).padStart(3, '0')}.png`);
    writeFileSync(file, Buffer.from(await picture(page), 'base64'));
  }
  await context.close();
  execFileSync('python3', [join(here, 'encode.py'), folder, join(here, name)], {stdio: 'inherit'});
}

const server = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const folder = mkdtempSync(join(tmpdir(), 'weft-gallery-'));
try {
  for (const name of wanted) {
    const own = join(folder, name);
    mkdirSync(own);
    await record(browser, server, name, own);
    console.log(`${name}: ${statSync(join(here, `${name}.avif`)).size} bytes, ${statSync(join(here, `${name}.still.avif`)).size} still`);
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, {recursive: true});
}
const pictures = readdirSync(here).filter((file) => file.endsWith('.avif'));
console.log(`${pictures.length} pictures, ${pictures.reduce((sum, file) => sum + statSync(join(here, file)).size, 0)} bytes in all`);
