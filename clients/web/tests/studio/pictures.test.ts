// The pictures that come with the page and the documentation: each scene has its own, and all of them are small.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {expect, it} from 'vitest';

const MOVING_BYTES_MAX = 40_000;
const STILL_BYTES_MAX = 8_000;
const GALLERY_BYTES_MAX = 600_000;
const DOCS_BYTES_MAX = 200_000;

const folder = (path: string) => new URL(`../../${path}`, import.meta.url);
const size = (path: string) => statSync(folder(path), {throwIfNoEntry: false})?.size ?? 0;

it('each scene of the gallery has a moving picture and a still one, which are small', () => {
  const scenes = readdirSync(folder('../scenes/'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -5));
  const wrong = scenes.flatMap((name) =>
    (
      [
        [`${name}.avif`, MOVING_BYTES_MAX],
        [`${name}.still.avif`, STILL_BYTES_MAX],
      ] as const
    ).filter(([file, most]) => size(`gallery/${file}`) === 0 || size(`gallery/${file}`) > most),
  );
  expect(wrong, 'missing, empty or too large; gallery/record.mjs makes them').toEqual([]);
  const pictures = readdirSync(folder('gallery/')).filter((file) => file.endsWith('.avif'));
  expect(pictures.sort()).toEqual(scenes.flatMap((name) => [`${name}.avif`, `${name}.still.avif`]).sort());
  expect(pictures.reduce((sum, file) => sum + size(`gallery/${file}`), 0)).toBeLessThan(GALLERY_BYTES_MAX);
});

it('the pictures of the guide of the studio are there, and small', () => {
  const page = readFileSync(folder('../../docs/guides/studio.md'), 'utf8');
  const named = [...page.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => `../../docs/guides/${path}`);
  expect(named.length).toBeGreaterThan(4);
  const wrong = named.filter((path) => size(path) === 0 || size(path) > DOCS_BYTES_MAX);
  expect(wrong, 'missing or too large; gallery/record.mjs makes them').toEqual([]);
});
