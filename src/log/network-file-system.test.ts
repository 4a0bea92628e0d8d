import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { networkFileSystem } from './network-file-system.ts';

test.skipIf(process.platform !== 'linux')('knows file systems that other machines write to', () => {
  const types = [0x6969, 0xff534d42, 0xff534d42 | 0, 0xef53, 0x01021994];
  expect(types.map((type) => networkFileSystem('/x', () => type))).toEqual([
    'NFS',
    'SMB',
    'SMB',
    undefined,
    undefined,
  ]);
  expect(networkFileSystem(tmpdir())).toBeUndefined();
  expect(networkFileSystem('/none/at/all')).toBeUndefined();
});
