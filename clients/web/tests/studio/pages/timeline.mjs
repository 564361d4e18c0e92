// The timeline: a world's past is shown, gone about in, branched from and compared, by mouse, by keyboard and by finger.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';

import {barriers, prepared} from '../axe.mjs';
import {Peer} from '../peer.mjs';
import {startServer} from '../server.mjs';
import {
  drag,
  eventually,
  forgive,
  forgiveConnections,
  handled,
  joined,
  keepPicture,
  makeWorld,
  newContext,
  open,
  pictureChange,
  placeOf,
  positionsOf,
  server,
  swipe,
  TELEPHONE,
  test,
  until,
} from '../rig.mjs';

// A world of 180 ticks: at tick 60 Ann unpins the sheet and at 120 Bob adds a ball. What the sheet was at those ticks
// is kept to compare with.
async function makePast() {
  const ann = await Peer.connect(server.url, 'Ann');
  const bob = await Peer.connect(server.url, 'Bob');
  const {name, body} = await makeWorld(ann, {side: 8, play: false});
  const at = new Map();
  const run = async (tick) => {
    await ann.call('world.step', {world: name, ticks: 60});
    at.set(tick, await positionsOf(ann, name, body));
  };
  await run(60);
  await ann.call('particle.unpin', {world: name, body, particles: [0]});
  await run(120);
  await bob.call('collider.add', {world: name, kind: 'sphere', name: 'ball', radius: 0.2, position: [0, 0.2, 0]});
  await run(180);
  const close = () => [ann, bob].forEach((peer) => peer.close());
  return {name, body, at, ann, bob, close};
}

async function shows(page, body, wanted, what) {
  await eventually(
    async () => {
      const drawn = await page.evaluate((id) => Array.from(window.weft.view.drawn(id) ?? []), body);
      return drawn.length === wanted.length ? Math.max(...drawn.map((x, i) => Math.abs(x - wanted[i]))) : Infinity;
    },
    (worst) => worst < 1e-5,
    `${what}: every particle is drawn where it was`,
  );
}

const tick = (page, wanted) =>
  until(
    page,
    (at) => {
      const {document, past} = window.weft;
      return document.tick.value === at && past.shown.value && !past.busy.value;
    },
    wanted,
  );
const now = (page) =>
  until(page, () => window.weft.document.viewOf.value === 0 && window.weft.document.phase.value === 'joined');
const slider = (page) => page.getByRole('slider', {name: 'Time of the world'});
const marks = (page) => page.getByRole('group', {name: 'Edits'}).getByRole('button');

async function openTimeline(page) {
  await page.keyboard.press('j');
  await page.getByRole('region', {name: 'Timeline'}).waitFor();
  await until(page, () => window.weft.past.log.value.known.value && window.weft.past.history.value !== null);
}

async function pointOn(page, share) {
  const box = await slider(page).boundingBox();
  return {x: box.x + share * box.width, y: box.y + box.height / 2};
}

// What is said beside the strip; the same may stand in a tooltip as well.
const words = (page) => page.locator('.line-words');

test('the past is shown as it was, and now again', async () => {
  const {name, body, at, close} = await makePast();
  const page = await open(name);
  await openTimeline(page);
  // The sheet and the ground, the pin, the ball.
  await eventually(
    () => marks(page).count(),
    (count) => count === 3,
    'three edits are marked',
  );
  await marks(page).nth(1).hover();
  await words(page).filter({hasText: 'Ann unpinned particles of sheet'}).waitFor();
  await marks(page).nth(1).click();
  await tick(page, 60);
  await shows(page, body, at.get(60), 'at an edit');
  assert.equal(await page.evaluate(() => window.weft.document.colliders.value.size), 1, 'there was no ball yet');
  assert.equal(await page.title(), `${name} · weft`);
  // Dragged along the strip, the picture follows.
  await page.evaluate(() => {
    const {client} = window.weft;
    const call = client.call.bind(client);
    window.seeks = 0;
    client.call = (method, params) => {
      window.seeks += method === 'world.seek' ? 1 : 0;
      return call(method, params);
    };
  });
  const from = await pointOn(page, 0.1);
  const to = await pointOn(page, 2 / 3);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, {steps: 30});
  await tick(page, 120);
  await page.mouse.up();
  await shows(page, body, at.get(120), 'dragged there');
  assert.ok((await page.evaluate(() => window.seeks)) >= 2, 'already on the way');
  assert.equal(await page.evaluate(() => window.weft.document.colliders.value.size), 2, 'the ball is there');
  await page.getByRole('region', {name: 'Timeline'}).getByRole('button', {name: 'Back to now'}).click();
  await now(page);
  await shows(page, body, at.get(180), 'now');
  assert.equal(await page.evaluate(() => window.weft.document.tick.value), 180);
  close();
});

