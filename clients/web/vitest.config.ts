import {defineConfig} from 'vitest/config';

export default defineConfig({
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact'},
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    environment: 'node',
    // Much of it waits for servers and programs: two files at a time, whatever the machine has.
    pool: 'threads',
    poolOptions: {threads: {minThreads: 2, maxThreads: 2}},
    // They end what hangs.
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
