// The studio in a real Chromium, against a real weftd. One script, for ctest and by hand:
//
//     WEFTD=build/release/bin/weftd WEFT_STUDIO_DIR=build/release/studio node tests/studio/run.mjs [NAME…]
//
// A NAME runs the tests whose names contain it. SHOTS=DIR leaves a picture of each page at the end of each test.
import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import {chromium} from 'playwright-core';

import {asciiPly, binaryStl, glb, gltfWithData, obj} from './meshes.mjs';
import {numbers, Peer} from './peer.mjs';
import {startServer} from './server.mjs';
import {slowWay} from './slow.mjs';

const {WEFTD, WEFT_STUDIO_DIR, SHOTS} = process.env;
if (!WEFTD || !WEFT_STUDIO_DIR) throw new Error('set WEFTD and WEFT_STUDIO_DIR');
const WAIT_MS = 30_000;
const SIZE = {width: 1000, height: 700};

let server = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--headless=new',
    '--no-sandbox',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
});

// -- pages, worlds, waiting

// Everything that a page complained about; a test that expects complaints takes them out.
let complaints = [];
let pages = [];

async function open(world, {context = {}, hash = `#world=${world}`, url = server.url} = {}) {
  const own = await browser.newContext({viewport: SIZE, reducedMotion: 'reduce', ...context});
  await own.grantPermissions(['clipboard-read', 'clipboard-write'], {origin: url});
  const page = await own.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.stack ?? error}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  await page.goto(`${url}/${hash}`);
  await page.waitForFunction(() => window.weft !== undefined);
  // Shadows cost a processor much, and no test looks at them.
  await page.evaluate(() => (window.weft.viewState.overlays.shadows.value = false));
  pages.push(page);
  if (world) await joined(page);
  return page;
}

async function joined(page) {
  await until(page, () => {
    const {document} = window.weft;
    return (
      document.phase.value === 'joined' && [...document.bodies.value.values()].every((body) => body.topology)
    );
  });
}

function until(page, condition, argument) {
  return page.waitForFunction(condition, argument, {polling: 50});
}

