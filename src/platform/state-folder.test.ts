import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginReplacement } from './replace-file.ts';
import { removeStateLeftovers } from './state-folder.ts';

test.each(['cache', 'waiting'])(
  'what a killed process left in %s is removed; a file that is being written stays',
  (name) => {
    const root = mkdtempSync(join(tmpdir(), 'assay-state-'));
    const cache = join(root, '.assay', name);
    mkdirSync(cache, { recursive: true });
    const { temporary: own } = beginReplacement(join(cache, 'judge.mjs'));
    // No process has the largest id.
    const left = own.replace(`-${process.pid}-`, '-4194304-');
    for (const file of [own, left]) writeFileSync(file, 'half');
    removeStateLeftovers(root);
    expect([existsSync(own), existsSync(left)]).toEqual([true, false]);
    removeStateLeftovers(join(root, 'nowhere'));
  },
);
