// The library as one ES module with nothing to install beside it, in the shape of a package: tsconfig.lib.json
// adds the types.
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

export default defineConfig({
  plugins: [packageFiles(), licenses()],
  build: {
    target: 'es2022',
    outDir: 'dist/weft-sim',
    emptyOutDir: true,
    minify: false,
    lib: {entry: 'src/lib/index.ts', formats: ['es'], fileName: () => 'weft-sim.js'},
  },
});
