// The ground of the studio's tests: one Chromium, lanes with a weftd each, pages and worlds, and waiting for a condition.
//
//     run.mjs ─┬─ lane 1: weftd, pages that are used again ─┐
//              └─ lane 2: weftd, pages that are used again ─┴─ one Chromium, a context for each page
//
// Tests say test(NAME, RUN) when their file is imported; run.mjs runs them, as many at a time as there are lanes. What a test
// uses of its lane (the server, its pages, what these complained about) is found by where the call comes from, so that
// tests need not hand it on.
import assert from 'node:assert/strict';
import {AsyncLocalStorage} from 'node:async_hooks';

import {launch} from './chromium.mjs';
import {Peer} from './peer.mjs';
import {startServer} from './server.mjs';

export {makeWorld, positionsOf} from './worlds.mjs';

const {WEFTD, WEFT_STUDIO_DIR} = process.env;
if (!WEFTD || !WEFT_STUDIO_DIR) throw new Error('set WEFTD and WEFT_STUDIO_DIR');
// Far more than anything takes: machines may be slow, and draw with their processors.
export const WAIT_MS = Number(process.env.WEFT_WAIT_MS ?? 90_000);
export const SIZE = {width: 1000, height: 700};
export const TELEPHONE = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 1};
// Pictures have this share of the pixels of the page along each side: a processor draws them, and no test needs them finer.
const PIXEL_RATIO = 0.5;
// A page draws again after this long at the soonest. Worlds play in most tests, and a processor would draw them sixty times a second.
const FRAME_GAP_MS = Number(process.env.WEFT_FRAME_GAP_MS ?? 60);
const FINGER_MS = 16;
const REST_MS = 100;

export const tests = [];
// The file of pages/ that is being imported, without its ending.
let file = '';
export const nameFile = (name) => (file = name);
export const test = (name, run) => tests.push({file, name, run});

// Why tests of a file are not run here.
export const skipped = [];
export const skip = (why) => skipped.push(why);

// -- lanes

const lanes = new AsyncLocalStorage();
const here = () => lanes.getStore();

// A server, and pages of its own.
export async function makeLane() {
  const weftd = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR});
  // kept: pages that rest, by what they were opened with. pages: those of the test that runs, each with the key under which it may
  // rest, or null. complaints: theirs.
  return {server: weftd, root: await Peer.connect(weftd.url), kept: new Map(), pages: [], complaints: [], forgiven: []};
}

export const inLane = (lane, work) => lanes.run(lane, work);

export async function closeLane(lane) {
  for (const page of [...lane.kept.values()].flat()) await closeContext(page);
  lane.root.close();
  await lane.server.stop();
}

// The server of the test that asks.
export const server = {
  get url() {
    return here().server.url;
  },
  get address() {
    return here().server.address;
  },
  get tcp() {
    return here().server.tcp;
  },
};

// After a test: its worlds are gone, and its pages are closed, or rest until they are used again where it `passed`.
export async function tidy(lane, passed) {
  for (const {page, key} of lane.pages) {
    const keep = passed && key !== null && !page.isClosed();
    if (!keep || !(await rests(page, lane.server.url).catch(() => false))) {
      await closeContext(page);
    } else {
      lane.kept.set(key, [...(lane.kept.get(key) ?? []), page]);
    }
  }
  lane.pages.length = lane.complaints.length = lane.forgiven.length = 0;
  const {worlds} = await lane.root.call('world.list');
  for (const {name} of worlds) await lane.root.call('world.delete', {world: name});
}

const closeContext = (page) =>
  page
    .context()
    .close()
    .catch(() => undefined);

// Takes the studio off the page, and what it remembered. The process that drew it stays, and knows its scripts.
async function rests(page, url) {
  for (const name of ['console', 'pageerror', 'dialog', 'request', 'download']) page.removeAllListeners(name);
  await page.mouse.move(-1, -1);
  // It forgets the server that it looked at last, and the server of the lane.
  await forgets(page);
  await page.goto(`${url}/icon.svg`);
  await forgets(page);
  return true;
}

