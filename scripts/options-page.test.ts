import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTIONS } from '../src/application/options/options.ts';
import { optionsPage } from './options-page.ts';

test('docs/options.md is up to date; npm run schemas writes it', () => {
  expect(readFileSync(new URL('../docs/options.md', import.meta.url), 'utf8')).toBe(optionsPage());
});

test('has a line with flag, environment, key, default, verbs and meaning of every option', () => {
  const lines = optionsPage().split('\n');
  expect(lines).toContain(
    '| `--retries <n>` | `ASSAY_RETRIES` | `retries` | 2 | test, run, grade | further tries for what could not be measured |',
  );
  for (const { flag, hidden, setting } of OPTIONS) {
    const name = flag ?? setting?.key ?? '';
    expect({ name, isListed: lines.some((line) => line.includes(`\`${name}\``)) }).toEqual({
      name,
      isListed: hidden !== true,
    });
  }
});
