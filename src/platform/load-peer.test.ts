import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { loadPeer } from './load-peer.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-peer-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

test('finds a package in the project of the user', async () => {
  mkdirSync(join(root, 'node_modules/assay-test-peer'), { recursive: true });
  writeFileSync(join(root, 'node_modules/assay-test-peer/index.js'), 'module.exports = { answer: 42 };');
  const { default: peer } = await loadPeer('assay-test-peer', { folder: root, need: '--coverage needs' });
  expect(peer).toEqual({ answer: 42 });
});

test('says how to get a package that is missing', async () => {
  const error: unknown = await loadPeer('assay-missing-peer', {
    folder: root,
    need: '--coverage needs',
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error instanceof ConfigError && error.problems).toEqual([
    { message: '--coverage needs the package assay-missing-peer', hint: 'npm i -D assay-missing-peer' },
  ]);
});
