// Exports from the page: a video that decodes, a picture, and the past played. Files of a range are in journeys.mjs.
import assert from 'node:assert/strict';

import {barriersInBoth, prepared} from '../axe.mjs';
import {chosen, exported, opened} from '../exports.mjs';
import {Peer} from '../peer.mjs';
import {eventually, fill, makeWorld, open, server, test, until} from '../rig.mjs';

const TICKS = 60;

async function stepped() {
  const peer = await Peer.connect(server.url, 'Ann');
  const {name} = await makeWorld(peer, {side: 8, play: false});
  await peer.call('world.step', {world: name, ticks: TICKS});
  return {name, peer};
}

test('a video of ten frames decodes, and shows other frames as time goes on', async () => {
  const {name, peer} = await stepped();
  const page = await open(name);
  const dialog = await opened(page);
  await chosen(dialog, 'webm', {first: 0, last: 54, every: 6});
  await fill(dialog.getByRole('textbox', {name: 'Width'}), '320');
  await fill(dialog.getByRole('textbox', {name: 'Height'}), '180');
  const {bytes} = await exported(page, dialog);
  // The policy of the studio's page lets no videos in.
  const blank = await page.context().newPage();
  const seen = await blank.evaluate(async (base64) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = `data:video/webm;base64,${base64}`;
    await new Promise((done, failed) => {
      video.onloadeddata = done;
      video.onerror = () => failed(new Error(video.error?.message));
    });
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    const context = canvas.getContext('2d');
    const frames = [];
    for (let i = 0; i < 10; i++) {
      const there = new Promise((done) => (video.onseeked = done));
      video.currentTime = (i + 0.5) / 10;
      await there;
      context.drawImage(video, 0, 0);
      frames.push(context.getImageData(0, 0, canvas.width, canvas.height).data);
    }
    const change = (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
    return {
      size: [video.videoWidth, video.videoHeight],
      seconds: video.duration,
      changes: frames.slice(1).map((frame, i) => change(frames[i], frame)),
    };
  }, bytes.toString('base64'));
  assert.deepEqual(seen.size, [320, 180]);
  assert.equal(seen.seconds, 1);
  assert.ok(seen.changes.every((change) => change > 0), `each frame is another: ${seen.changes}`);
  await until(page, () => window.weft.past.at.value === null && !window.weft.past.shown.value);
  peer.close();
});

test('a picture has the size that was asked for, and is transparent around the cloth', async () => {
  const {name, peer} = await stepped();
  const page = await open(name);
  const dialog = await opened(page);
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'export'), []);
  if (process.env.SHOTS) await page.screenshot({path: `${process.env.SHOTS}/export.png`});
  // If a range is not there, the dialog says what is.
  await chosen(dialog, 'glb', {first: 10, last: 61, every: 5});
  await dialog.getByText('which is what is kept').waitFor();
  assert.ok(await dialog.getByRole('button', {name: 'Export', exact: true}).isDisabled());
  await fill(dialog.getByRole('textbox', {name: 'Last tick'}), '40');
  await dialog.getByText(/^7 frames, 0.583 s, about/).waitFor();
  await dialog.getByRole('combobox', {name: 'File'}).selectOption('png');
  await fill(dialog.getByRole('textbox', {name: 'Width'}), '300');
  await fill(dialog.getByRole('textbox', {name: 'Height'}), '200');
  await dialog.getByRole('switch', {name: 'Transparent'}).click();
  const {bytes} = await exported(page, dialog);
  const {size, shares} = await page.evaluate(async (base64) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const {data} = context.getImageData(0, 0, picture.width, picture.height);
    let [clear, solid] = [0, 0];
    for (let i = 3; i < data.length; i += 4) {
      clear += data[i] === 0 ? 1 : 0;
      solid += data[i] === 255 ? 1 : 0;
    }
    return {size: [picture.width, picture.height], shares: [clear, solid].map((count) => (4 * count) / data.length)};
  }, bytes.toString('base64'));
  assert.deepEqual(size, [300, 200]);
  assert.ok(shares[0] > 0.3 && shares[1] > 0.03, `most is clear or solid: ${shares}`);
  peer.close();
});

test('an export that is cancelled leaves no file, and says nothing more', async () => {
  const {name, peer} = await stepped();
  const page = await open(name);
  const dialog = await opened(page);
  await dialog.getByRole('radio', {name: 'From now on'}).click();
  // The world is paused, so this waits until it is cancelled.
  await dialog.getByText('recording begins when it plays').waitFor();
  await dialog.getByRole('button', {name: 'Export', exact: true}).click();
  await page.getByText(`${name}.glb: exporting`).waitFor();
  await page.getByRole('button', {name: 'Cancel'}).click();
  await until(page, () => document.querySelector('.reading') === null);
  assert.equal(await page.getByText('is saved').count(), 0);
  peer.close();
});

test('the past plays forwards and backwards, at the speed that was chosen, and within a range', async () => {
  const {name, peer} = await stepped();
  const page = await open(name);
  const at = () => page.evaluate(() => window.weft.past.at.value);
  await page.keyboard.press('j');
  await page.getByRole('button', {name: 'Play the past'}).click();
  await eventually(at, (tick) => tick !== null && tick > 5, 'it plays from the first tick');
  await page.keyboard.press('Space');
  await page.getByRole('button', {name: 'Play the past'}).waitFor();
  await until(page, () => !window.weft.past.busy.value);
  await page.evaluate(() => window.weft.past.seek(20));
  await page.keyboard.press('Shift+B');
  await page.evaluate(() => window.weft.past.seek(30));
  await page.keyboard.press('Shift+R');
  await page.getByRole('combobox', {name: 'Speed of the past'}).selectOption('8');
  const seen = page.evaluate(
    () =>
      new Promise((done) => {
        const ticks = [];
        const off = window.weft.past.at.subscribe((tick) => {
          ticks.push(tick);
          // Went on from the end at the beginning, twice.
          if (ticks.filter((one, i) => i > 0 && one < ticks[i - 1]).length === 2) {
            queueMicrotask(() => off());
            done(ticks);
          }
        });
      }),
  );
  await page.keyboard.press('Shift+J');
  await page.getByRole('button', {name: 'Backwards', pressed: true}).waitFor();
  await page.getByRole('button', {name: 'Pause the past'}).waitFor();
  await page.getByRole('button', {name: 'Backwards'}).click();
  const ticks = await seen;
  assert.ok(ticks.every((tick) => tick >= 20 && tick <= 30), `it stays within the range: ${ticks}`);
  await prepared(page);
  assert.deepEqual(await barriersInBoth(page, 'timeline'), []);
  if (process.env.SHOTS) await page.screenshot({path: `${process.env.SHOTS}/replay.png`});
  await page.keyboard.press('Escape');
  await until(page, () => window.weft.past.at.value === null && !window.weft.replay.playing.value);
  assert.equal((await peer.call('world.get', {world: name})).tick, TICKS, 'the world itself stood still');
  peer.close();
});