test('a link opens a moment of the past, and says so if that is not kept', async () => {
  const {name, body, at, close} = await makePast();
  const page = await open(name);
  await page.keyboard.press('j');
  await page.evaluate(() => window.weft.past.seek(60));
  await shows(page, body, at.get(60), 'the past');
  await page.getByRole('button', {name: 'Copy a link to this moment'}).click();
  await page.getByText('The link to this world, tick 60 and view is copied.').waitFor();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  assert.match(link.hash, /tick=60&view=/);
  const other = await open(name, {hash: link.hash});
  await until(other, () => window.weft.past.shown.value);
  await shows(other, body, at.get(60), 'the moment of the link');
  await other.getByRole('button', {name: 'Status: The past'}).waitFor();
  await other.getByRole('button', {name: 'Back to now'}).first().click();
  await other.waitForFunction(() => !location.hash.includes('tick='));
  await other.evaluate(() => (location.hash = location.hash.replace('&view', '&tick=5000&view')));
  await other.getByText(`Tick 5,000 of ${name} is not kept. Ticks 0 to 180 are; you see the present.`).waitFor();
  close();
});

test('in the past nothing is done, and it says why', async () => {
  const {name, body, at, ann, close} = await makePast();
  const page = await open(name);
  await openTimeline(page);
  await page.evaluate(() => window.weft.past.seek(60));
  await tick(page, 60);
  await page.getByText('You see the past.').waitFor();
  for (const button of ['Play', 'Reset to the start', 'Step one tick', 'New'])
    assert.ok(await page.getByRole('button', {name: button, exact: true}).isDisabled(), `${button} is off`);
  await page.keyboard.press('r');
  await page.locator('.toast').getByText(/past/).waitFor();
  await page.keyboard.press('y');
  await page.getByRole('complementary', {name: 'Statistics'}).getByText(/the past, 0:01\.0, tick 60/).waitFor();
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await inspector.waitFor();
  assert.ok(await inspector.getByRole('textbox', {name: 'Name'}).isDisabled());
  assert.ok(await page.getByRole('button', {name: 'Remove', exact: true}).isDisabled());
  await page.evaluate(() => window.weft.selection.clear());
  // A drag on the cloth turns the view.
  const before = await page.evaluate(() => window.weft.viewState.camera.value.position);
  const point = at.get(60).slice(3 * 27, 3 * 27 + 3);
  await drag(page, await placeOf(page, point), {x: 90, y: 20});
  await until(
    page,
    (was) => window.weft.viewState.camera.value.position.some((x, i) => Math.abs(x - was[i]) > 0.1),
    before,
  );
  const {revision, tick: last} = await ann.call('world.get', {world: name});
  assert.deepEqual([revision, last], [4, 180], 'nobody did anything to the world');
  // And the world itself goes on meanwhile, unseen.
  await ann.call('world.step', {world: name, ticks: 5});
  await shows(page, body, at.get(60), 'still the past');
  await page.keyboard.press('Escape');
  await now(page);
  await until(page, () => window.weft.document.tick.value === 185);
  close();
});

