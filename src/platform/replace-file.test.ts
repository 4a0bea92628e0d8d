import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { beginReplacement, replaceFile } from './replace-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-replace-'));
});

test('replaces the content and leaves nothing else behind', () => {
  const file = join(folder, 'a.json');
  writeFileSync(file, 'old');
  replaceFile(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['a.json']);
});

test('keeps the old content when writing fails', () => {
  const file = join(folder, 'a.json');
  writeFileSync(file, 'old');
  const fail = () =>
    replaceFile(file, (temporary) => {
      copyFileSync(file, temporary);
      throw new Error('disk full');
    });
  expect(fail).toThrow('disk full');
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['a.json']);
});

test('throws the error of the file system when the folder is missing', () => {
  expect(() => replaceFile(join(folder, 'none', 'a.json'), 'new')).toThrow('ENOENT');
});

test('gives two replacements of a file different temporary files', () => {
  const file = join(folder, 'a.json');
  expect(beginReplacement(file).temporary).not.toBe(beginReplacement(file).temporary);
});
