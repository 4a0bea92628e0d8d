import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginReplacement } from './replace-file.ts';
import { tidyCache } from './state-folder.ts';

test('what a worker left in the cache when it was killed is removed; a file that is being written stays', () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-state-'));
  const cache = join(root, '.assay', 'cache');
  mkdirSync(cache, { recursive: true });
  const { temporary: own } = beginReplacement(join(cache, 'judge.mjs'));
  // No process has the largest id.
  const left = own.replace(`-${process.pid}-`, '-4194304-');
  for (const file of [own, left]) writeFileSync(file, 'half');
  tidyCache(root);
  expect([existsSync(own), existsSync(left)]).toEqual([true, false]);
  tidyCache(join(root, 'nowhere'));
});
