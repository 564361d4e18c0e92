// The studio as a static page with worlds of its own: for any server of files, below any path. WEFT_WORLD_WASM names the module
// that they run in, WEFT_WASM_FILES the one that reads files.
import {readFileSync} from 'node:fs';
import {defineConfig, type Plugin} from 'vite';
import {licenses} from './licenses.js';
import {scenes} from './scenes.js';

const here = (path: string) => new URL(path, import.meta.url);

function modules(): Plugin {
  return {
    name: 'weft-modules',
    generateBundle() {
      for (const [fileName, variable] of [['weft-world.wasm', 'WEFT_WORLD_WASM'], ['weft-files.wasm', 'WEFT_WASM_FILES']] as const) {
        const module = process.env[variable];
        if (module === undefined) {
          throw new Error(`${variable} is not set`);
        }
        this.emitFile({type: 'asset', fileName, source: readFileSync(module)});
      }
      this.emitFile({type: 'asset', fileName: 'weft-world.licenses.txt', source: readFileSync(here('wasm/licenses.txt'))});
    },
  };
}

export default defineConfig({
  root: 'site',
  publicDir: '../public',
  plugins: [licenses(), scenes(), modules()],
  base: './',
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact'},
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // The Content-Security-Policy lets fonts and styles come from beside the page alone, so nothing is inlined.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
  worker: {format: 'es'},
});