const forgets = (page) =>
  page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

let started = null;
export async function browser() {
  if (started && (await started).isConnected()) return started;
  started = launch();
  return started;
}

// Closes the pages of the test that runs, which else might complain that a server of the test's own is gone.
export async function closePages() {
  for (const {page} of here().pages) await closeContext(page);
}

// -- pages, worlds, waiting

// A test expects such complaints of its pages. The browser tells them when it likes, also after this is said.
export function forgive(pattern) {
  here().forgiven.push(pattern);
}

export function complaintsOf(lane) {
  return lane.complaints.filter((text) => !lane.forgiven.some((pattern) => pattern.test(text)));
}

// Chromium itself writes of each attempt to connect that failed.
export const forgiveConnections = () => forgive(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);

// Where worlds are simulated, unless a test or the environment says: what most tests look at is what the server sends.
const COMPUTED = process.env.WEFT_COMPUTED ?? 'sent';

export async function newContext(context = {}) {
  return (await browser()).newContext({viewport: SIZE, reducedMotion: 'reduce', ...context});
}

// A page of that context whose complaints fail the test. A test that routes or changes what comes makes a context of its own.
export async function newPage(own, key = null) {
  const page = await own.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.addInitScript((ratio) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
    Object.defineProperty(window, 'devicePixelRatio', {get: () => ratio});
  }, PIXEL_RATIO);
  await page.addInitScript(drawSeldom, FRAME_GAP_MS);
  // No test but that of the tour is by a new person.
  await page.addInitScript(() => {
    if (location.protocol.startsWith('http') && localStorage.getItem('weft.toured') === null)
      localStorage.setItem('weft.toured', 'true');
  });
  return watch(page, key);
}

