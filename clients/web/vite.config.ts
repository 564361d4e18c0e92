// The studio: index.html and what it needs, for the server to serve. `vite` alone serves it while it is being
// worked on, and passes /ws on to a weftd.
import {defineConfig} from 'vite';
import {licenses} from './licenses.js';
import {scenes} from './scenes.js';

const server = process.env['WEFT_HTTP'] ?? '127.0.0.1:9339';

export default defineConfig({
  plugins: [licenses(), scenes()],
  // So that it also works below another path, behind a proxy.
  base: './',
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact'},
  build: {
    target: 'es2022',
    outDir: 'dist/studio',
    emptyOutDir: true,
    // The Content-Security-Policy lets fonts and styles come from the server alone, so nothing is inlined.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
  // Workers fetch what they need when they need it, as the page does.
  worker: {format: 'es'},
  server: {
    host: '127.0.0.1',
    proxy: {'/ws': {target: `ws://${server}`, ws: true}},
  },
});
