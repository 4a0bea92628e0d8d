import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { queueImport, mayWait } from './pending-imports.ts';

const MB = 1024 * 1024;

/** An application with a log of so many bytes. */
function logOf(bytes: number): { root: string; log: string } {
  const root = mkdtempSync(join(tmpdir(), 'assay-waiting-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const log = join(root, 'log.jsonl');
  writeFileSync(log, Buffer.alloc(bytes, 'x'));
  return { root, log };
}

const waitingIn = (root: string): string[] => readdirSync(join(root, '.assay', 'waiting')).toSorted();

test('a log of up to four megabytes waits as a copy, a longer one does not', () => {
  const { root, log } = logOf(4 * MB);
  expect([mayWait(log), queueImport(root, log, 'one')]).toEqual([true, true]);
  expect(waitingIn(root)).toEqual(['one.jsonl']);
  const long = logOf(4 * MB + 1);
  expect([mayWait(long.log), queueImport(long.root, long.log, 'two')]).toEqual([false, false]);
  expect(existsSync(join(long.root, '.assay'))).toBe(false);
});

test('sixteen megabytes or fifty runs wait at most', () => {
  const { root, log } = logOf(4 * MB);
  const left = Array.from({ length: 5 }, (_, n) => queueImport(root, log, `run${String(n)}`));
  expect(left).toEqual([true, true, true, true, false]);
  const small = logOf(10);
  const many = Array.from({ length: 51 }, (_, n) => queueImport(small.root, small.log, `run${String(n)}`));
  expect([many.indexOf(false), waitingIn(small.root).length]).toEqual([50, 50]);
});

test('a log that is gone is told by what needs it', () => {
  const { root, log } = logOf(1);
  rmSync(log);
  expect(mayWait(log)).toBe(true);
  expect(() => queueImport(root, log, 'gone')).toThrow('ENOENT');
});
