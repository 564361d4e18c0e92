// A page of the documentation's site, with a world in it. Skipped where MkDocs and what it needs are not installed.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {serveFolder} from '../folder.mjs';
import {drag, eventually, isMade, joined, newContext, newPage, skip, test as testOf, until} from '../rig.mjs';

const {WEFT_SITE_DIR} = process.env;
const KATEX = process.env.WEFT_KATEX ?? '/usr/share/javascript/katex';
const scripts = fileURLToPath(new URL('../../../../../scripts/docs/', import.meta.url));

// Why there is no site of the documentation to look at; empty if there is.
function lacking() {
  if (!WEFT_SITE_DIR) return 'the static page is not built';
  const {stdout} = spawnSync('mkdocs', ['build', '--help'], {encoding: 'utf8'});
  return stdout?.includes('material') && existsSync(join(KATEX, 'katex.min.js')) ? '' : 'MkDocs is not installed (make docs)';
}

const why = lacking();
if (why) skip(`the documentation: ${why}`);
const test = why ? () => undefined : testOf;

function build() {
  const folder = mkdtempSync(join(tmpdir(), 'weft-docs-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  execFileSync('mkdocs', ['build', '--quiet', '--strict', '--config-file', join(scripts, 'mkdocs.yml'), '--site-dir', join(folder, 'site')], {
    env: {...process.env, WEFT_DOCS_STUDIO: WEFT_SITE_DIR, PYTHONPATH: scripts, PYTHONDONTWRITEBYTECODE: '1'},
  });
  return join(folder, 'site');
}

const tick = (frame) => frame.evaluate(() => window.weft.document.tick.value);

test('a page of the documentation has a world that comes when it is asked for, and answers a pull', async () => {
  const url = await serveFolder(build());
  const page = await newPage(await newContext());
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${url}concepts/numbers.html`);
  assert.ok(!asked.some((one) => one.includes('/studio/')), 'nothing of it is loaded before');
  await page.getByRole('button', {name: 'Run it in this page'}).click();
  const element = await page.waitForSelector('figure.live iframe');
  const frame = await element.contentFrame();
  await isMade(frame);
  await joined(frame);
  const begun = await tick(frame);
  await eventually(() => tick(frame), (now) => now > begun + 3, 'time goes on');
  assert.equal(await frame.getByRole('button', {name: 'New'}).count(), 0, 'it has no panels');

  // The pull moves the particle that is held: its grab is in the world while the button is down.
  await element.scrollIntoViewIfNeeded();
  const place = await eventually(
    () =>
      frame.evaluate(() => {
        const {document, view} = window.weft;
        const [body] = document.bodies.value.keys();
        return view.project(body, 0);
      }),
    Boolean,
    'it is drawn',
  );
  await frame.evaluate(() => {
    window.held = 0;
    window.weft.document.grabs.subscribe((grabs) => (window.held = Math.max(window.held, grabs.size)));
  });
  const box = await element.boundingBox();
  await drag(page, {x: box.x + place.x, y: box.y + place.y}, {x: 40, y: -30});
  await until(frame, () => window.weft.viewState.dragged.value && window.held > 0);

  await page.getByRole('button', {name: 'End it'}).click();
  assert.equal(await page.locator('figure.live iframe').count(), 0);
  const served = new URL(url).host;
  assert.deepEqual(asked.filter((one) => !one.startsWith('blob:') && !one.startsWith('data:') && new URL(one).host !== served), []);
});
