import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { RuntimeError } from '../../errors.ts';
import { sourceOf } from '../../../test/fixtures/logs/agent-log.ts';
import { writeReport } from './write-report.ts';

const source = sourceOf([]);
const stdout = new PassThrough();

async function* hello(): AsyncGenerator<string> {
  yield 'hello ';
  yield 'world\n';
}

async function* breaksOff(): AsyncGenerator<string> {
  yield 'half';
  throw new Error('the log is damaged');
}

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'assay-report-'));
}

test('writes a file and its folders', async () => {
  const place = folder();
  await writeReport(source, hello, join(place, 'a/b/report.md'), { stdout });
  expect(readFileSync(join(place, 'a/b/report.md'), 'utf8')).toBe('hello world\n');
  expect(readdirSync(join(place, 'a/b'))).toEqual(['report.md']);
});

test('keeps the old report when a new one breaks off', async () => {
  const place = folder();
  writeFileSync(join(place, 'report.md'), 'good');
  const broken = writeReport(source, breaksOff, join(place, 'report.md'), { stdout });
  await expect(broken).rejects.toThrow(new Error('the log is damaged'));
  expect(readFileSync(join(place, 'report.md'), 'utf8')).toBe('good');
  expect(readdirSync(place)).toEqual(['report.md']);
});

test('writes through a link', async () => {
  const place = folder();
  writeFileSync(join(place, 'real.md'), 'old');
  symlinkSync('real.md', join(place, 'link.md'));
  await writeReport(source, hello, join(place, 'link.md'), { stdout });
  expect(readFileSync(join(place, 'real.md'), 'utf8')).toBe('hello world\n');
});

test('names the report that cannot be written', async () => {
  const place = folder();
  mkdirSync(join(place, 'taken.md'));
  writeFileSync(join(place, 'file'), '');
  await expect(writeReport(source, hello, join(place, 'taken.md'), { stdout })).rejects.toMatchObject({
    name: 'RuntimeError',
    message: `cannot write the report ${place}/taken.md: it is a folder`,
  });
  await expect(writeReport(source, hello, join(place, 'file/x.md'), { stdout })).rejects.toBeInstanceOf(
    RuntimeError,
  );
});

test.skipIf(process.platform !== 'linux')('writes to a device without replacing it', async () => {
  await writeReport(source, hello, '/dev/null', { stdout });
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  await expect(writeReport(source, hello, '/dev/full', { stdout })).rejects.toMatchObject({
    message: 'cannot write the report /dev/full: ENOSPC: no space left on device, write',
  });
});

test('writes to stdout for a dash, and stops quietly when nobody reads on', async () => {
  const stream = new PassThrough();
  await writeReport(source, hello, '-', { stdout: stream });
  expect(String(stream.read())).toBe('hello world\n');

  const closed = {
    write: (_: string, done: (error?: Error) => void) => {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      return false;
    },
  };
  await expect(writeReport(source, hello, '-', { stdout: closed })).resolves.toBeUndefined();
});
