import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { readWaiting, WaitingRecord } from './waiting-record.ts';

function openRecord(): number {
  const folder = mkdtempSync(join(tmpdir(), 'assay-waiting-record-'));
  const file = openSync(join(folder, 'record'), 'w+');
  onTestFinished(() => {
    closeSync(file);
    rmSync(folder, { recursive: true });
  });
  return file;
}

const judge = (message: string): AttemptError => new AttemptError('judge', message);

test('what each attempt waits for is kept apart, and forgotten when it is over', () => {
  const file = openRecord();
  expect(readWaiting(file)).toEqual([]);
  // What has begun last stands before it.
  writeSync(file, Buffer.alloc(8, 1), 0, 8, 0);
  const record = new WaitingRecord(file);
  record.set(1, judge('the first judge'));
  record.set(2, judge('the second judge'));
  record.set(3, new AttemptError('harness', 'a hook'));
  record.set(2, undefined);
  record.set(9, undefined);
  expect(readWaiting(file)).toEqual([
    { seq: 1, code: 'judge', message: 'the first judge' },
    { seq: 3, code: 'harness', message: 'a hook' },
  ]);
  record.set(1, judge('another'));
  record.set(4, judge('on the free place'));
  expect(readWaiting(file)).toEqual([
    { seq: 1, code: 'judge', message: 'another' },
    { seq: 4, code: 'judge', message: 'on the free place' },
    { seq: 3, code: 'harness', message: 'a hook' },
  ]);
});

test('long messages are cut, whatever their characters', () => {
  const file = openRecord();
  new WaitingRecord(file).set(1, judge('\u0001'.repeat(5000)));
  new WaitingRecord(file).set(1, judge('漢'.repeat(5000)));
  expect(readWaiting(file)).toEqual([{ seq: 1, code: 'judge', message: '漢'.repeat(150) }]);
});