test('keys: by tick, by second, by edit, to either end', async () => {
  const {name, close} = await makePast();
  const page = await open(name);
  await openTimeline(page);
  await slider(page).focus();
  const press = async (key, wanted) => {
    await page.keyboard.press(key);
    await tick(page, wanted);
  };
  await press('ArrowLeft', 179);
  await press('ArrowLeft', 178);
  await press('Shift+ArrowLeft', 118);
  await press('PageDown', 60);
  await press('ArrowRight', 61);
  await press('Control+ArrowRight', 120);
  await press('Home', 0);
  assert.equal(await slider(page).getAttribute('aria-valuetext'), '0:00.0, tick 0');
  await press('PageUp', 60);
  await page.keyboard.press('End');
  await now(page);
  await until(page, () => document.querySelector('[role="slider"]').getAttribute('aria-valuetext').startsWith('Now'));
  // The edits have one stop of the Tab key, before the slider; Enter goes to one.
  await page.keyboard.press('Shift+Tab');
  await page.getByText(/Bob added ball|Ann added/).first().waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await words(page).filter({hasText: 'Ann unpinned particles of sheet'}).waitFor();
  await press('Enter', 60);
  // From the picture, comma and point.
  await page.evaluate(() => document.querySelector('.stage canvas').focus());
  await press(',', 59);
  await press('.', 60);
  await page.keyboard.press('Escape');
  await now(page);
  await page.keyboard.press('j');
  await page.getByRole('region', {name: 'Timeline'}).waitFor({state: 'detached'});
  close();
});

test('a branch of a moment, and one without an edit', async () => {
  const {name, body, at, ann, close} = await makePast();
  const page = await open(name);
  await openTimeline(page);
  await page.evaluate(() => window.weft.past.seek(60));
  await tick(page, 60);
  await page.getByRole('button', {name: 'Branch here…'}).click();
  const dialog = page.getByRole('dialog', {name: 'Branch here'});
  assert.equal(await dialog.getByRole('textbox', {name: 'Name'}).inputValue(), `${name} at 0:01.0`);
  await dialog.getByRole('textbox', {name: 'Name'}).fill(`${name} b`);
  await dialog.getByRole('button', {name: 'Make'}).click();
  await until(page, (wanted) => window.weft.document.name.value === wanted, `${name} b`);
  await joined(page);
  assert.deepEqual(
    await page.evaluate(() => {
      const {tick: shown, viewOf} = window.weft.document;
      return [shown.value, viewOf.value];
    }),
    [60, 0],
  );
  await shows(page, body, at.get(60), 'a branch begins where it was made');
  assert.ok(await page.getByRole('button', {name: 'Play', exact: true}).isEnabled(), 'it can be played');
  await ann.call('world.step', {world: `${name} b`, ticks: 120});
  // The ball is in the past of one world and not of the other.
  await page.evaluate((world) => window.weft.open(world), name);
  await joined(page);
  await until(page, () => window.weft.past.log.value.acts.value.length >= 4);
  await page.getByRole('button', {name: 'Edits', exact: true}).click();
  const list = page.getByRole('list', {name: 'Edits, newest first'});
  await list.getByText(/Bob added ball/).waitFor();
  assert.equal(await list.getByRole('listitem').count(), 4);
  await list.getByRole('listitem').first().getByRole('button', {name: 'Remove this edit…'}).click();
  const without = page.getByRole('dialog', {name: 'Remove this edit'});
  await without.getByText(/if Bob had not added ball/).waitFor();
  await without.getByRole('button', {name: 'Make'}).click();
  await until(page, (wanted) => window.weft.document.name.value === wanted, `${name} without`);
  await joined(page);
  const {colliders, tick: last} = await ann.call('world.join', {world: `${name} without`});
  assert.deepEqual([colliders.length, last], [1, 180]);
  await shows(page, body, await positionsOf(ann, `${name} b`, body), 'without the ball as in the branch before it');
  close();
});

