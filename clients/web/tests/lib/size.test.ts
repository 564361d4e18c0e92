// A page of a server loads this before the first motion: its script and styles, and the module that reads compressed
// positions. The module that simulates comes beside them, and has a test of its own (machine.test.ts).
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect, it} from 'vitest';

const STUDIO = process.env['WEFT_STUDIO_DIR'] ?? '';
const FIRST_MOTION_BYTES_MAX = 450_000;

it.skipIf(!existsSync(join(STUDIO, 'index.html')))('what comes before the first motion is small', () => {
  const html = readFileSync(join(STUDIO, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThanOrEqual(2);
  const script = named.find((path) => path.endsWith('.js'))!;
  // Imports that the script needs at once are part of it.
  const text = readFileSync(join(STUDIO, script), 'utf8');
  const beside = readdirSync(join(STUDIO, 'assets')).filter((file) =>
    new RegExp(`(?:^|[;}])import[^;()]*["']\\./${file.replace(/[.]/g, '\\.')}["']`).test(text),
  );
  const files = [...named, ...beside.map((file) => `assets/${file}`), 'weft-codec.wasm'];
  const zipped = files.map((file) => gzipSync(readFileSync(join(STUDIO, file)), {level: 9}).length);
  const sum = zipped.reduce((all, one) => all + one, 0);
  expect(sum, files.map((file, i) => `${file} ${zipped[i]}`).join(', ')).toBeLessThan(FIRST_MOTION_BYTES_MAX);
  // Fine materials come later.
  expect(files.some((file) => file.includes('fine'))).toBe(false);
});
