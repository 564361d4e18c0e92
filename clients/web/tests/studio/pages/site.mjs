// The studio without a server, from a plain server of files: worlds in the page, files to and from a real weftd, what is said where
// they break; axe, keys, a telephone.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';

import {barriers, prepared} from '../axe.mjs';
import {serveFolder} from '../folder.mjs';
import {Peer} from '../peer.mjs';
import {drag, eventually, give, isMade, joined, newContext, newPage, server, TELEPHONE, test as testOf, until, skip} from '../rig.mjs';

const {WEFT, WEFT_SITE_DIR} = process.env;
const can = Boolean(WEFT && WEFT_SITE_DIR);
if (!can) skip('the static page is not built');
const test = can ? testOf : () => undefined;

let serving = null;
const served = () => (serving ??= serveFolder(WEFT_SITE_DIR));

// What it asked for, in all.
async function openSite(hash = '', context = {}) {
  const page = await newPage(await newContext(context));
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${await served()}${hash}`);
  await isMade(page);
  await joined(page);
  await until(page, () => window.weft.document.run.value.state === 'playing');
  return {page, asked};
}

const call = (page, method, params) =>
  page.evaluate(([name, given]) => window.weft.client.call(name, given), [method, params]);
const shown = (page) => page.evaluate(() => window.weft.document.name.value);
// Whether it would be closed without a question.
const leaves = (page) => page.evaluate(() => window.dispatchEvent(new Event('beforeunload', {cancelable: true})));
const tick = (page) => page.evaluate(() => window.weft.document.tick.value);
// All of the gallery.
const areThere = (page) =>
  eventually(
    () => page.getByRole('list', {name: 'Example worlds'}).getByRole('button').count(),
    (count) => count === 24,
    'there are twenty-four worlds to try',
  );

test('a page of files alone has a world that plays, takes hands, takes back, and goes to a server and comes from one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-site-'));
  const peer = await Peer.connect(server.url);
  const {page, asked: fetched} = await openSite();
  assert.equal(await shown(page), 'jelly');
  const begun = await tick(page);
  await eventually(() => tick(page), (now) => now > begun + 3, 'time goes on');
  await prepared(page);
  assert.deepEqual(await barriers(page, 'the page'), []);

  // A hand.
  const place = await eventually(
    () =>
      page.evaluate(() => {
        const {document, view} = window.weft;
        const [body] = document.bodies.value.keys();
        return view.project(body, 0);
      }),
    Boolean,
    'it is drawn',
  );
  await drag(page, place, {x: 40, y: -30});
  await until(page, () => window.weft.viewState.dragged.value);

  assert.equal(await leaves(page), true, 'a world that hands play with is no work');

  // An edit, and taken back by its key.
  await page.evaluate(() => window.weft.commands.pause());
  await until(page, () => window.weft.document.run.value.state === 'paused');
  const colliders = () => page.evaluate(() => window.weft.document.colliders.value.size);
  const before = await colliders();
  await page.evaluate(() => window.weft.commands.addCollider({kind: 'sphere', name: 'in the way', radius: 0.1, position: [2, 1, 0]}));
  await eventually(colliders, (count) => count === before + 1, 'a collider more');
  await page.keyboard.press('Control+z');
  await eventually(colliders, (count) => count === before, 'it is taken back');

  // There is work now, and the browser asks.
  const asked = page.waitForEvent('dialog');
  await page.close({runBeforeUnload: true});
  assert.equal((await asked).type(), 'beforeunload');
  await (await asked).dismiss();

  // To a server.
  const {hash} = await call(page, 'world.hash', {world: 'jelly'});
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  assert.equal(download.suggestedFilename(), 'jelly.json');
  await download.saveAs(join(folder, 'made-here.json'));
  await eventually(() => leaves(page), (may) => may, 'it is saved');
  const weft = (...words) => execFileSync(WEFT, ['--server', server.tcp, ...words], {encoding: 'utf8'});
  weft('open', join(folder, 'made-here.json'), '--name', 'made-here');
  assert.equal((await peer.call('world.hash', {world: 'made-here'})).hash, hash);

  // And from it.
  await peer.call('world.step', {world: 'made-here', ticks: 3});
  weft('save', 'made-here', join(folder, 'from-there.json'));
  const there = (await peer.call('world.hash', {world: 'made-here'})).hash;
  assert.notEqual(there, hash);
  const files = ['from-there.json', ...readdirSync(join(folder, 'from-there.data')).map((name) => `from-there.data/${name}`)];
  await give(page, files.map((name) => [basename(name), readFileSync(join(folder, name))]));
  await until(page, () => window.weft.document.name.value === 'made-here' && window.weft.document.phase.value === 'joined');
  assert.equal((await call(page, 'world.hash', {world: 'made-here'})).hash, there);

  const url = await served();
  assert.ok(fetched.length > 8 && fetched.every((one) => one.startsWith(url) || one.startsWith('blob:')), fetched.join('\n'));
  rmSync(folder, {recursive: true});
  peer.close();
});

test('by keys to another world, and what breaks is told', async () => {
  const {page} = await openSite('#world=banner');
  assert.equal(await shown(page), 'banner', 'a link names a scene');
  await page.getByRole('button', {name: 'World banner'}).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Worlds are in this page alone').waitFor();
  await page.getByRole('button', {name: 'Example worlds…'}).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', {name: 'Example worlds'}).waitFor();
  await prepared(page);
  assert.deepEqual(await barriers(page, 'worlds to try'), []);
  await areThere(page);
  await page.getByRole('button', {name: /^towel/}).focus();
  await page.keyboard.press('Enter');
  await eventually(() => shown(page), (name) => name === 'towel', 'it is open');
  await until(page, () => window.weft.document.run.value.state === 'playing');

  // A file that is none, and a module that breaks.
  await give(page, [['no.json', Buffer.from('{"weft": 1, "bodies": [{"kind": "cloth", "positions": [1, 2], "triangles": [9]}]}')]]);
  await page.getByText(/^no\.json: /).waitFor();
  const [worker] = page.workers().filter((one) => /worker/.test(one.url()) && !/normals/.test(one.url()));
  await worker.evaluate(() => postMessage({kind: 'broken', text: 'tried out'}));
  await page.getByText(/The worlds in this page failed and are lost: tried out/).waitFor();
  await until(page, () => window.weft.document.phase.value === 'joined' && window.weft.document.run.value.state === 'playing');
  const again = await tick(page);
  await eventually(() => tick(page), (now) => now > again, 'the new one plays');
});

test('on a telephone', async () => {
  const size = TELEPHONE.viewport;
  const {page} = await openSite('', TELEPHONE);
  await eventually(
    () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    (over) => over === 0,
    'nothing is wider than the page',
  );
  await page.getByRole('button', {name: 'World jelly'}).tap();
  await page.getByRole('button', {name: 'Example worlds…'}).tap();
  const dialog = page.getByRole('dialog', {name: 'Example worlds'});
  await eventually(
    () => dialog.boundingBox(),
    (box) => box !== null && box.x >= 0 && box.x + box.width <= size.width && box.y >= 0 && box.y + box.height <= size.height + 1,
    'it is on the page',
  );
  await areThere(page);
  await eventually(
    () => page.locator('.sample > .muted').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length),
    (wide) => wide === 0,
    'every word is on the page',
  );
  await dialog.getByRole('button', {name: 'Close'}).tap();
  await page.getByRole('button', {name: 'Pause'}).tap();
  await until(page, () => window.weft.document.run.value.state === 'paused');
});
