// The library as ES modules with nothing to install beside them, in the shape of a package: tsconfig.lib.json adds the types.
// WORKER=1 makes twin-worker.js beside it, which stands alone: a worker fetches one file.
import {readFileSync} from 'node:fs';
import {defineConfig, type Plugin} from 'vite';
import {licenses} from './licenses.js';

// What is packed as it is.
function packageFiles(): Plugin {
  const files = {
    'package.json': 'package/package.json',
    'README.md': 'package/README.md',
    LICENSE: '../../LICENSE',
  };
  return {
    name: 'weft-package-files',
    generateBundle() {
      for (const [fileName, path] of Object.entries(files)) {
        this.emitFile({type: 'asset', fileName, source: readFileSync(new URL(path, import.meta.url))});
      }
    },
  };
}

const worker = process.env['WORKER'] === '1';

export default defineConfig({
  plugins: worker ? [] : [packageFiles(), licenses()],
  build: {
    target: 'es2022',
    outDir: 'dist/weft-sim',
    emptyOutDir: !worker,
    minify: false,
    lib: worker
      ? {entry: 'src/lib/twin/worker.ts', formats: ['es'], fileName: () => 'twin-worker.js'}
      : {entry: 'src/lib/index.ts', formats: ['es'], fileName: () => 'weft-sim.js'},
  },
});