// The canvases of the stage, each with how far from the top it begins, how wide and how high it is.
const canvasesAre = (page, wanted) =>
  eventually(
    () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.stage canvas')].map((canvas) => {
          const {top, width, height} = canvas.getBoundingClientRect();
          return [top, width, height];
        }),
      ),
    (sizes) => isDeepStrictEqual(sizes, wanted),
    `the pictures stand at ${JSON.stringify(wanted)}`,
  );

const drawnBeside = (page, id) =>
  page.evaluate((body) => Array.from(window.weft.view.pane?.content.positionsOf(body) ?? []), id);

test('two pictures by one camera', async () => {
  const {name, body, at, ann, close} = await makePast();
  const page = await open(name);
  await openTimeline(page);
  await page.evaluate(() => window.weft.past.seek(60));
  await tick(page, 60);
  const beside = () => page.getByRole('button', {name: 'Side by side'});
  await beside().click();
  await page.getByRole('button', {name: 'This world as it is now'}).click();
  await page.getByRole('region', {name: 'Beside it'}).waitFor();
  const same = async (wanted, what) =>
    eventually(
      async () => {
        const drawn = await drawnBeside(page, body);
        return drawn.length === wanted.length
          ? Math.max(...drawn.map((x, i) => Math.abs(x - wanted[i])))
          : Infinity;
      },
      (worst) => worst < 1e-5,
      what,
    );
  await same(at.get(180), 'now is beside it');
  await shows(page, body, at.get(60), 'and then is shown');
  await canvasesAre(page, [
    [0, 500, 700],
    [0, 500, 700],
  ]);
  await page.locator('.caption').first().getByText(/then/).waitFor();
  await page.locator('.caption').last().getByText(/now/).waitFor();
  // One hand turns both.
  await keepPicture(page);
  const before = await page.evaluate(() => window.weft.viewState.camera.value.position);
  await drag(page, {x: 750, y: 300}, {x: 120, y: 0});
  await until(
    page,
    (was) => window.weft.viewState.camera.value.position.some((x, i) => Math.abs(x - was[i]) > 0.1),
    before,
  );
  assert.ok((await pictureChange(page)) > 0.01, 'the other picture turned as well');
  await page.keyboard.press('Escape');
  await now(page);
  await page.getByRole('region', {name: 'Beside it'}).waitFor({state: 'detached'});

  // Two branches, at the same tick.
  await ann.call('world.branch', {world: name, tick: 60, name: `${name} c`});
  await ann.call('world.step', {world: `${name} c`, ticks: 60});
  const other = await positionsOf(ann, `${name} c`, body);
  await beside().click();
  await page.getByRole('dialog', {name: 'Side by side'}).getByRole('button', {name: `${name} c`}).click();
  await page.getByRole('region', {name: 'Beside it'}).waitFor();
  await same(other, 'a branch is beside it');
  await page.evaluate(() => window.weft.past.seek(60));
  await tick(page, 60);
  await same(at.get(60), 'and goes along in time');
  await beside().click();
  await page.getByRole('button', {name: 'Show one picture'}).click();
  await page.getByRole('region', {name: 'Beside it'}).waitFor({state: 'detached'});
  await canvasesAre(page, [[0, 1000, 700]]);
  // What the browser says of a picture that is given up is no complaint.
  forgive(/WebGL|context/i);
  close();
});

test('the past stays shown when the connection comes back', async () => {
  const {name, body, at, close} = await makePast();
  const page = await open(name);
  await openTimeline(page);
  await page.evaluate(() => window.weft.past.seek(60));
  await tick(page, 60);
  // The loss may be shorter than the time from one look to the next.
  await page.evaluate(() => {
    const {client} = window.weft;
    client.onState((state) => (window.wasLost ||= state === 'lost'));
    client.link.socket.close();
  });
  await until(page, () => window.wasLost && window.weft.client.state === 'open');
  await tick(page, 60);
  await shows(page, body, at.get(60), 'after the connection was lost');
  close();
});

