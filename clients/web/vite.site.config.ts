// The studio as a static page with worlds of its own: for any server of files, below any path. WEFT_WORLD_WASM names the module
// that they run in, WEFT_WASM_FILES the one that reads files.
import {readdirSync, readFileSync} from 'node:fs';
import {defineConfig, type Plugin} from 'vite';
import {licenses} from './licenses.js';

const here = (path: string) => new URL(path, import.meta.url);

// The gallery as it is, and a list of it: what a scene refers to are the files that it names.
function scenes(): Plugin {
  return {
    name: 'weft-scenes',
    generateBundle() {
      const folder = here('../scenes/');
      const emit = (name: string, source: string | Uint8Array) =>
        this.emitFile({type: 'asset', fileName: `scenes/${name}`, source});
      const files = readdirSync(folder).sort();
      const beside = files.filter((name) => /\.(obj|npy)$/.test(name));
      const listed = files
        .filter((name) => name.endsWith('.json'))
        .map((name) => {
          const text = readFileSync(new URL(name, folder), 'utf8');
          emit(name, text);
          return {
            name: name.replace(/\.json$/, ''),
            about: String((JSON.parse(text) as {about?: string}).about ?? ''),
            files: [name, ...beside.filter((other) => text.includes(`"${other}"`))],
          };
        });
      beside.forEach((name) => emit(name, readFileSync(new URL(name, folder))));
      emit('index.json', JSON.stringify(listed));
    },
  };
}

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
