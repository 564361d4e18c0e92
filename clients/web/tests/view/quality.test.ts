// The picture gives up parts on a slow machine, and takes them back.
import {expect, it} from 'vitest';
import {Quality} from '../../src/studio/view/quality.js';

// Frames of `gap` ms for so long; the times at which something changed, with what there was then.
function run(quality: Quality, from: number, gap: number, forMs: number) {
  const changes: {at: number; light: number; scale: number; coarse: boolean}[] = [];
  for (let at = from; at < from + forMs; at += gap) {
    if (quality.frame(at, gap, 1)) {
      changes.push({at, light: quality.light, scale: quality.scale, coarse: quality.coarse});
    }
  }
  return changes;
}

it('gives up the light in folds, then fine materials, then resolution, and then triangles', () => {
  const quality = new Quality();
  const changes = run(quality, 0, 40, 20_000);
  expect(changes.map(({light}) => light).slice(0, 3)).toEqual([1, 0, 0]);
  const [occluded, plain, ...rest] = changes;
  expect([occluded!.scale, plain!.scale]).toEqual([1, 1]);
  expect(rest[0]!.scale).toBeLessThan(1);
  expect(rest.at(-1)).toMatchObject({light: 0, scale: 0.5, coarse: true});
});

it('takes them back in the other order, and later if they were too much before', () => {
  const quality = new Quality();
  run(quality, 0, 40, 1500);
  expect(quality.light).toBe(0);
  const back = run(quality, 2000, 16, 12_000);
  expect(back.map(({light}) => light)).toEqual([1, 2]);
  expect(back[0]!.at - 2000).toBeGreaterThan(3000);
  // It was too much.
  run(quality, 14_000, 40, 800);
  expect(quality.light).toBe(1);
  const [again] = run(quality, 15_000, 16, 20_000);
  expect(again!.at - 15_000).toBeGreaterThan(2 * (back[0]!.at - 2000) - 2000);
});

it('gives up all fine materials at once where frames take far too long', () => {
  const [first] = run(new Quality(), 0, 80, 2000);
  expect(first).toMatchObject({light: 0, scale: 1});
});

it('keeps what the main thread is slow at, and never draws more than it may', () => {
  const busy = new Quality();
  for (let at = 0; at < 5000; at += 60) {
    busy.frame(at, 60, 50);
  }
  expect([busy.light, busy.scale]).toEqual([2, 1]);
  const soft = new Quality(0.75, 0);
  run(soft, 0, 10, 400_000);
  expect([soft.light, soft.scale]).toEqual([0, 1]);
});
