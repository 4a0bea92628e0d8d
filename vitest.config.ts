import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Messages name commands as the program was started; the tests read them as of `assay`, also below npx.
    env: { npm_config_user_agent: '' },
    // Files run in another order every time. Vitest prints the seed; `--sequence.seed` repeats an order.
    sequence: { shuffle: { files: true } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // A process of its own for each of hundreds of small files takes longer than most of them.
          isolate: false,
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'contracts',
          include: ['test/contracts/**/*.test.ts'],
          globalSetup: ['test/servers/postgres.ts', 'test/e2e/support/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/servers/chromium.ts', 'test/e2e/support/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          isolate: false,
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: 'test/e2e/support/build.ts',
        },
      },
    ],
  },
});
