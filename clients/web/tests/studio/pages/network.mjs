// Connections that are slow, cut, or end with the server.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {
  eventually,
  field,
  fill,
  forgiveConnections,
  joined,
  makeWorld,
  open,
  positionsOf,
  server,
  test,
  until,
} from '../rig.mjs';
import {startServer} from '../server.mjs';
import {slowWay} from '../slow.mjs';

test('the server is killed and starts again: the page goes on, and nothing typed is lost', async () => {
  const {WEFTD: weftd, WEFT_STUDIO_DIR: studio} = process.env;
  let own = await startServer({weftd, studio});
  let peer = await Peer.connect(own.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name, {url: own.url});
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  const half = page.getByRole('textbox', {name: 'Particles'});
  await half.fill('0, 5-9');
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  await own.stop('SIGKILL');
  await page.getByRole('button', {name: /^Status: Reconnecting/}).waitFor();
  assert.ok(
    await page.evaluate((id) => window.weft.view.drawn(id) !== null, body),
    'what was there is still shown',
  );
  const thickness = field(page, 'Thickness');
  await fill(thickness, '0.02');
  await page.getByText('Will be sent when the connection is back.').waitFor();
  own = await startServer({weftd, studio, http: own.address});
  peer = await Peer.connect(own.url);
  await makeWorld(peer, {name});
  await page.getByRole('button', {name: /^Status: Reconnecting/}).waitFor({state: 'detached'});
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
  await page.context().close();
  await own.stop();
  forgiveConnections();
});

test('a slow way that loses its connections: both pages follow, and what one does reaches the other', async () => {
  const peer = await Peer.connect(server.url);
  // Uncompressed, a frame of it has more than one part. It is large: so it is solved coarsely, and slowly.
  const side = 160;
  const {name, body} = await makeWorld(peer, {side, play: false});
  await peer.call('world.set', {world: name, substeps: 1});
  await peer.call('world.play', {world: name, rate: 0.1});
  const way = await slowWay(server.address, {delayMs: 60, jitterMs: 60, bytesPerSecond: 3e6});
  const context = {viewport: {width: 500, height: 350}};
  const [near, far] = [await open(name, {context}), await open(name, {context, url: way.url})];
  await far.evaluate(() => window.weft.frames.want('exact'));
  const received = () => far.evaluate(() => window.weft.frames.counts.frames);
  const follows = async (what) => {
    const before = await received();
    await eventually(received, (now) => now > before + 5, what);
  };
  await follows('frames come');
  await until(far, ([id, all]) => window.weft.view.drawn(id)?.length === 3 * all, [body, side * side]);
  await far.evaluate(() => {
    window.weft.client.onState((state) => (window.opened ||= state === 'open'));
  });
  for (let i = 0; i < 2; ++i) {
    await far.evaluate(() => (window.opened = false));
    way.cut();
    await until(far, () => window.opened);
    await joined(far);
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
        ([id, all]) =>
          window.weft.view.drawn(id)?.reduce((most, x, i) => Math.max(most, Math.abs(x - all[i])), 0) ?? 9,
        [body, wanted],
      ),
    (off) => off < 1e-4,
    'the last frame is drawn',
  );
  way.close();
  peer.close();
  forgiveConnections();
});

test('a way that is too narrow: the page asks for what gets through, says so, and draws between', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {side: 50});
  await peer.call('world.set', {world: name, wind: {velocity: [1, 0, 6]}});
  const way = await slowWay(server.address, {delayMs: 20, bytesPerSecond: 300e3});
  const page = await open(name, {context: {viewport: {width: 500, height: 350}}, url: way.url});
  await until(page, (id) => window.weft.view.drawn(id) !== null, body);
  await page.evaluate(() => window.weft.frames.want('exact')); // compressed ones would all get through
  await page.getByRole('button', {name: /^Status: Slow connection \d+ frames a second/}).waitFor();
  // Pictures between the frames: particles go on moving while none comes. A machine that draws slowly has few of them.
  const moves = () =>
    page.evaluate(async (id) => {
      let [frames, at] = [-1, NaN];
      for (let turn = 0; turn < 200; ++turn) {
        await new Promise((done) => requestAnimationFrame(done));
        const now = window.weft.view.drawn(id)[3 * 1300 + 2];
        const {frames: count} = window.weft.frames.counts;
        if (count === frames && now !== at) return true;
        [frames, at] = [count, now];
      }
      return false;
    }, body);
  await eventually(moves, Boolean, 'what is drawn moves between frames');
  way.close();
  peer.close();
  forgiveConnections();
});
