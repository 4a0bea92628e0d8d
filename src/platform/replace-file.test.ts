import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { beginReplacement, removeLeftovers, replaceFile } from './replace-file.ts';

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

test('removes what killed processes left behind, and no other file', () => {
  const own = basename(beginReplacement(join(folder, 'a.json')).temporary);
  const { pid: gone } = spawnSync('true');
  const left = own.replace(/\d+/, String(gone));
  // Of a process in another container, lately and an hour ago.
  const [foreign, old] = ['.assay-7-12-abc.tmp', '.assay-7-12-def.tmp'];
  const others = [`.${String(gone)}-abcdefgh.tmp`, `x${left}`, `${left}.bak`, 'a.tmp', '.assay-1.tmp'];
  for (const name of [own, left, foreign, old, ...others]) writeFileSync(join(folder, name), '');
  const hourAgo = Date.now() / 1000 - 3601;
  utimesSync(join(folder, old), hourAgo, hourAgo);
  removeLeftovers(folder);
  expect(readdirSync(folder).toSorted()).toEqual([own, foreign, ...others].toSorted());
  removeLeftovers(join(folder, 'none'));
});
