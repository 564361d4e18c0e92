// The picture itself: that it is never blank, and how it is lit.
import assert from 'node:assert/strict';

import {Peer} from '../peer.mjs';
import {makeWorld, open, server, SIZE, test, until} from '../rig.mjs';

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
