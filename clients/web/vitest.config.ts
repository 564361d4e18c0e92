import {defineConfig} from 'vitest/config';

export default defineConfig({
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact'},
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 30_000,
  },
});
