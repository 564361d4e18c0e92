// The studio in a real Chromium, against a real weftd. One script, for ctest and by hand:
//
//     WEFTD=build/release/bin/weftd WEFT_STUDIO_DIR=build/release/studio node tests/studio/run.mjs [FILE.mjs] [NAME…]
//
// FILE is one of pages/; a NAME runs the tests whose names contain it. SHOTS=DIR leaves a picture of each page at the end
// of each test. site.mjs wants WEFT=build/release/bin/weft and WEFT_SITE_DIR=build/release/site as well.
import assert from 'node:assert/strict';
import {mkdirSync, readdirSync} from 'node:fs';

import {browser, complaints, pages, server, tests, WAIT_MS} from './rig.mjs';

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
for (const {name, run} of tests.filter(
  ({name: one}) => wanted.length === 0 || wanted.some((part) => one.includes(part)),
)) {
  const error = await tryIt(name, run);
  if (error) {
    console.log(error.stack);
    if (complaints.length > 0) console.log(complaints.join('\n'));
    await tellPages();
    failed += 1;
  } else {
    passed += 1;
  }
  if (SHOTS) await takeShots(name);
  for (const page of pages) {
    await page
      .context()
      .close()
      .catch(() => undefined);
  }
  pages.length = complaints.length = 0;
}
await browser.close();
await server.stop();
console.log(`${passed} passed, ${failed} failed (${seconds(from)})`);
// A test that failed leaves its sockets open; nobody waits for them.
process.exit(failed === 0 && passed > 0 ? 0 : 1);

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
