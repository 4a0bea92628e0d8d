// The short round of test/torture: hostile agents, kills, double starts and damaged files. TORTURE_SEED makes other choices.

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the short round of torture holds', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/torture/run.mjs', '--short'], {
    encoding: 'utf8',
  });
  console.log(stdout);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 240_000);
