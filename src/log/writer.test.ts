import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, RuntimeError } from '../errors.ts';
import type { Locker } from './lock.ts';
import { socketLocker } from './lock.ts';
import type { LogWriter } from './writer.ts';
import { openLogWriter, refuseHeldLog } from './writer.ts';
import { batchOf, resultEvent, startEvent } from '../../test/fixtures/logs/agent-log.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'assay-log-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

async function begun(...args: Parameters<typeof openLogWriter>): Promise<LogWriter> {
  const writer = await openLogWriter(...args);
  onTestFinished(() => writer.release());
  writer.begin();
  return writer;
}

// Only the lines matter to the writer.
const lines = (...texts: string[]) => texts.map((line) => ({ event: {} as never, line }));
const read = (path: string): string => readFileSync(path, 'utf8');

test('creates folders, writes each batch at once and continues where an earlier run ended', async () => {
  const path = join(folder(), 'a', 'b', 'run.jsonl');
  const writer = await begun(path);
  writer.write(lines('{"ä":1}'));
  expect(read(path)).toBe('{"ä":1}\n');
  writer.release();

  writeFileSync(path, '{"ä":1}\n{"torn');
  const later = await begun(path, { resumed: { end: 9, size: 15 } });
  later.write(batchOf([resultEvent('T001'), resultEvent('T002')]));
  later.write([]);
  const written = [resultEvent('T001'), resultEvent('T002')].map((event) => `${JSON.stringify(event)}\n`);
  expect(read(path)).toBe(`{"ä":1}\n${written.join('')}`);
  expect(later.findLoss()).toBeUndefined();
});

test('replaces an old file unless it is to be exclusive', async () => {
  const path = join(folder(), 'run.jsonl');
  (await begun(path, { exclusive: true })).release();
  await expect(openLogWriter(path, { exclusive: true })).rejects.toEqual(
    new RuntimeError(`cannot open the run log ${path}: EEXIST: file already exists, open '${path}'`, {
      hint: 'choose another file with -o',
    }),
  );
  const writer = await begun(path);
  writer.write(lines('x'));
  expect(read(path)).toBe('x\n');
});

test('changes nothing before it begins: an old log stays, a new one is removed', async () => {
  const root = folder();
  const [old, fresh] = [join(root, 'old.jsonl'), join(root, 'fresh.jsonl')];
  writeFileSync(old, 'old\n');
  for (const path of [old, fresh]) (await openLogWriter(path)).release();
  expect([readdirSync(root), read(old)]).toEqual([['old.jsonl'], 'old\n']);
});

test.skipIf(process.platform !== 'linux')('names the log when the disk is full', async () => {
  const writer = await begun('/dev/full');
  expect(() => writer.write(batchOf([startEvent()]))).toThrow(
    new RuntimeError('cannot write the run log /dev/full: ENOSPC: no space left on device, write', {
      hint: 'free disk space or choose another file with -o',
    }),
  );
});

test('has one writer, whichever path leads to the file', async () => {
  const root = folder();
  const path = join(root, 'run.jsonl');
  mkdirSync(join(root, 'other'));
  const writer = await begun(path);
  writer.write(lines('first'));
  symlinkSync(path, join(root, 'link.jsonl'));
  linkSync(path, join(root, 'other', 'hard.jsonl'));
  const paths = [
    path,
    join(root, 'link.jsonl'),
    join(root, 'other', 'hard.jsonl'),
    `${root}/./other/../run.jsonl`,
  ];
  for (const other of paths) {
    const refused = new ConfigError(`process ${String(process.pid)} is writing the run log ${other}`, {
      hint: 'wait until that run has ended, or choose another file with -o',
    });
    await expect(openLogWriter(other)).rejects.toEqual(refused);
    await expect(refuseHeldLog(other)).rejects.toEqual(refused);
  }
  expect(read(path)).toBe('first\n');
  writer.release();
  await refuseHeldLog(path);
  (await begun(path)).write(lines('second'));
  expect(read(path)).toBe('second\n');
});

test('refuses to continue a log that has changed since it was read', async () => {
  const path = join(folder(), 'run.jsonl');
  writeFileSync(path, 'one\ntwo\n');
  await expect(openLogWriter(path, { resumed: { end: 4, size: 4 } })).rejects.toEqual(
    new ConfigError(`another run has written to the run log ${path} in the meantime`, {
      hint: 'run the command again',
    }),
  );
  expect(read(path)).toBe('one\ntwo\n');
  await refuseHeldLog(path);
});