test('a world that is deleted while its past is shown is gone, and says so', async () => {
  const {name, ann, close} = await makePast();
  const other = await makeWorld(ann, {play: false});
  const page = await open(name);
  await openTimeline(page);
  await page.evaluate(() => window.weft.past.seek(60));
  await tick(page, 60);
  await ann.call('world.delete', {world: name});
  await page.getByText(`${name} is gone`).waitFor();
  await page.getByRole('region', {name: 'Timeline'}).waitFor({state: 'detached'});
  // It stays said, also when the server has told all that it had to.
  await handled(page, other.name);
  await page.getByText(`${name} is gone`).waitFor();
  close();
});

test('a telephone: a finger goes along the strip', async () => {
  const {name, body, at, close} = await makePast();
  const page = await open(name, {context: TELEPHONE});
  const fits = async () => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    for (const button of await page.locator('.timeline button:visible:not(.line-mark), .dock button:visible').all()) {
      const box = await button.boundingBox();
      assert.ok(
        box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844 && box.height >= 34,
        `a button is out of reach: ${await button.innerText()} ${JSON.stringify(box)}`,
      );
    }
  };
  await page.getByRole('button', {name: 'More'}).tap();
  await page.getByRole('dialog', {name: 'More'}).getByRole('button', {name: 'Timeline'}).tap();
  await page.getByRole('region', {name: 'Timeline'}).waitFor();
  await until(page, () => window.weft.past.log.value.known.value);
  await fits();
  const [from, to] = [await pointOn(page, 0.9), await pointOn(page, 1 / 3)];
  const way = Array.from({length: 12}, (_, i) => ({
    x: from.x + ((to.x - from.x) * i) / 11,
    y: from.y,
  }));
  await swipe(page, way);
  await until(page, () => window.weft.past.shown.value && Math.abs(window.weft.document.tick.value - 60) < 2);
  await fits();
  await marks(page).nth(1).tap();
  await tick(page, 60);
  await shows(page, body, at.get(60), 'by a finger');
  await page.getByRole('button', {name: 'Side by side'}).tap();
  await page.getByRole('button', {name: 'This world as it is now'}).tap();
  await page.getByRole('region', {name: 'Beside it'}).waitFor();
  // One above the other.
  await canvasesAre(page, [
    [0, 390, 422],
    [422, 390, 422],
  ]);
  await page.getByRole('region', {name: 'Timeline'}).getByRole('button', {name: 'Back to now'}).tap();
  await now(page);
  forgive(/WebGL|context/i);
  close();
});

for (const theme of ['light', 'dark']) {
  test(`nothing stands in anybody's way on the timeline: ${theme}`, async () => {
    const {name, close} = await makePast();
    const page = await open(name, {context: {viewport: {width: 1280, height: 800}}});
    await prepared(page);
    await page.evaluate((choice) => (window.weft.viewState.themeChoice.value = choice), theme);
    const found = [];
    const look = async (where) => found.push(...(await barriers(page, where, theme)));
    await openTimeline(page);
    await look('now');
    await marks(page).nth(1).click();
    await tick(page, 60);
    await page.keyboard.press('y');
    await page.keyboard.press('i');
    await look('then');
    await page.getByRole('button', {name: 'Edits', exact: true}).click();
    await page.getByRole('list', {name: 'Edits, newest first'}).waitFor();
    await look('the list of edits');
    await page.keyboard.press('Escape');
    await page.getByRole('button', {name: 'Remove it…'}).click();
    await page.getByRole('dialog', {name: 'Remove this edit'}).waitFor();
    await look('taking an edit out');
    await page.keyboard.press('Escape');
    await page.getByRole('button', {name: 'Side by side'}).click();
    await page.getByRole('dialog', {name: 'Side by side'}).waitFor();
    await look('what can be beside it');
    await page.getByRole('button', {name: 'This world as it is now'}).click();
    await page.getByRole('region', {name: 'Beside it'}).waitFor();
    await look('two pictures');
    await page.keyboard.press('b');
    await page.getByText(/Worlds (are kept in memory only|and their past are stored on disk)/).waitFor();
    await look('whether worlds last');
    assert.deepEqual(found, []);
    forgive(/WebGL|context/i);
    close();
  });
}

