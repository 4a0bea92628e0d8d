import { expect, test } from 'vitest';
import { defineConfig } from './define-config.ts';

test('gives the configuration as it is, typed by the table of options', () => {
  const config = { runs: 3, timeout: '30s', parallel: 4, verbose: true, map: ['question=input'] };
  expect(defineConfig(config)).toBe(config);
  // @ts-expect-error There is no such key.
  defineConfig({ rnus: 3 });
  // @ts-expect-error A duration is text.
  defineConfig({ timeout: 30 });
});
