// Colours of bodies.
import {Color, SRGBColorSpace} from 'three';
import {describe, expect, it} from 'vitest';
import {bodyColor, calmColor, themeOf} from '../../src/studio/view/theme.js';

describe('a body that sleeps', () => {
  it('has its hue, calmer, in each theme', () => {
    for (const name of ['light', 'dark'] as const) {
      const theme = themeOf(name);
      for (let body = 1; body <= theme.bodies.length; body++) {
        const awake = {h: 0, s: 0, l: 0};
        const calm = {h: 0, s: 0, l: 0};
        const before = bodyColor(theme, body).clone();
        bodyColor(theme, body).getHSL(awake, SRGBColorSpace);
        calmColor(theme, bodyColor(theme, body)).getHSL(calm, SRGBColorSpace);
        expect(calm.h).toBeCloseTo(awake.h, 2);
        expect(calm.s).toBeLessThan(0.6 * awake.s);
        expect(bodyColor(theme, body).equals(before)).toBe(true);
      }
    }
    expect(calmColor(themeOf('dark'), new Color('#000'))).toBeInstanceOf(Color);
  });
});
