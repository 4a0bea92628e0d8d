import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RuntimeError } from '../errors.ts';
import { openLogWriter } from './writer.ts';
import { batchOf, resultEvent, startEvent } from '../../test/fixtures/logs/agent-log.ts';

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'assay-log-'));
}

test('creates folders, writes each batch at once and appends when asked', () => {
  const path = join(folder(), 'a', 'b', 'run.jsonl');
  const writer = openLogWriter(path);
  writer.write([{ event: startEvent(), line: '{"ä":1}' }]);
  expect(readFileSync(path, 'utf8')).toBe('{"ä":1}\n');
  void writer.close?.();

  const later = openLogWriter(path, { append: true });
  later.write(batchOf([resultEvent('T001'), resultEvent('T002')]));
  later.write([]);
  void later.close?.();
  const lines = [resultEvent('T001'), resultEvent('T002')].map((event) => `${JSON.stringify(event)}\n`);
  expect(readFileSync(path, 'utf8')).toBe(`{"ä":1}\n${lines.join('')}`);
});

test('replaces an old file unless it is to be exclusive', () => {
  const path = join(folder(), 'run.jsonl');
  void openLogWriter(path, { exclusive: true }).close?.();
  expect(() => openLogWriter(path, { exclusive: true })).toThrow(
    new RuntimeError(`cannot open the run log ${path}: EEXIST: file already exists, open '${path}'`, {
      hint: 'choose another file with -o',
    }),
  );
  const writer = openLogWriter(path);
  writer.write([{ event: startEvent(), line: 'x' }]);
  void writer.close?.();
  expect(readFileSync(path, 'utf8')).toBe('x\n');
});

test.skipIf(process.platform !== 'linux')('names the log when the disk is full', () => {
  const writer = openLogWriter('/dev/full', { append: true });
  expect(() => writer.write(batchOf([startEvent()]))).toThrow(
    new RuntimeError('cannot write the run log /dev/full: ENOSPC: no space left on device, write', {
      hint: 'free disk space or choose another file with -o',
    }),
  );
  void writer.close?.();
});

test('two writers of one log never write into each other’s lines', () => {
  const path = join(folder(), 'log.jsonl');
  const [first, second] = [openLogWriter(path), openLogWriter(path)];
  // Only the lines matter to the writer.
  const batch = (line: string) => [{ event: {} as never, line }];
  first.write(batch('first, long'));
  second.write(batch('second'));
  first.write(batch('first'));
  expect(readFileSync(path, 'utf8')).toBe('first, long\nsecond\nfirst\n');
});
