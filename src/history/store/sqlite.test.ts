import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { RuntimeError } from '../../errors.ts';
import { resultEvent, startEvent, summaryEvent } from '../../../test/fixtures/logs/agent-log.ts';
import { historyFile } from '../../platform/state-folder.ts';
import { openStore } from './open-store.ts';
import { toStoreError } from './store-error.ts';

const RUN = startEvent().run_id;

function newPlace(): string {
  return join(mkdtempSync(join(tmpdir(), 'assay-history-')), 'history.db');
}

test('makes its folder and keeps it out of version control', async () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-root-'));
  const store = await openStore(historyFile(root));
  await store.close();
  expect(existsSync(join(root, '.assay/history.db'))).toBe(true);
  expect(readFileSync(join(root, '.assay/.gitignore'), 'utf8')).toBe('*\n');
});

test('waits for a file that is locked, while everything else goes on', async () => {
  const place = newPlace();
  const store = await openStore(place);
  const other = new DatabaseSync(place);
  other.exec('begin immediate');
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 10);
  setTimeout(() => other.exec('commit'), 400);
  await store.importRun([startEvent(), resultEvent('A')]);
  clearInterval(ticking);
  expect((await store.results(RUN)).total).toBe(1);
  expect(turns).toBeGreaterThan(5);
  other.close();
  await store.close();
});

test('gives up on a file that stays locked, and takes the run later', async () => {
  const place = newPlace();
  const store = await openStore(place, { waitMs: 200 });
  const other = new DatabaseSync(place);
  other.exec('begin immediate');
  const recorder = store.record(startEvent());
  void recorder.add([resultEvent('A')]);
  const error = await recorder.finish(summaryEvent()).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(RuntimeError);
  expect(error).toMatchObject({
    reason: 'locked',
    message: `the history ${place} is locked by another program: database is locked`,
    hint: 'end the program that holds it, or try again; the run log is complete: import it once the history works again',
  });
  other.exec('rollback');
  other.close();
  await store.importRun([startEvent(), resultEvent('A'), summaryEvent()]);
  expect((await store.run(RUN)).exit_code).toBe(0);
  await store.close();
});

test('notices that its file was deleted', async () => {
  const place = newPlace();
  const store = await openStore(place);
  rmSync(place);
  await expect(store.importRun([startEvent()])).rejects.toMatchObject({
    reason: 'lost',
    message: `the history ${place} cannot be reached: the file is gone`,
  });
  await store.close();
});

test('refuses a file that is no database', async () => {
  const place = newPlace();
  writeFileSync(place, 'Dear diary, this is not a database at all. '.repeat(100));
  await expect(openStore(place)).rejects.toMatchObject({
    reason: 'corrupt',
    message: `the history ${place} is damaged or not a database of Assay: file is not a database`,
  });
  expect(readFileSync(place, 'utf8').slice(0, 10)).toBe('Dear diary');
});

test('recognises a file that was cut off', async () => {
  const place = newPlace();
  const store = await openStore(place);
  const results = Array.from({ length: 2000 }, (_, n) => resultEvent(`C${n}`, { output: 'x'.repeat(200) }));
  await store.importRun([startEvent(), ...results]);
  await store.close();
  truncateSync(place, 40_960);
  const damaged = await openStore(place).catch((error: unknown) => error);
  const reason =
    damaged instanceof Error
      ? damaged
      : // A cast, because what is not an error is the store.
        await (damaged as typeof store).results(RUN, { limit: 2000 }).catch((error: unknown) => error);
  expect(reason).toMatchObject({ name: 'RuntimeError', reason: 'corrupt' });
});

test('says that there is no space left', async () => {
  const file = new DatabaseSync(newPlace());
  file.exec('create table t (a); pragma max_page_count = 3');
  const insert = (): unknown => file.prepare('insert into t values (?)').run('x'.repeat(100_000));
  const error = caught(insert);
  file.close();
  expect(toStoreError('history.db', error)).toMatchObject({
    reason: 'full',
    message: 'the history history.db has no space left: database or disk is full',
  });
});

test.skipIf(process.getuid?.() === 0)('says that it may not write', async () => {
  const place = newPlace();
  await (await openStore(place)).close();
  chmodSync(place, 0o444);
  const store = await openStore(place).catch((error: unknown) => error);
  expect(store).toMatchObject({ reason: 'read-only' });
});

test('has nothing to read where nothing was written', async () => {
  const place = newPlace();
  await expect(openStore(place, { readOnly: true })).rejects.toThrow(`there is no history in ${place}`);
  expect(existsSync(place)).toBe(false);
});

test('cannot be made below a file', async () => {
  const file = newPlace();
  writeFileSync(file, '');
  await expect(openStore(join(file, 'history.db'))).rejects.toMatchObject({ reason: 'lost' });
});

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