// Asks until the answer is as wanted; the last answer if it never is.
async function eventually(ask, wanted, what) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > end) assert.fail(`${what}; the last answer was ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let count = 0;

// A world with a cloth that hangs by its upper corners, and a ground.
async function makeWorld(peer, {side = 9, name = `test-${++count}`, play = true} = {}) {
  await peer.call('world.create', {name, substeps: 8, damping: 0.5});
  const positions = [];
  const triangles = [];
  for (let row = 0; row < side; ++row) {
    for (let column = 0; column < side; ++column) {
      positions.push(column / (side - 1) - 0.5, 1.6 - row / (side - 1), 0);
      if (row === side - 1 || column === side - 1) continue;
      const a = row * side + column;
      triangles.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
    }
  }
  const added = await peer.call('body.add', {
    world: name,
    name: 'sheet',
    kind: 'cloth',
    positions,
    triangles,
    density: 0.2,
    stretch: {compliance: 1e-6},
    bend: {compliance: 100},
    pins: [0, side - 1],
  });
  await peer.call('collider.add', {world: name, name: 'ground', kind: 'plane'});
  if (play) await peer.call('world.play', {world: name});
  return {name, body: added.body, side};
}

async function positionsOf(peer, world, body) {
  const state = await peer.call('body.state', {world, body, fields: ['positions']});
  return numbers(state.positions);
}

const field = (page, name) => page.getByRole('textbox', {name, exact: false});

async function fill(box, text) {
  await box.fill(text);
  await box.press('Enter');
}

// -- the tests

const tests = [];
const test = (name, run) => tests.push({name, run});

test('two pages on one world: one drags, the other sees it move', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer);
  const [one, two] = [await open(name), await open(name)];
  const particle = (side - 1) * side + Math.floor(side / 2);
  await until(two, (id) => window.weft.view.drawn(id) !== null, body);
  const before = await two.evaluate(
    ([id, at]) => [...window.weft.view.drawn(id).slice(3 * at, 3 * at + 3)],
    [body, particle],
  );
  assert.ok(await one.getByText('Drag it').isVisible(), 'the hint of the first visit');
  const at = await eventually(
    () => one.evaluate(([id, k]) => window.weft.view.project(id, k), [body, particle - side]),
    Boolean,
    'the particle is drawn',
  );
  await one.mouse.move(at.x, at.y);
  await one.mouse.down();
  for (let step = 1; step <= 8; ++step) await one.mouse.move(at.x + 20 * step, at.y - 5 * step);
  const after = await eventually(
    () =>
      two.evaluate(([id, k]) => [...window.weft.view.drawn(id).slice(3 * k, 3 * k + 3)], [body, particle]),
    (now) => Math.hypot(...now.map((x, axis) => x - before[axis])) > 0.15,
    'the other page sees the cloth move',
  );
  assert.ok(after[0] > before[0], 'it moves the way it is pulled');
  await eventually(
    () => two.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 1,
    'the other page sees who holds',
  );
  await one.mouse.up();
  await eventually(
    () => two.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 0,
    'the other page sees it let go',
  );
  await one.getByText('Drag it').waitFor({state: 'detached'});
  peer.close();
});

test('a form changes the world of the server, live and for everybody', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('o');
  await page.getByRole('treeitem', {name: /sheet/}).click();
  const stretch = page.locator('.section', {hasText: 'Stretch'});
  await fill(stretch.getByRole('textbox', {name: /^Compliance/}), '3e-5');
  const compliance = async () => (await peer.call('body.get', {world: name, body})).stretch.compliance;
  await eventually(compliance, (value) => Math.abs(value - 3e-5) < 1e-9, 'what was typed reaches the server');

  // A slider sends while it is dragged.
  const slider = stretch.getByRole('slider').first();
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
  await page.mouse.down();
  await eventually(
    compliance,
    (value) => Math.abs(value - 3e-5) > 1e-7,
    'a press on the slider reaches the server',
  );
  const first = await compliance();
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2, {steps: 6});
  await eventually(compliance, (value) => value > 10 * first, 'the slider is live while it is dragged');
  await page.mouse.up();

  await page.keyboard.press('Escape');
  await page.keyboard.press('i');
  await fill(field(page, 'Gravity y'), '-1.5');
  await eventually(
    async () => (await peer.call('world.get', {world: name})).gravity[1],
    (y) => Math.abs(y + 1.5) < 1e-6,
    'gravity changes',
  );

  // Somebody else's edit shows, with the name.
  await peer.call('world.set', {world: name, damping: 2.5});
  await until(page, () =>
    [...document.querySelectorAll('.edited-by')].some((note) => note.textContent.includes('Peer')),
  );
  await eventually(
    () => field(page, 'Damping').inputValue(),
    (text) => text === '2.5',
    "the form shows the other's value",
  );
  await page.getByText('Peer changed the world.').waitFor();
  peer.close();
});

test('a file that is dropped becomes a cloth, welded', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const files = [
    ['soup.stl', binaryStl()],
    ['cube.obj', obj()],
    ['cube.ply', asciiPly()],
    ['cube.glb', glb()],
    ['cube.gltf', gltfWithData()],
  ];
  for (const [file, content] of files) {
    const base64 = Buffer.from(content).toString('base64');
    await page.evaluate(
      ([fileName, data]) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], fileName));
        for (const type of ['dragenter', 'dragover', 'drop']) {
          document.body.dispatchEvent(
            new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}),
          );
        }
      },
      [file, base64],
    );
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    if (file === 'soup.stl') {
      await dialog.getByText('28 of 36 vertices lay where others lie and were welded.').waitFor();
      // It is shown before it is added.
      await page.waitForFunction(() => window.weft.viewState.preview.value !== null);
      await fill(dialog.getByRole('textbox', {name: /^Scale/}), '0.5');
    }
    await page.getByRole('button', {name: 'Add as cloth'}).click();
    await dialog.waitFor({state: 'detached'});
  }
  const {bodies} = await peer.call('world.join', {world: name});
  assert.equal(bodies.length, 1 + files.length);
  const [, soup, cube] = bodies;
  assert.deepEqual([soup.kind, soup.name, soup.particles, soup.triangles], ['cloth', 'soup', 8, 12]);
  assert.deepEqual([cube.kind, cube.name, cube.particles, cube.triangles], ['cloth', 'cube', 8, 12]);
  const heights = (await positionsOf(peer, name, soup.body)).filter((_, i) => i % 3 === 1);
  assert.ok(Math.abs(Math.max(...heights) - Math.min(...heights) - 0.5) < 1e-5, 'the scale that was typed');

  // What cannot be read is said.
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['nonsense'], 'broken.ply'));
    document.body.dispatchEvent(
      new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}),
    );
  });
  await page.getByText('broken.ply could not be read').waitFor();
  peer.close();
});

test('a refused edit shows the words of the server, by the field', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const refusal = await peer.call('body.set', {world: name, body, stretch: {compliance: -1}}).then(
    () => assert.fail('a negative compliance was accepted'),
    (error) => error,
  );
  assert.equal(refusal.field, 'stretch.compliance');
  const box = page.locator('.section', {hasText: 'Stretch'}).getByRole('textbox', {name: /^Compliance/});
  await fill(box, '-1');
  const words = refusal.text.replace(/^stretch\.compliance: /, '');
  const note = page.locator('.section', {hasText: 'Stretch'}).getByRole('alert');
  await note.waitFor();
  assert.equal(await note.textContent(), words);
  assert.equal(await box.inputValue(), '-1', 'what was typed stays, to be mended');
  await box.press('Escape');
  await note.waitFor({state: 'detached'});
  assert.equal(await box.inputValue(), '1e-6', 'Escape shows what holds');

  // Where there is no field, it is said near what was pressed.
  await peer.call('world.play', {world: name});
  await until(page, () => window.weft.document.playing.value);
  const conflict = await peer.call('world.step', {world: name}).then(
    () => assert.fail(),
    (error) => error.text,
  );
  await page.evaluate(async () => {
    const {weft} = window;
    const done = await weft.commands.call('world.step', {ticks: 1});
    if (!done.ok) weft.notices.error(done.error);
  });
  await page.locator('.toast').getByText(conflict).waitFor();
  peer.close();
});

test('what is drawn is what body.state says', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {side: 12, play: false});
  await peer.call('world.step', {world: name, ticks: 30});
  const page = await open(name);
  const compare = async (when) => {
    const state = await positionsOf(peer, name, body);
    await eventually(
      async () => {
        const drawn = await page.evaluate((id) => Array.from(window.weft.view.drawn(id) ?? []), body);
        return drawn.length === state.length
          ? Math.max(...drawn.map((x, i) => Math.abs(x - state[i])))
          : Infinity;
      },
      (worst) => worst < 1e-5,
      `${when}: every particle is drawn where the server has it`,
    );
  };
  await compare('when the page is opened');
  await peer.call('world.step', {world: name, ticks: 25});
  await compare('after more ticks');
  await page.keyboard.press('.');
  await until(page, () => window.weft.document.tick.value === 56);
  await compare('after a step by the page');
  await page.keyboard.press('r');
  await until(page, () => window.weft.document.edits.value.some((edit) => edit.method === 'world.reset'));
  await compare('after a reset');

  // Looking into a tick: its substeps one by one, the last being where the server is.
  await page.keyboard.press(']');
  await until(page, () => window.weft.scrubber.count.value > 1);
  assert.equal(await page.evaluate(() => window.weft.scrubber.count.value), 9);
  const slider = page.getByRole('slider', {name: 'Substep'});
  await slider.focus();
  await page.keyboard.press('End');
  await compare('at the last substep');
  await page.keyboard.press('Home');
  const state = await positionsOf(peer, name, body);
  await eventually(
    () =>
      page.evaluate(
        ([id, last]) => Array.from(window.weft.view.drawn(id)).some((x, i) => Math.abs(x - last[i]) > 1e-5),
        [body, state],
      ),
    Boolean,
    'the first substep is another moment',
  );
  peer.close();
});

test('the server is killed and starts again: the page goes on, and nothing typed is lost', async () => {
  let peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name);
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const half = page.getByRole('textbox', {name: 'Particles'});
  await half.fill('0, 5-9');
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  await server.stop('SIGKILL');
  await page.getByText('The connection is lost.').waitFor();
  assert.ok(
    await page.evaluate((id) => window.weft.view.drawn(id) !== null, body),
    'what was there is still shown',
  );
  const thickness = field(page, 'Thickness');
  await fill(thickness, '0.02');
  await page.getByText('Goes when the connection is back.').waitFor();
  server = await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR, http: server.address});
  peer = await Peer.connect(server.url);
  await makeWorld(peer, {name});
  await page.getByText('The connection is lost.').waitFor({state: 'detached'});
  await joined(page);
  const tick = await page.evaluate(() => window.weft.document.tick.value);
  await until(page, (before) => window.weft.document.tick.value > before, tick);
  await eventually(
    async () => (await peer.call('body.get', {world: name, body})).thickness,
    (value) => Math.abs(value - 0.02) < 1e-6,
    'what waited is sent',
  );
  assert.equal(await half.inputValue(), '0, 5-9', 'what was being typed is still there');
  peer.close();
  // Chromium itself writes of each attempt that failed.
  complaints = complaints.filter(
    (text) => !/WebSocket connection|ERR_CONNECTION|Failed to load resource/.test(text),
  );
});

test('the keyboard alone drives the main verbs', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body, side} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const world = () => peer.call('world.get', {world: name});
  const press = (...keys) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

  await press('Space');
  await eventually(world, ({state}) => state === 'playing', 'Space plays');
  await until(page, () => window.weft.document.playing.value);
  await press('=');
  await eventually(world, ({rate}) => rate === 2, '+ is faster');
  await until(page, () => window.weft.document.run.value.rate === 2);
  await press('-');
  await eventually(world, ({rate}) => rate === 1, '- is slower');
  await press('Space');
  await eventually(world, ({state}) => state === 'paused', 'Space pauses');
  await until(page, () => !window.weft.document.playing.value);
  const {tick} = await world();
  await press('.');
  await eventually(world, (now) => now.tick === tick + 1, '. steps one tick');

  // Through the outline to the inspector, and there to particles.
  await press('o');
  await page.getByRole('tree').waitFor();
  await page.getByRole('treeitem', {name: 'World'}).focus();
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
  await until(page, (id) => window.weft.selection.selected.value.bodies.has(id), body);
  const picker = page.getByRole('textbox', {name: 'Particles'});
  await picker.focus();
  await page.keyboard.type('40');
  await press('Enter');
  await until(page, () => window.weft.selection.particleCount.value === 1);
  await page.evaluate(() => document.activeElement.blur());
  const pins = async () => [...numbers((await peer.call('body.get', {world: name, body})).pins)];
  await press('p');
  await eventually(pins, (all) => all.includes(40), 'P pins');
  await press('u');
  await eventually(pins, (all) => !all.includes(40), 'U unpins');

  // Drags without a pointer.
  await press('Space');
  await until(page, () => window.weft.document.playing.value);
  await press('g');
  await page.getByText('Held: arrows').waitFor();
  await eventually(
    () => page.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 1,
    'G takes hold',
  );
  const before = (await positionsOf(peer, name, body)).slice(120, 123);
  for (let i = 0; i < 8; ++i) await press('Shift+ArrowUp');
  await eventually(
    async () => (await positionsOf(peer, name, body))[121],
    (y) => y > before[1] + 0.1,
    'arrows pull',
  );
  await press('Enter');
  await eventually(
    () => page.evaluate(() => window.weft.document.grabs.value.size),
    (held) => held === 0,
    'Enter lets go',
  );

  // A constraint between two particles.
  await page.evaluate(
    ([id, last]) => window.weft.selection.selectParticles(id, [0, last]),
    [body, side * side - 1],
  );
  await press('c');
  await eventually(
    () => page.evaluate(() => document.activeElement.closest('[data-part="connect"]') !== null),
    Boolean,
    'C goes to the form',
  );
  await page.getByRole('button', {name: 'Add distance'}).focus();
  await press('Enter');
  await eventually(
    async () => (await world()).constraints,
    (now) => now > 0,
    'there are constraints',
  );
  const loose = () =>
    page.evaluate(() => Array.from(window.weft.document.constraints.loose('distance').value?.ids ?? []));
  await eventually(loose, (ids) => ids.length === 1, 'the constraint is added');
  await page.getByRole('treeitem', {name: /^Distance/}).waitFor();

  // Adds a body from the gallery, and removes it.
  await press('Escape', 'n');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('option', {name: 'Rope'}).focus();
  await press('Enter');
  await page.getByRole('textbox', {name: /^Length/}).focus();
  await press('Enter');
  await eventually(world, ({bodies}) => bodies === 2, 'the rope is there');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await until(page, () => window.weft.selection.selected.value.bodies.size === 1);
  await page.evaluate(() => document.activeElement.blur());
  await press('Delete');
  await eventually(world, ({bodies}) => bodies === 1, 'Delete removes it');

  await press('?');
  await page.getByRole('dialog', {name: 'Keys'}).waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await press('r');
  await until(page, () => window.weft.document.edits.value.some((edit) => edit.method === 'world.reset'));
  peer.close();
});

test('worlds are made, renamed and deleted; a link carries the world and the view', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const names = async () => (await peer.call('world.list')).worlds.map((world) => world.name);
  await page.keyboard.press('b');
  await page.getByRole('button', {name: 'New world…'}).click();
  const dialog = page.getByRole('dialog', {name: 'New world'});
  await fill(dialog.getByRole('textbox', {name: 'Name'}), name);
  await dialog.getByRole('alert').filter({hasText: name}).waitFor();
  await fill(dialog.getByRole('textbox', {name: 'Name'}), `${name}-new`);
  await dialog.waitFor({state: 'detached'});
  await until(
    page,
    (wanted) => window.weft.document.name.value === wanted && window.weft.document.phase.value === 'joined',
    `${name}-new`,
  );
  await page.keyboard.press('b');
  await page.getByRole('button', {name: `Rename ${name}-new`}).click();
  await fill(page.getByRole('textbox', {name: `New name of ${name}-new`}), `${name}-other`);
  await eventually(names, (all) => all.includes(`${name}-other`), 'the world is renamed');
  await page.getByRole('button', {name: `Delete ${name}-other`}).click();
  await page.getByRole('button', {name: 'Delete', exact: true}).click();
  await eventually(names, (all) => !all.includes(`${name}-other`), 'the world is deleted');
  await page.getByText('Somebody deleted it.').waitFor();
  await page.getByRole('button', {name, exact: false}).filter({hasText: /body/}).first().click();
  await joined(page);

  await page.evaluate(() => window.weft.view.goTo({position: [2, 3, 4], target: [0.25, 1, 0]}, false));
  await page.waitForFunction(() => location.hash.includes('view=2,3,4,0.25,1,0'));
  await page.keyboard.press('l');
  await page.getByText('The link to this world and view is copied.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(name, {hash: new URL(link).hash});
  const away = () =>
    other.evaluate(() => {
      const {position, target} = window.weft.viewState.camera.value;
      return Math.hypot(
        position[0] - 2,
        position[1] - 3,
        position[2] - 4,
        target[0] - 0.25,
        target[1] - 1,
        target[2],
      );
    });
  await eventually(away, (distance) => distance < 0.01, 'the link has the view');
  await until(other, (id) => window.weft.view.drawn(id) !== null, body);
  assert.ok((await away()) < 0.01, 'it stays when the world is drawn');
  peer.close();
});

test('a new world has a ground, says that it is empty, and shows what comes', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.keyboard.press('b');
  await page.getByRole('button', {name: 'New world…'}).click();
  await fill(page.getByRole('dialog').getByRole('textbox', {name: 'Name'}), `${name}-bare`);
  await page.getByText('An empty world').waitFor();
  const colliders = async () => (await peer.call('world.get', {world: `${name}-bare`})).colliders;
  await eventually(colliders, (count) => count === 1, 'there is a ground');

  // A double click on a picture takes that one: nothing moves under the pointer.
  await page.getByRole('button', {name: 'Add something'}).click();
  await page.getByRole('option', {name: 'Flag'}).dblclick();
  await page.getByRole('dialog').waitFor({state: 'detached'});
  const flag = await page.evaluate(() =>
    [...window.weft.document.bodies.value.values()].map((body) => [body.body, body.name]),
  );
  assert.equal(flag.length, 1);
  assert.equal(flag[0][1], 'flag');
  assert.ok(!(await page.getByText('An empty world').isVisible()));
  // It was brought into view.
  const corners = await eventually(
    () => page.evaluate(([id]) => [0, 900].map((k) => window.weft.view.project(id, k)), [flag[0][0]]),
    (all) => all.every(Boolean) && Math.abs(all[0].x - all[1].x) > 150,
    'the flag is large enough to see',
  );
  for (const {x, y} of corners) assert.ok(x > 0 && x < SIZE.width && y > 0 && y < SIZE.height);

  // What is refused is said, though its field lies in a part that is folded away.
  await page.evaluate(() => window.weft.selection.clear());
  await page.keyboard.press('n');
  const gallery = page.getByRole('dialog', {name: 'New'});
  await gallery.getByRole('option', {name: 'Rope'}).click();
  await gallery.getByRole('button', {name: 'Material'}).click();
  await fill(gallery.getByRole('textbox', {name: /^Density/}), '-1');
  await gallery.getByRole('button', {name: 'Material'}).click();
  await gallery.getByRole('button', {name: 'Add', exact: true}).click();
  await gallery.getByRole('alert').filter({hasText: 'not above 0'}).waitFor();
  assert.equal((await peer.call('world.get', {world: `${name}-bare`})).bodies, 1, 'nothing was added');
  peer.close();
});

test('in a world that stands still a drag says why nothing follows', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  const at = await page.evaluate((id) => window.weft.view.project(id, 40), body);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y, {steps: 4});
  await page.getByText('it follows when time runs').waitFor();
  await page.mouse.up();
  await page.getByText('it follows when time runs').waitFor({state: 'detached'});
  peer.close();
});

test('a slow way that loses its connections: both pages follow, and what one does reaches the other', async () => {
  const peer = await Peer.connect(server.url);
  // A frame of it has more than one part.
  const {name, body} = await makeWorld(peer, {side: 160});
  const way = await slowWay(server.address, {delayMs: 60, jitterMs: 60, bytesPerSecond: 3e6});
  const [near, far] = [await open(name), await open(name, {url: way.url})];
  const received = () => far.evaluate(() => window.weft.frames.counts.frames);
  const follows = async (what) => {
    const before = await received();
    await eventually(received, (now) => now > before + 5, what);
  };
  await follows('frames come');
  const whole = await far.evaluate((id) => window.weft.view.drawn(id).length, body);
  assert.equal(whole, 3 * 160 * 160);
  for (let i = 0; i < 2; ++i) {
    way.cut();
    await until(far, () => window.weft.client.state !== 'open');
    await joined(far);
    await until(far, () => window.weft.client.state === 'open');
    await follows('frames come again');
  }
  await peer.call('world.pause', {world: name});
  await far.evaluate(() => window.weft.commands.setWorld({damping: 0.75}));
  await until(near, () => Math.abs(window.weft.document.settings.value.damping - 0.75) < 1e-6);
  // What is drawn in the end is what the server has.
  const wanted = await positionsOf(peer, name, body);
  await eventually(
    () =>
      far.evaluate(
        ([id, all]) => window.weft.view.drawn(id).reduce((most, x, i) => Math.max(most, Math.abs(x - all[i])), 0),
        [body, wanted],
      ),
    (off) => off < 1e-4,
    'the last frame is drawn',
  );
  way.close();
  peer.close();
  complaints = complaints.filter(
    (text) => !/WebSocket connection|ERR_CONNECTION|Failed to load resource/.test(text),
  );
});

test('plots show curves and are saved as PNG and CSV', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name);
  await page.keyboard.press('m');
  const energy = page.getByRole('figure', {name: /^Energy/});
  await energy.waitFor();
  await until(page, () => window.weft.recorder.measures.length > 5);
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    energy.getByRole('button', {name: 'Save Energy as CSV'}).click(),
  ]);
  const chunks = [];
  for await (const chunk of await csv.createReadStream()) chunks.push(chunk);
  const [head, ...rows] = Buffer.concat(chunks).toString().trim().split('\r\n');
  assert.match(head, /^time \[s\],Kinetic \[J\]/);
  assert.ok(rows.length > 5 && rows.every((row) => row.split(',').length === head.split(',').length));
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    energy.getByRole('button', {name: 'Save Energy as PNG'}).click(),
  ]);
  const picture = [];
  for await (const chunk of await png.createReadStream()) picture.push(chunk);
  assert.equal(Buffer.concat(picture).subarray(1, 4).toString(), 'PNG');
  await page.evaluate((id) => window.weft.selection.selectParticles(id, [40]), body);
  await page
    .getByRole('figure', {name: /sheet #40/})
    .first()
    .waitFor();
  peer.close();
});

test('a telephone: everything is in reach of a finger', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name, {
    context: {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 1},
  });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(await overflow(), 0, 'nothing is wider than the page');
  const buttons = await page.locator('.dock button:visible, .top button:visible').all();
  assert.ok(buttons.length >= 8);
  for (const button of buttons) {
    const box = await button.boundingBox();
    assert.ok(
      box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844,
      'a button is off the page',
    );
    assert.ok(
      box.height >= 36 && box.width >= 30,
      `a button is too small to touch: ${box.width} × ${box.height}`,
    );
  }
  await page.getByRole('button', {name: 'Pause'}).tap();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).state,
    (state) => state === 'paused',
    'a tap pauses',
  );
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.getByRole('button', {name: 'Edit'}).tap();
  const sheet = page.getByRole('complementary', {name: 'Inspector'});
  await sheet.waitFor();
  const box = await sheet.boundingBox();
  assert.ok(
    box.x >= 0 && box.x + box.width <= 390 && box.y > 300 && box.y + box.height < 844,
    'the sheet is on the page, below',
  );
  assert.equal(await overflow(), 0);
  await sheet.getByRole('button', {name: 'Close'}).tap();
  await page.getByRole('button', {name: 'New'}).tap();
  await page.getByRole('option', {name: 'Flag'}).tap();
  assert.equal(await overflow(), 0);
  await page.getByRole('button', {name: 'Add', exact: true}).tap();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).bodies,
    (bodies) => bodies === 2,
    'the flag is there',
  );
  peer.close();
});

// -- running them

const wanted = process.argv.slice(2);
let failed = 0;
let passed = 0;
for (const {name, run} of tests.filter(
  ({name: one}) => wanted.length === 0 || wanted.some((part) => one.includes(part)),
)) {
  const from = Date.now();
  let error = null;
  try {
    await run();
    assert.deepEqual(complaints, [], 'the browser complained');
  } catch (thrown) {
    error = thrown;
  }
  if (SHOTS) {
    mkdirSync(SHOTS, {recursive: true});
    await Promise.all(
      pages.map((page, i) =>
        page
          .screenshot({path: `${SHOTS}/${name.replace(/[^a-z]+/gi, '-').slice(0, 40)}-${i + 1}.png`})
          .catch(() => undefined),
      ),
    );
  }
  console.log(`${error ? 'FAIL' : 'ok  '} ${name} (${((Date.now() - from) / 1000).toFixed(1)} s)`);
  if (error) {
    console.log(error.stack);
    if (complaints.length > 0) console.log(complaints.join('\n'));
    failed += 1;
  } else {
    passed += 1;
  }
  await Promise.all(
    pages.map((page) =>
      page
        .context()
        .close()
        .catch(() => undefined),
    ),
  );
  pages = [];
  complaints = [];
}
await browser.close();
await server.stop();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
