// The documentation lists every flag.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assay } from '../support/assay.ts';

test('docs/options.md has the flags that --help has', async () => {
  const { stdout } = await assay(['test', '--help']);
  const flagsIn = (text: string): Set<string> =>
    new Set(text.match(/^[ |`]*(?:-\w, )?--[a-z][a-z-]+/gm)?.map((start) => start.replace(/^.*--/s, '')));
  const documented = flagsIn(readFileSync('docs/options.md', 'utf8'));
  const shown = [...flagsIn(stdout)].filter((flag) => flag !== 'help');
  expect(shown.length).toBeGreaterThan(30);
  expect(shown.filter((flag) => !documented.has(flag))).toEqual([]);
});
