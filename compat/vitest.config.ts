import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['compat/*.test.ts'],
    globalSetup: 'test/e2e/support/build.ts',
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
