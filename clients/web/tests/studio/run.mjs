// The studio in a real Chromium, against a real weftd. One script, for ctest and by hand:
//
//     WEFTD=build/release/bin/weftd WEFT_STUDIO_DIR=build/release/studio node tests/studio/run.mjs [FILE.mjs] [NAME…]
//
// FILE is one of pages/; a NAME runs the tests whose names contain it. SHOTS=DIR leaves a picture of each page at the end
// of each test. site.mjs wants WEFT=build/release/bin/weft and WEFT_SITE_DIR=build/release/site as well, cluster.mjs WEFT, and
// WEFT_NATS_SERVER: without one it is skipped (77).
import assert from 'node:assert/strict';
import {mkdirSync, readdirSync} from 'node:fs';

import {browser, complaints, pages, server, skipped, tests, WAIT_MS} from './rig.mjs';

const {SHOTS} = process.env;
// More than the longest wait within a test.
const TEST_MS = 4 * WAIT_MS;
const words = process.argv.slice(2);
const asked = words.filter((word) => word.endsWith('.mjs'));
const files = asked.length > 0 ? asked : readdirSync(new URL('pages/', import.meta.url)).sort();
for (const file of files) await import(`./pages/${file}`);

const wanted = words.filter((word) => !word.endsWith('.mjs'));
const from = Date.now();
let failed = 0;
let passed = 0;
// What failed may be run once more, one test of a run. A machine that stops for seconds breaks what no person would meet;
// what is broken in the studio breaks twice. It is told.
let again = null;
for (const one of tests.filter(
  ({name}) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
)) {
  let ok = await passes(one);
  if (!ok && again === null) {
    again = one.name;
    ok = await passes(one);
  }
  if (ok) passed += 1;
  else failed += 1;
}
await browser.close();
await server.stop();
if (again !== null) console.log(`tried twice: ${again}`);
console.log(`${passed} passed, ${failed} failed (${seconds(from)})`);
for (const why of skipped) console.log(`skipped: ${why}`);
// A test that failed leaves its sockets open; nobody waits for them.
if (tests.length === 0 && skipped.length > 0) process.exit(77);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

// With all that there is to tell where it does not.
async function passes({name, run}) {
  const error = await tryIt(name, run);
  if (error) {
    console.log(error.stack);
    if (complaints.length > 0) console.log(complaints.join('\n'));
    await tellPages();
  }
  if (SHOTS) await takeShots(name);
  for (const page of pages) {
    await page
      .context()
      .close()
      .catch(() => undefined);
  }
  pages.length = complaints.length = 0;
  return error === null;
}

async function tryIt(name, run) {
  const begun = Date.now();
  let error = null;
  try {
    await Promise.race([run(), tooLong()]);
    assert.deepEqual(complaints, [], 'the browser complained');
  } catch (thrown) {
    error = thrown;
  }
  console.log(`${error ? 'FAIL' : 'ok  '} ${name} (${seconds(begun)})`);
  return error;
}

// What a page is asked to work out has no limit of its own; a test that hangs must still tell what its page shows.
async function tooLong() {
  await new Promise((resolve) => setTimeout(resolve, TEST_MS).unref());
  throw new Error(`not done after ${TEST_MS / 1000} s`);
}

function seconds(begun) {
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}

// What a person would have read on each page.
async function tellPages() {
  for (const [i, page] of pages.entries()) {
    const text = await page.evaluate(() => document.body.innerText).catch(String);
    console.log(`page ${i + 1}: ${text.replace(/\s+/g, ' ').slice(0, 3000)}`);
  }
}

async function takeShots(name) {
  mkdirSync(SHOTS, {recursive: true});
  const file = name.replace(/[^a-z]+/gi, '-').slice(0, 40);
  for (const [i, page] of pages.entries())
    await page.screenshot({path: `${SHOTS}/${file}-${i + 1}.png`}).catch(() => undefined);
}
