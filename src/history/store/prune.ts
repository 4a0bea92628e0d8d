// Deletes old runs from the history in small steps, so that writers do not wait long.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { ConfigError } from '../../errors.ts';
import type { Connection, Database } from './connection.ts';
import type { Pruned } from './store.ts';
import { lockRun } from './write-batch.ts';

const BATCH_SIZE = 5000;
const DAY_MS = 24 * 3600 * 1000;

/** Deletes the runs that match all given rules, and definitions that are no longer used. */
export async function pruneRuns(
  connection: Connection,
  rule: { keep?: number; olderThan?: Date | string },
): Promise<Pruned> {
  const { keep = 0 } = rule;
  if (rule.keep === undefined && rule.olderThan === undefined) {
    throw new ConfigError('nothing says which runs to delete', {
      hint: 'say how many to keep, or how old they must be',
    });
  }
  if (!Number.isInteger(keep) || keep < 0) throw new ConfigError(`cannot keep ${keep} runs`);
  const limit = rule.olderThan === undefined ? undefined : parseTime(rule.olderThan);
  const runs = await connection.read(async (db) => {
    const newestFirst = await db
      .selectFrom('test_runs')
      .select(['no', 'run_id', 'started_at', 'finished_at'])
      .orderBy('started_at', 'desc')
      .orderBy('no', 'desc')
      .execute();
    const named = new Set(
      (await db.selectFrom('baselines').select('run_id').execute()).map((one) => one.run_id),
    );
    const lately = new Date(Date.now() - DAY_MS).toISOString();
    return (
      newestFirst
        .slice(keep)
        .filter(({ run_id }) => !named.has(run_id))
        .filter(({ started_at }) => limit === undefined || started_at < limit)
        // An unfinished run may still be running.
        .filter(({ started_at, finished_at }) => finished_at !== null || started_at < lately)
    );
  });
  let results = 0;
  for (const { no } of runs) results += await deleteRun(connection, no);
  await connection.write(deleteUnused);
  if (connection.dialect.name === 'sqlite') {
    await connection.read((db) => sql`pragma incremental_vacuum`.execute(db));
  }
  return { runs: runs.length, results };
}

/** Deletes one run, if it is there. Baselines keep its name. */
export async function removeRun(connection: Connection, runId: string): Promise<void> {
  const found = await connection.read((db) =>
    db.selectFrom('test_runs').select('no').where('run_id', '=', runId).executeTakeFirst(),
  );
  if (found === undefined) return;
  await deleteRun(connection, found.no);
  await connection.write(deleteUnused);
}

function parseTime(olderThan: Date | string): string {
  const date = new Date(olderThan);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw new ConfigError(`"${String(olderThan)}" is not a time`, { hint: 'write it as 2026-01-31' });
}

async function deleteRun(connection: Connection, no: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await connection.write((db) => deleteResults(db, no));
    deleted += count;
    if (count < BATCH_SIZE) break;
    await nextTurn();
  }
  deleted += await connection.write(async (db) => {
    // A recorder of this run waits for this lock, then inserts the run again.
    await lockRun(connection, db).where('no', '=', no).execute();
    const rest = await db.deleteFrom('results').where('run_no', '=', no).executeTakeFirst();
    for (const table of ['run_cases', 'run_tests', 'suite_runs'] as const)
      await db.deleteFrom(table).where('run_no', '=', no).execute();
    await db.deleteFrom('test_runs').where('no', '=', no).execute();
    return Number(rest.numDeletedRows);
  });
  await nextTurn();
  return deleted;
}

async function deleteResults(db: Database, no: number): Promise<number> {
  const some = db.selectFrom('results').select('id').where('run_no', '=', no).limit(BATCH_SIZE);
  const { numDeletedRows } = await db.deleteFrom('results').where('id', 'in', some).executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteUnused(db: Database): Promise<void> {
  await sql`delete from suites where not exists
    (select 1 from suite_runs where suite_runs.suite_id = suites.id)`.execute(db);
  await sql`delete from tests where not exists
    (select 1 from run_tests where run_tests.test_id = tests.id)`.execute(db);
  await sql`delete from test_types where not exists
    (select 1 from tests where tests.test_type_id = test_types.id)`.execute(db);
}
