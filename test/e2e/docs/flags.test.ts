// The documentation lists every flag.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assay } from '../support/assay.ts';

test('docs/running.md has the flags that --help has', async () => {
  const { stdout } = await assay(['test', '--help']);
  const flagsIn = (text: string) => [...new Set(text.match(/--[a-z][a-z-]+/g))].sort();
  const table = readFileSync('docs/running.md', 'utf8').split('### Input')[0] ?? '';
  const documented = flagsIn(table.replaceAll('`assay --version`', ''));
  expect(documented).toEqual(flagsIn(stdout).filter((flag) => flag !== '--help'));
});