test('a server that keeps its worlds says so, and after a crash their past is there', async () => {
  const data = mkdtempSync(join(tmpdir(), 'weft-timeline-'));
  const {WEFTD: weftd, WEFT_STUDIO_DIR: studio} = process.env;
  let kept = await startServer({weftd, studio, data});
  const peer = await Peer.connect(kept.url, 'Ann');
  const {name, body} = await makeWorld(peer, {side: 6, play: false});
  await peer.call('world.step', {world: name, ticks: 30});
  const then = await positionsOf(peer, name, body);
  await peer.call('particle.unpin', {world: name, body, particles: [0]});
  await peer.call('world.step', {world: name, ticks: 30});
  const page = await open(name, {url: kept.url});
  await page.keyboard.press('b');
  await page.getByText(/Worlds and their past are stored on disk/).waitFor();
  await page.keyboard.press('Escape');
  await kept.stop('SIGKILL');
  await until(page, () => window.weft.client.state === 'lost');
  kept = await startServer({weftd, studio, data, http: kept.address});
  await until(page, () => window.weft.client.state === 'open' && window.weft.document.phase.value === 'joined');
  await openTimeline(page);
  await page.evaluate(() => window.weft.past.seek(30));
  await tick(page, 30);
  await shows(page, body, then, 'the past after a crash');
  forgiveConnections();
  await page.context().close();
  await kept.stop();
  rmSync(data, {recursive: true});
});

test('a world that takes no edits says why', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const tell = (why) =>
    page.evaluate((text) => {
      const {document, client} = window.weft;
      const as = {state: 'paused', rate: 1, tick: 0, reason: '', user: '', session: 0, view_of: 0};
      client.deliver('world.changed', {...as, world: document.world.value, read_only: text}, 0);
    }, why);
  await tell('the disk of the server is full');
  const chip = page.getByRole('button', {name: 'Status: No edits now The disk of the server is full'});
  await chip.waitFor();
  assert.ok(await page.getByRole('button', {name: 'New', exact: true}).isDisabled());
  await page.keyboard.press('r');
  await page.locator('.toast').getByText('The disk of the server is full.').waitFor();
  await tell('');
  await chip.waitFor({state: 'detached'});
  assert.ok(await page.getByRole('button', {name: 'New', exact: true}).isEnabled());
  peer.close();
});

test('a server without a past: there is no timeline, and nothing breaks', async () => {
  const {name, body, at, close} = await makePast();
  const page = await open(null, {hash: '', own: await newContext()});
  // The level that the server says is one less on its way here.
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const real = socket.connectToServer();
    real.onMessage((message) => {
      const bytes = Buffer.from(message);
      const where = bytes.indexOf('api_level');
      if (where > 0) bytes[where + 'api_level'.length] = 3;
      socket.send(bytes);
    });
    socket.onMessage((message) => real.send(message));
  });
  await page.goto(`${server.url}/#world=${encodeURIComponent(name)}`);
  await page.reload();
  await joined(page);
  assert.equal(await page.evaluate(() => window.weft.client.hello.api_level), 3);
  assert.equal(await page.getByRole('button', {name: 'Timeline'}).count(), 0);
  await page.keyboard.press('j');
  await page.getByText('This server does not keep the past.').waitFor();
  await page.keyboard.press(',');
  assert.equal(await page.getByRole('region', {name: 'Timeline'}).count(), 0);
  await shows(page, body, at.get(180), 'the world is shown');
  await page.keyboard.press('b');
  await page.getByRole('dialog', {name: 'Worlds'}).waitFor();
  close();
});