test('says that a system cannot lock, and writes all the same', async () => {
  const locker: Locker = () => Promise.resolve({ state: 'unavailable', why: 'EACCES: permission denied' });
  const path = join(folder(), 'run.jsonl');
  const writer = await begun(path, { locker });
  writer.write(lines('x'));
  expect([writer.unlocked, read(path)]).toEqual(['EACCES: permission denied', 'x\n']);
  await refuseHeldLog(path, locker);
});

test('notices a second writer at the end where locks are ignored, and loses no line', async () => {
  const locker: Locker = () => Promise.resolve({ state: 'held', release: () => undefined });
  const path = join(folder(), 'run.jsonl');
  const [first, second] = [await begun(path, { locker }), await begun(path, { locker })];
  first.write(lines('first, long'));
  second.write(lines('second'));
  first.write(lines('first'));
  expect(read(path)).toBe('first, long\nsecond\nfirst\n');
  expect([first.findLoss(), second.findLoss()]).toEqual(['foreign', 'foreign']);
});

test('knows a line that was changed in place, also in the part that a resumed log keeps', async () => {
  const root = folder();
  const path = join(root, 'run.jsonl');
  const first = await begun(path);
  first.write(lines('failed'));
  expect(first.findLoss()).toBeUndefined();
  writeFileSync(path, 'passed\n', { flag: 'r+' });
  expect(first.findLoss()).toBe('changed');
});

test('knows whether the file is what was written, and saves what has lost its name', async () => {
  const root = folder();
  const path = join(root, 'run.jsonl');
  const writer = await begun(path);
  writer.write(lines('one', 'two'));
  expect(writer.findLoss()).toBeUndefined();
  writer.write(lines('three'));
  renameSync(path, join(root, 'moved'));
  expect(writer.findLoss()).toBe('gone');
  writeFileSync(path, 'another');
  expect(writer.findLoss()).toBe('replaced');
  rmSync(join(root, 'moved'));
  writer.copyTo(join(root, 'saved'));
  expect(read(join(root, 'saved'))).toBe('one\ntwo\nthree\n');
  expect(read(path)).toBe('another');
});

test('knows a file that was cut, and saves nothing that was changed before it lost its name', async () => {
  const root = folder();
  const path = join(root, 'run.jsonl');
  const writer = await begun(path);
  writer.write(lines('one', 'two'));
  truncateSync(path, 4);
  expect(writer.findLoss()).toBe('shorter');
  writer.write(lines('three'));
  expect(writer.findLoss()).toBe('shorter');
  renameSync(path, join(root, 'moved'));
  expect(writer.findLoss()).toBe('changed');
  writeFileSync(path, 'another');
  expect(writer.findLoss()).toBe('changed');
});

test('a lock that is a file is free again after its process has ended without removing it', async () => {
  const root = folder();
  const locker = socketLocker((name) => join(root, name));
  const [name, file] = [join(root, 'assay-log-1-2'), { dev: 1n, ino: 2n }];
  const first = await locker(file);
  expect(first.state).toBe('held');
  expect(await locker(file)).toEqual({ state: 'taken', pid: String(process.pid) });
  linkSync(name, join(root, 'left'));
  if (first.state === 'held') first.release();
  renameSync(join(root, 'left'), name);
  const next = await locker(file);
  expect(next.state).toBe('held');
  if (next.state === 'held') next.release();
  expect(await socketLocker(() => join(root, 'none', 'x'))(file)).toMatchObject({ state: 'unavailable' });
});

test('finds its own lines between those of another program, and saves only them', async () => {
  const path = join(folder(), 'run.jsonl');
  const writer = await begun(path);
  writer.write(lines('{"own":1}'));
  writeFileSync(path, '{"foreign":1}\n', { flag: 'a' });
  writer.write(lines('{"own":2}'));
  writer.write(lines('{"own":3}'));
  writeFileSync(path, '{"foreign":2}\n{"own":3}\n', { flag: 'a' });
  expect(writer.findLoss()).toBe('foreign');
  writer.copyTo(`${path}.copy`);
  expect(read(`${path}.copy`)).toBe('{"own":1}\n{"own":2}\n{"own":3}\n');
  writeFileSync(path, read(path).replace('"own":2', '"own":4'));
  expect(writer.findLoss()).toBe('changed');
});
