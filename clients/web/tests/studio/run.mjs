// The studio in a real Chromium, against a real weftd. One script, for ctest and by hand:
//
//     WEFTD=build/release/bin/weftd WEFT_STUDIO_DIR=build/release/studio node tests/studio/run.mjs [FILE…] [NAME…]
//
// FILE is one of pages/, with or without its ending; a NAME runs the tests whose names contain it. LANES=1 runs one test at a
// time, SHOTS=DIR leaves a picture of each page at the end of each test. The site is looked at where WEFT=build/release/bin/weft
// and WEFT_SITE_DIR=build/release/site are there as well, clusters with WEFT and WEFT_NATS_SERVER. 77: nothing could be run.
//
// A test that fails beside others runs once more, alone. If it fails again, it is told as failed. If it passes, it is told as
// unsteady, and the run passes: a busy machine must not fail the check.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readdirSync} from 'node:fs';

import {browser, closeLane, complaintsOf, inLane, makeLane, nameFile, skipped, tests, tidy, WAIT_MS} from './rig.mjs';

const {SHOTS} = process.env;
// More than the longest wait within a test.
const TEST_MS = 4 * WAIT_MS;
const LANES = Number(process.env.LANES ?? 2);
const words = process.argv.slice(2).map((word) => word.replace(/\.mjs$/, ''));
const isFile = (word) => existsSync(new URL(`pages/${word}.mjs`, import.meta.url));
const asked = words.filter(isFile);
const wanted = words.filter((word) => !isFile(word));
const all = readdirSync(new URL('pages/', import.meta.url))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .sort();
for (const file of asked.length > 0 ? asked : all) {
  nameFile(file);
  await import(`./pages/${file}.mjs`);
}

const from = Date.now();
let passed = 0;
const left = tests.filter(({name}) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const some = left.length > 0;
const failedBeside = await runAll(LANES);
left.push(...failedBeside);
const failed = await runAll(1);
if (some) await (await browser()).close();
const nameOf = ({file, name}) => `${file}: ${name}`;
for (const why of skipped) console.log(`skipped: ${why}`);
for (const one of failedBeside.filter((one) => !failed.includes(one))) console.log(`unsteady: ${nameOf(one)}`);
for (const one of failed) console.log(`failed: ${nameOf(one)}`);
console.log(`${passed} passed, ${failed.length} failed (${seconds(from)})`);
// A test that failed leaves its sockets open; nobody waits for them.
if (tests.length === 0 && skipped.length > 0) process.exit(77);
process.exit(failed.length === 0 && passed > 0 ? 0 : 1);

// Runs what is left in so many lanes; the answer is those tests that failed.
async function runAll(lanes) {
  const failed = [];
  await Promise.all(Array.from({length: Math.min(lanes, left.length)}, () => goOn(failed)));
  return failed;
}

// Runs tests one after the other until none is left.
async function goOn(failed) {
  let lane = await makeLane();
  for (let one = left.shift(); one; one = left.shift()) {
    const ok = await inLane(lane, () => passes(lane, one));
    if (ok) passed += 1;
    else failed.push(one);
    // What a failed test left behind is no other test's.
    if (ok) continue;
    await closeLane(lane).catch(() => undefined);
    lane = await makeLane();
  }
  await closeLane(lane);
}

// With all that there is to tell where it does not.
async function passes(lane, {file, name, run}) {
  const begun = Date.now();
  let error = null;
  try {
    await Promise.race([run(), tooLong()]);
    assert.deepEqual(complaintsOf(lane), [], 'the browser complained');
  } catch (thrown) {
    error = thrown;
  }
  console.log(`${error ? 'FAIL' : 'ok  '} ${file}: ${name} (${seconds(begun)})`);
  const pages = lane.pages.map(({page}) => page);
  if (error) {
    console.log(error.stack);
    if (lane.complaints.length > 0) console.log(lane.complaints.join('\n'));
    await tellPages(pages);
  }
  if (SHOTS) await takeShots(`${file}-${name}`, pages);
  await tidy(lane, error === null).catch((thrown) => {
    error ??= thrown;
    console.log(`${name}: what it left could not be tidied up: ${thrown.stack}`);
  });
  return error === null;
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
async function tellPages(pages) {
  for (const [i, page] of pages.entries()) {
    const text = await page.evaluate(() => document.body.innerText).catch(String);
    console.log(`page ${i + 1}: ${text.replace(/\s+/g, ' ').slice(0, 3000)}`);
  }
}

async function takeShots(name, pages) {
  mkdirSync(SHOTS, {recursive: true});
  const file = name.replace(/[^a-z]+/gi, '-').slice(0, 50);
  for (const [i, page] of pages.entries())
    await page.screenshot({path: `${SHOTS}/${file}-${i + 1}.png`}).catch(() => undefined);
}