function watch(page, key) {
  const {pages, complaints} = here();
  page.on('console', (message) => {
    const {url} = message.location();
    // While a page rests it is a picture, which names no icon. That there is none may be told when the page is in use again.
    if (message.type() === 'error' && !url.endsWith('/favicon.ico'))
      complaints.push(`console: ${message.text()} (${url})`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.stack ?? error}`));
  pages.push({page, key});
  return page;
}

// lies: so many hashes that the twin of the page is told are made up. own: a context that the test made, with what it changed.
export async function open(
  world,
  {context = {}, hash = `#world=${world}`, url = server.url, computed = COMPUTED, lies = 0, own = null} = {},
) {
  const key = own || lies > 0 ? null : JSON.stringify([context, computed]);
  // One that is closed was lost with its browser.
  const resting = (here().kept.get(key) ?? []).filter((one) => !one.isClosed());
  const page = resting.pop();
  here().kept.set(key, resting);
  const ready = page ? watch(page, key) : await freshPage(own ?? (await newContext(context)), {key, computed, lies});
  await ready.context().grantPermissions(['clipboard-read', 'clipboard-write'], {origin: url});
  await ready.goto(`${url}/${hash}`);
  await isMade(ready);
  if (world) await joined(ready);
  return ready;
}

async function freshPage(own, {key, computed, lies}) {
  const page = await newPage(own, key);
  await page.addInitScript((choice) => {
    if (localStorage.getItem('weft.computed') === null) localStorage.setItem('weft.computed', JSON.stringify(choice));
  }, computed);
  if (lies > 0) await page.addInitScript(lie, lies);
  return page;
}

// A context whose pages hold back what is worked out aside while heldWork.holding says so: it is under way for as long as a test
// looks at it, however fast the machine is. heldWork.ended counts the workers that were told to end.
export async function holdingContext() {
  const own = await newContext();
  await own.addInitScript(() => {
    window.heldWork = {holding: false, ended: 0};
    const {set, get} = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
    Object.defineProperty(Worker.prototype, 'onmessage', {
      get,
      set(take) {
        set.call(this, (event) => {
          if (!window.heldWork.holding || event.data?.kind !== 'done') take.call(this, event);
        });
      },
    });
    const {terminate} = Worker.prototype;
    Worker.prototype.terminate = function () {
      window.heldWork.ended += 1;
      terminate.call(this);
    };
  });
  return own;
}

export async function isMade(page) {
  await page.waitForFunction(() => window.weft !== undefined);
  // Shadows cost a processor much, and no test looks at them.
  await page.evaluate(() => (window.weft.viewState.overlays.shadows.value = false));
}

// Calls the callbacks of animation frames together, and not again before `gap` milliseconds have passed.
function drawSeldom(gap) {
  const next = window.requestAnimationFrame.bind(window);
  let waiting = new Map();
  let [last, count, asked] = [-Infinity, 0, false];
  const frame = (now) => {
    last = performance.now();
    const all = waiting;
    waiting = new Map();
    asked = false;
    for (const callback of all.values()) {
      try {
        callback(now);
      } catch (error) {
        reportError(error);
      }
    }
  };
  window.requestAnimationFrame = (callback) => {
    waiting.set(++count, callback);
    const left = last + gap - performance.now();
    if (!asked && left > 0) setTimeout(() => next(frame), left);
    else if (!asked) next(frame);
    asked = true;
    return count;
  };
  window.cancelAnimationFrame = (id) => waiting.delete(id);
}

function lie(times) {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...moved) {
    const {kind, params} = message ?? {};
    const lies = kind === 'take' && params.hash && params.part === undefined && times-- > 0;
    post.call(this, lies ? {...message, params: {...params, hash: '0'.repeat(16)}} : message, ...moved);
  };
}

export async function joined(page) {
  await until(page, () => {
    const {document} = window.weft;
    return (
      document.phase.value === 'joined' && [...document.bodies.value.values()].every((body) => body.topology)
    );
  });
}

export function until(page, condition, argument) {
  return page.waitForFunction(condition, argument, {polling: 50});
}

// Asks until the answer is as wanted; the last answer if it never is.
export async function eventually(ask, wanted, what) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > end) assert.fail(`${what}; the last answer was ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const tickOf = async (peer, world) => (await peer.call('world.get', {world})).tick;
export const played = (peer, world, ticks) => eventually(() => tickOf(peer, world), (tick) => tick >= ticks, 'it plays');

// Waits until the world is paused; the answer is the tick that it stands at.
export async function paused(peer, world) {
  const state = () => peer.call('world.get', {world});
  const {tick} = await eventually(state, (now) => now.state === 'paused', 'it pauses');
  return tick;
}

// Opens the details of the status.
export async function openStatus(page) {
  await page.getByRole('button', {name: /^Status:/}).click();
  return page.getByRole('dialog', {name: 'Status'});
}

// Waits until the details say this, and closes them.
export async function statusTells(page, words) {
  const details = await openStatus(page);
  await details.getByText(words).waitFor();
  await page.keyboard.press('Escape');
  await details.waitFor({state: 'detached'});
}

export const field = (page, name) => page.getByRole('textbox', {name, exact: false});

export async function fill(box, text) {
  await box.fill(text);
  await box.press('Enter');
}

// Drops files on the page: pairs of a name and what is in it.
export function give(page, files) {
  return page.evaluate(
    (all) => {
      const transfer = new DataTransfer();
      for (const [name, data] of all)
        transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(
          new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}),
        );
    },
    files.map(([name, content]) => [name, Buffer.from(content).toString('base64')]),
  );
}

// -- hands

// Drops a file on the page, and waits for what it asks.
export async function drop(page, name, content) {
  await page.evaluate(
    ([file, data]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], file));
      for (const type of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
      }
    },
    [name, Buffer.from(content).toString('base64')],
  );
  await page.getByRole('dialog').waitFor();
}

// Red, green and blue at points of the page.
export async function pictureOf(page, places) {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(
    async ([data, points]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const scale = bitmap.width / window.innerWidth;
      return points.map(({x, y}) => Array.from(context.getImageData(Math.round(scale * x), Math.round(scale * y), 1, 1).data.slice(0, 3)));
    },
    [picture, places],
  );
}

// Where a point of the world is on the page; the camera's opening is that of view/camera.ts.
export function placeOf(page, point) {
  return page.evaluate((at) => {
    const {position, target} = window.weft.viewState.camera.value;
    const minus = (a, b) => a.map((x, i) => x - b[i]);
    const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const unit = (a) => a.map((x) => x / Math.sqrt(dot(a, a)));
    const forward = unit(minus(target, position));
    const right = unit(cross(forward, [0, 1, 0]));
    const off = minus(at, position);
    const {width, height, left, top} = document.querySelector('canvas').getBoundingClientRect();
    const perMetre = height / (2 * Math.tan((38 * Math.PI) / 360)) / dot(off, forward);
    return {
      x: left + width / 2 + perMetre * dot(off, right),
      y: top + height / 2 - perMetre * dot(off, cross(right, forward)),
      perMetre,
    };
  }, point);
}

// Looks from there, at once; the model is told a little later.
export async function lookFrom(page, position, target) {
  await page.evaluate((pose) => window.weft.view.goTo(pose, false), {position, target});
  await until(
    page,
    (wanted) => window.weft.viewState.camera.value.position.every((x, i) => Math.abs(x - wanted[i]) < 1e-6),
    position,
  );
}

// What the hand did last may still be under way when it lets go: each of it waits for the answer to what was before.
export function handled(page, world) {
  return page.evaluate(async (name) => {
    for (let i = 0; i < 6; ++i) await window.weft.client.call('world.get', {world: name});
  }, world);
}

export async function drag(page, from, by, {button = 'left', steps = 4} = {}) {
  await page.mouse.move(from.x, from.y);
  // What is under the pointer is looked for with the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.mouse.down({button});
  await page.mouse.move(from.x + by.x, from.y + by.y, {steps});
  await page.mouse.up({button});
}

// One finger along points of the page; an array of arrays is as many fingers. They rest before they are lifted: the browser takes
// a tap after a finger that flew off for what stops the fling. It goes by the times that it is told, not by those at which it is.
export async function swipe(page, ...paths) {
  const cdp = await page.context().newCDPSession(page);
  const longest = Math.max(...paths.map((path) => path.length));
  const begun = Date.now() - longest * FINGER_MS - REST_MS;
  const send = (type, ms, touchPoints) =>
    cdp.send('Input.dispatchTouchEvent', {type, touchPoints, timestamp: (begun + ms) / 1000});
  for (let step = 0; step < longest; ++step) {
    const touchPoints = paths.map((path, id) => ({...path[Math.min(step, path.length - 1)], id}));
    await send(step === 0 ? 'touchStart' : 'touchMove', step * FINGER_MS, touchPoints);
  }
  await send('touchEnd', longest * FINGER_MS + REST_MS, []);
  await cdp.detach();
}

// Keeps the picture as it is now.
export function keepPicture(page) {
  return readPicture(page, true);
}

// Share of the picture's pixels that differ from the one that was kept.
export function pictureChange(page) {
  return readPicture(page, false);
}

function readPicture(page, keep) {
  return page.evaluate(async (keeps) => {
    const bitmap = await createImageBitmap(await window.weft.view.capture());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const before = window.keptPicture;
    if (keeps) window.keptPicture = data;
    if (before?.length !== data.length) return 1;
    let changed = 0;
    for (let i = 0; i < data.length; i += 4) {
      const off = Math.max(...[0, 1, 2].map((k) => Math.abs(data[i + k] - before[i + k])));
      changed += off > 12 ? 1 : 0;
    }
    return (4 * changed) / data.length;
  }, keep);
}
