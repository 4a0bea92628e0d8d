import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('makes everything that is missing, and nothing that is there', () => {
  const root = temporary();
  const folder = join(root, 'a', 'b', '..', 'c');
  makeFolder(folder, { mode: 0o700 });
  makeFolder(folder);
  expect([statSync(join(root, 'a/c')).mode & 0o777, existsSync(join(root, 'a/b'))]).toEqual([0o700, false]);
});

test('a file in the way is an error', () => {
  const root = temporary();
  writeFileSync(join(root, 'file'), '');
  symlinkSync('nowhere', join(root, 'link'));
  expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(root, 'file', 'below'))).toThrow('ENOTDIR');
  expect(() => makeFolder(join(root, 'link'))).toThrow('EEXIST');
});

test.runIf(existsSync('/proc/self'))('a system that takes no folders is an error, and not waited for', () => {
  expect(() => makeFolder('/proc/assay/below')).toThrow('ENOENT');
});
