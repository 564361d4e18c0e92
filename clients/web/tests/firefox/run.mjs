// weft in Firefox: its modules come to what native code comes to, and the studio shows, simulates and takes hold of a world of a real
// weftd. One script, for ctest and by hand:
//
//     FIREFOX=firefox XVFB=Xvfb WEFTD=… WEFT_PASTS=… WEFT_STUDIO_DIR=… WEFT_CLIENT_DIR=… node tests/firefox/run.mjs
//
// The last four are those of build/release. SHOTS=DIR leaves a picture of the studio. Without a Firefox it is skipped, and says so.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {numbers, Peer} from '../studio/peer.mjs';
import {eventually} from '../studio/rig.mjs';
import {startServer} from '../studio/server.mjs';
import {makeWorld, positionsOf} from '../studio/worlds.mjs';
import {Firefox} from './firefox.mjs';

const {FIREFOX, XVFB, SHOTS, WEFTD, WEFT_PASTS, WEFT_STUDIO_DIR, WEFT_CLIENT_DIR} = process.env;
const SKIPPED = 77;
if (!FIREFOX || !XVFB) {
  console.log('skipped: there is no Firefox, or no Xvfb (Debian: firefox-esr, xvfb)');
  process.exit(SKIPPED);
}
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const begun = Date.now();
const progress = (text) => console.log(`${((Date.now() - begun) / 1000).toFixed(1)} s: ${text}`);

// -- what native code comes to

const pasts = (...words) => execFileSync(WEFT_PASTS, words, {cwd: root, maxBuffer: 1 << 30});

function native(told) {
  const come = {hashes: [], bodies: []};
  for (let at = 0; at < told.length; ) {
    const kind = String.fromCharCode(told[at]);
    const bytes = told.subarray(at + 5, at + 5 + told.readUInt32LE(at + 1));
    if (kind === 'h') {
      const hash = bytes.readBigUInt64LE(8).toString(16).padStart(16, '0');
      come.hashes.push(`${bytes.readBigUInt64LE(0)} ${hash}`);
    } else if (kind === 'p') {
      come.bodies.push([...new Uint32Array(Uint8Array.from(bytes.subarray(4)).buffer)]);
    }
    at += 5 + bytes.length;
  }
  return come;
}

const WORDS = {NaN, inf: Infinity, '-inf': -Infinity};
const bitsOf = (list) => [...new Uint32Array(Float32Array.from(list, (one) => WORDS[one] ?? one).buffer)];

// -- the modules

const PIECE = 40; // programs that a page goes through

async function modules(firefox) {
  const vectors = readFileSync(join(root, 'tests/wire/compressed.json'));
  const page = `<!doctype html><title>modules</title><script type="module">
    const worker = new Worker('./worker.mjs', {type: 'module'});
    worker.onmessage = ({data}) => {
      if (data.at) document.body.append(data.at + '; '); // who waits in vain reads how far it came
      else window.come = data;
    };
    worker.onerror = ({message}) => (window.come = {error: message ?? 'the worker does not start'});
    worker.postMessage({});
  </script>`;
  const files = {
    '/': ['text/html', page],
    '/worker.mjs': ['text/javascript', readFileSync(new URL('worker.mjs', import.meta.url))],
    '/vectors': ['application/json', vectors],
    '/weft-sim.js': ['text/javascript', readFileSync(join(WEFT_CLIENT_DIR, 'weft-sim.js'))],
  };
  for (const name of ['machine-full', 'machine-threads-full', 'codec']) {
    files[`/weft-${name}.wasm`] = ['application/wasm', readFileSync(join(WEFT_CLIENT_DIR, `weft-${name}.wasm`))];
  }
  const web = createServer(({url}, response) => {
    const [type, body] = files[url] ?? [];
    response.writeHead(body ? 200 : 404, {
      'Content-Type': type ?? 'text/plain',
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin', // for threads
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    response.end(body);
  });
  await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));

  // What a page there comes to; how many hashes of it are equal. helped: on two threads.
  async function go(told, helped) {
    files['/pasts'] = ['application/octet-stream', told];
    files['/helped'] = ['application/octet-stream', helped];
    await firefox.open(`http://127.0.0.1:${web.address().port}/`);
    const come = await firefox.until('the modules come to something', () => window.come);
    assert.equal(come.error, undefined);
    assert.deepEqual(come.alone, native(told), 'the machine comes to what native code comes to');
    assert.deepEqual(come.helped, native(helped), 'and on two threads');
    hashes += come.alone.hashes.length + come.helped.hashes.length;
    return come;
  }

  let hashes = 0;
  const programs = Number(process.env.WEFT_PROGRAMS ?? 6);
  const scenes = pasts('scene', '8', 'tests/machine/far.json', 'clients/scenes/jelly.json');
  const cloths = pasts('scene', '6', 'clients/scenes/cloths.json');
  const {unpacked} = await go(Buffer.concat([scenes, pasts('programs', '0', `${Math.min(programs, PIECE)}`)]), cloths);
  const {q16, q16_read: read16, deltas, read} = JSON.parse(vectors);
  assert.deepEqual(unpacked.q16, [...q16, ...read16].map(({decoded}) => bitsOf(decoded)));
  assert.deepEqual(
    unpacked.delta,
    [...deltas, ...read].map(({chunks}) => chunks.map(({decoded}) => bitsOf(decoded))),
  );
  for (let first = PIECE; first < programs; first += PIECE) {
    await go(pasts('programs', `${first}`, `${Math.min(PIECE, programs - first)}`), cloths);
  }
  assert.ok(hashes > 100 * programs, `${hashes} hashes`);
  web.close();
  web.closeAllConnections?.();
  progress(`${hashes} hashes equal, and all vectors of the codec`);
}

