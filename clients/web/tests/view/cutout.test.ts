// Pictures without what is behind them, and what fabrics look like by their material.
import {expect, it} from 'vitest';
import {FABRICS} from '../../src/studio/ui/forms/fabrics.generated.js';
import {SHEETS} from '../../src/studio/ui/forms/materials.js';
import {cutOut} from '../../src/studio/view/cutout.js';
import {densityOf, weaveOf} from '../../src/studio/view/woven.js';

const blend = (color: readonly number[], share: number, behind: number) =>
  color.map((part) => Math.round(part * share + behind * (1 - share)));

it('finds colour and share of each pixel again', () => {
  const pixels = [
    {color: [200, 40, 10], share: 1},
    {color: [20, 140, 90], share: 0.5},
    {color: [0, 0, 0], share: 0},
  ];
  const before = (behind: number) =>
    Uint8ClampedArray.from(pixels.flatMap(({color, share}) => [...blend(color, share, behind), 255]));
  const out = cutOut(before(0), before(255));
  pixels.forEach(({color, share}, i) => {
    expect(Math.abs(out[4 * i + 3]! / 255 - share)).toBeLessThan(0.01);
    color.forEach((part, k) => expect(Math.abs(out[4 * i + k]! - part)).toBeLessThan(4));
  });
});

it('a fabric is woven as its material is', () => {
  const weave = (name: string) => {
    const {density, stretch} = FABRICS[name] as {density: number; stretch: never};
    return weaveOf({stretch}, density);
  };
  expect(weave('denim-stretch')).toBe('twill');
  expect(weave('trousers')).toBe('twill');
  expect(weave('tablecloth')).toBe('plain');
  expect(weave('blanket')).toBe('knit');
  const sheet = (name: string) => weaveOf({stretch: {model: 'isotropic'} as never}, SHEETS[name]!.density);
  expect(['cotton', 'silk', 'denim', 'rubber'].map(sheet)).toEqual(['plain', 'smooth', 'twill', 'smooth']);
});

it('the density of a cloth is its mass by its area at rest', () => {
  const rest = Float64Array.from([0, 0, 0, 2, 0, 0, 0, 0, 3]);
  const triangles = Uint32Array.from([0, 1, 2]);
  expect(densityOf({rest, triangles, masses: Float64Array.from([0.1, 0.2, 0.3])})).toBeCloseTo(0.2, 12);
});
