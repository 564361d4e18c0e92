// The picture itself: that it is never blank, and how it is lit.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {keepPicture, makeWorld, open, pictureChange, server, SIZE, test, until} from '../rig.mjs';

// A canvas is blank from the moment that it gets a size until it is drawn. What a task leaves blank may be seen.
function watchBlanks() {
  window.blanks = {sized: 0, left: 0};
  const drawn = new Set();
  const {set, get} = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
  Object.defineProperty(HTMLCanvasElement.prototype, 'width', {
    get,
    set(width) {
      set.call(this, width);
      if (!this.closest('.stage')) return;
      window.blanks.sized += 1;
      drawn.delete(this);
      queueMicrotask(() => {
        if (!drawn.has(this)) window.blanks.left += 1;
      });
    },
  });
  const {drawElements} = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.drawElements = function (...all) {
    drawn.add(this.canvas);
    return drawElements.apply(this, all);
  };
}

test('a canvas that gets another size is drawn before anybody sees it', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.evaluate(watchBlanks);
  for (const width of [SIZE.width - 200, SIZE.width]) {
    const before = await page.evaluate(() => window.blanks.sized);
    await page.setViewportSize({...SIZE, width});
    await until(page, (count) => window.blanks.sized > count, before);
  }
  assert.equal(await page.evaluate(() => window.blanks.left), 0);
  peer.close();
});

// Small, for the processor draws them at their best.
const SMALL = {context: {viewport: {width: 480, height: 320}}};

test('fine materials come when they are wanted, and leave colours that mean something as they are', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name, SMALL);
  const light = (value) => page.evaluate((one) => void (window.weft.viewState.light.value = one), value);
  const fineLoaded = () => page.evaluate(() => performance.getEntriesByType('resource').some(({name}) => /fine/.test(name)));
  // A processor draws here, which has the plain ones by itself.
  await keepPicture(page);
  assert.equal(await fineLoaded(), false);
  await light('best');
  await until(page, () => performance.getEntriesByType('resource').some(({name}) => /fine/.test(name)));
  await page.waitForFunction(() => window.weft.view.lightLevel === 2);
  const fine = await pictureChange(page);
  assert.ok(fine > 0.02, `fine light changes ${fine} of the picture`);
  // Strain has the same colours in both lights.
  await page.evaluate(() => {
    const {overlays} = window.weft.viewState;
    overlays.constraints.value = 'strain';
    overlays.strained.value = true;
    // The ground's light is another one.
    window.weft.document.colliders.value.forEach((_, id) => {
      const {own} = window.weft.viewState;
      own.value = new Map(own.value).set(`collider:${id}`, {hidden: true});
    });
  });
  await until(page, () => window.weft.document.constraints.table('distance').value !== null);
  await keepPicture(page);
  await light('plain');
  assert.equal(await pictureChange(page), 0);
  peer.close();
});

test('a picture may be saved without what is behind it', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name, SMALL);
  const corners = () =>
    page.evaluate(async () => {
      const bitmap = await createImageBitmap(await window.weft.view.capture());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
      let most = 0;
      for (let i = 3; i < data.length; i += 4) most = Math.max(most, data[i]);
      return {corner: data[3], most};
    });
  assert.deepEqual(await corners(), {corner: 255, most: 255});
  await page.getByRole('button', {name: 'View options'}).click();
  await page.getByLabel('Background').selectOption('none');
  assert.deepEqual(await corners(), {corner: 0, most: 255});
  peer.close();
});

test('the turntable goes round until the picture is touched', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  await page.getByRole('button', {name: 'View options'}).click();
  await page.getByRole('switch', {name: 'Turntable'}).click();
  const from = await page.evaluate(() => window.weft.viewState.camera.value);
  await until(page, ({position}) => Math.abs(window.weft.viewState.camera.value.position[0] - position[0]) > 0.05, from);
  const to = await page.evaluate(() => window.weft.viewState.camera.value);
  assert.deepEqual(to.target, from.target);
  assert.ok(Math.abs(to.position[1] - from.position[1]) < 1e-6);
  await page.keyboard.press('Escape');
  await page.mouse.click(SIZE.width / 2, SIZE.height / 2);
  assert.equal(await page.evaluate(() => window.weft.viewState.turntable.value), false);
  peer.close();
});
