// Colours as the screen shows them, and the resolution that follows the machine.
import {Color} from 'three';
import {describe, expect, it} from 'vitest';
import {Quality} from '../../src/studio/view/quality.js';
import {displayed} from '../../src/studio/view/tone.js';

describe('a colour on the screen', () => {
  const shown = (r: number, g: number, b: number) => displayed(new Color(r, g, b)).toArray();

  it('is darkened a little, as neutral tone mapping has it, and then sRGB', () => {
    // (0.5 − 0.04) by the sRGB curve.
    shown(0.5, 0.5, 0.5).forEach((x) => expect(x).toBeCloseTo(1.055 * 0.46 ** (1 / 2.4) - 0.055, 4));
    shown(0, 0, 0).forEach((x) => expect(x).toBeCloseTo(0, 9));
    // Below 0.08 the offset is x − 6.25 x², so that 0.04 becomes 0.01.
    const [dark] = new Color(0.01, 0.01, 0.01).convertLinearToSRGB().toArray();
    shown(0.04, 0.04, 0.04).forEach((x) => expect(x).toBeCloseTo(dark, 6));
  });

  it('never leaves the screen, however bright, and stays in order', () => {
    let before = -1;
    for (let light = 0; light < 20; light += 0.01) {
      const [r, g, b] = shown(light, 0.6 * light, 0.3 * light);
      expect(r).toBeLessThanOrEqual(1);
      expect(r).toBeGreaterThanOrEqual(before);
      expect(g).toBeLessThanOrEqual(r);
      expect(b).toBeLessThanOrEqual(g);
      before = r;
    }
  });
});

describe('the resolution', () => {
  // Draws so long at a machine whose frames take `full` ms at full resolution, of which `fixed` are not the pixels'.
  function run(
    quality: Quality,
    seconds: number,
    full: number,
    fixed: number,
    work: number,
    from = 0,
  ): number {
    let now = from;
    while (now < from + 1000 * seconds) {
      const gap = Math.max(1000 / 60, fixed + (full - fixed) * quality.scale ** 2);
      now += gap;
      quality.frame(now, gap, work);
    }
    return now;
  }

  it('is full where the machine draws fluently', () => {
    const quality = new Quality(1, 0);
    run(quality, 10, 12, 4, 2);
    expect(quality.scale).toBe(1);
  });

  it('falls within two seconds where it does not, and no lower than half', () => {
    const quality = new Quality(1, 0);
    run(quality, 2, 60, 5, 2);
    expect(quality.scale).toBeLessThan(0.8);
    run(quality, 20, 400, 5, 2);
    expect(quality.scale).toBe(0.5);
  });

  it('stays where the rest of the page is what is slow', () => {
    const quality = new Quality(1, 0);
    run(quality, 10, 60, 50, 45);
    expect(quality.scale).toBe(1);
  });

  it('rises again when there is less to draw, and tries more rarely what did not work', () => {
    const quality = new Quality(1, 0);
    let now = run(quality, 3, 70, 5, 2);
    const low = quality.scale;
    now = run(quality, 30, 10, 5, 2, now);
    expect(quality.scale).toBe(1);
    let changes = 0;
    for (let i = 0; i < 60; i++) {
      const before = quality.scale;
      now = run(quality, 1, 34, 5, 2, now);
      changes += quality.scale === before ? 0 : 1;
    }
    expect(low).toBeLessThan(1);
    expect(changes).toBeLessThan(16);
  });
});