// -- the studio

const twin = () => window.weft.simulated.simulation.value;

async function studio(firefox, server) {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer);
  await peer.call('world.set', {world: name, wind: {velocity: [4, 0, 3], drag: 1, lift: 0.5, density: 1.2}});
  await firefox.beforeEach(() => {
    if (location.protocol !== 'http:') return;
    localStorage.setItem('weft.computed', '"here"');
    localStorage.setItem('weft.toured', 'true');
  });
  await firefox.open(`${server.url}/#world=${name}`);
  await firefox.until('the studio opens', () => window.weft?.document.phase.value === 'joined');
  // They cost a processor much.
  await firefox.evaluate(() => void (window.weft.viewState.overlays.shadows.value = false));

  // A twin, and it is drawn.
  const first = await firefox.until('a hash is equal', () => window.weft.simulated.simulation.value.twin?.sameTick);
  await firefox.until('and another', (tick) => window.weft.simulated.simulation.value.twin.sameTick > tick, first);
  assert.equal(await firefox.evaluate(() => crossOriginIsolated), true, 'it may have threads');
  progress('the studio shows a twin');

  // A hand, by the mouse alone.
  const particle = (side * side - 1) / 2; // in the middle
  const place = await firefox.evaluate(
    (...which) => {
      const {left, top} = document.querySelector('canvas').getBoundingClientRect();
      const {x, y} = window.weft.view.project(...which);
      return {x: x + left, y: y + top};
    },
    body,
    particle,
  );
  await firefox.evaluate(changedPixels);
  await firefox.mouse({type: 'pointerMove', ...place});
  await firefox.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
  await firefox.mouse({type: 'pointerDown', button: 0}, {type: 'pointerMove', x: place.x + 30, y: place.y - 60, duration: 200});
  const held = async () => (await peer.call('world.join', {world: name})).grabs;
  await firefox.until('it is held', () => window.weft.document.grabs.value.size === 1);
  const [grab] = await held();
  const off = async () => {
    const [{target}] = await held();
    const at = (await positionsOf(peer, name, body)).slice(3 * grab.particle, 3 * grab.particle + 3);
    return Math.hypot(...at.map((x, i) => x - numbers(target)[i]));
  };
  await eventually(off, (metres) => metres < 0.3, 'the server has it where the hand is');
  await eventually(() => firefox.evaluate(changedPixels), (pixels) => pixels > 500, 'it is drawn where the hand is');
  await firefox.mouse({type: 'pointerUp', button: 0});
  await firefox.until('it is let go', () => window.weft.document.grabs.value.size === 0);
  assert.deepEqual(await held(), []);
  const before = (await firefox.evaluate(twin)).twin.sameTick;
  await firefox.until('and equal after it', (tick) => window.weft.simulated.simulation.value.twin.sameTick > tick, before);
  const now = await firefox.evaluate(twin);
  assert.deepEqual([now.state, now.twin.differences, now.twin.losses, now.twin.images], ['here', 0, 0, 1]);
  if (SHOTS) {
    mkdirSync(SHOTS, {recursive: true});
    writeFileSync(join(SHOTS, 'firefox.png'), await firefox.picture());
  }
  progress('it is dragged by the mouse, and its hash equal');
  peer.close();
}

// How many pixels of the picture are others than when this was asked first.
async function changedPixels() {
  const bitmap = await createImageBitmap(await window.weft.view.capture());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const before = (window.keptPicture ??= data);
  let changed = 0;
  for (let i = 0; i < data.length; i += 4) changed += [0, 1, 2].some((k) => Math.abs(data[i + k] - before[i + k]) > 12) ? 1 : 0;
  return changed;
}

const server = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR});
let firefox;
try {
  firefox = await Firefox.start({firefox: FIREFOX, xvfb: XVFB});
  progress(`Firefox ${firefox.version}`);
  await modules(firefox);
  await studio(firefox, server);
  assert.deepEqual(firefox.complaints, [], 'the browser complained');
  await firefox.close();
  progress('done');
} catch (error) {
  console.log(error.stack, firefox?.complaints);
  process.exitCode = 1;
} finally {
  await server.stop();
  process.exit();
}
