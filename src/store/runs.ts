// Runs out of the history: newest first, by filter, or one by its name.

import { sql } from 'kysely';
import { ConfigError } from '../errors.ts';
import type { Summary } from '../model/event.ts';
import type { Connection, Database } from './connection.ts';
import { name, time } from './event-rows.ts';
import type { RunFilter, StoredRun } from './store.ts';

type RunRow = Awaited<ReturnType<typeof selectRuns>>[number];

/** A run and its number in the database. */
export type FoundRun = { no: number; run: StoredRun };

/** Lists runs, newest first. */
export async function listRuns(connection: Connection, filter: RunFilter = {}): Promise<StoredRun[]> {
  return connection.read(async (db) => {
    const before = filter.before === undefined ? undefined : await cursorOf(db, filter.before);
    const rows = await selectRuns(db, filter, before);
    return rows.map(runOf);
  });
}

/** Finds the one run a user means. */
export async function findRun(connection: Connection, reference: string): Promise<FoundRun> {
  return connection.read(async (db) => {
    const row = await findRow(db, reference, connection.place);
    return { no: row.no, run: runOf(row) };
  });
}

async function findRow(db: Database, reference: string, place: string): Promise<RunRow> {
  if (reference === 'latest') {
    const [latest] = await selectRuns(db, { limit: 1 });
    if (latest !== undefined) return latest;
    throw new ConfigError(`there are no runs in ${place}`, { hint: 'assay import <log> brings runs in' });
  }
  const prefix = reference.toLowerCase();
  const found = await db
    .selectFrom('test_runs')
    .select(['no', 'run_id'])
    .where(sql<boolean>`substr(run_id, 1, ${sql.lit(prefix.length)}) = ${prefix}`)
    .orderBy('started_at', 'desc')
    .limit(10)
    .execute();
  const only = found.length === 1 ? found[0] : found.find(({ run_id }) => run_id === prefix);
  const [row] = only === undefined || prefix === '' ? [] : await selectRuns(db, {}, undefined, only.no);
  if (row !== undefined) return row;
  if (found.length === 0) {
    throw new ConfigError(`there is no run ${reference} in ${place}`, {
      hint: 'name a run by its id, the beginning of its id, or "latest"',
    });
  }
  throw new ConfigError(`"${reference}" is the beginning of several runs`, {
    hint: `write more of it: ${found.map(({ run_id }) => run_id).join(', ')}`,
  });
}

type Cursor = { started_at: string; no: number };

async function cursorOf(db: Database, before: string): Promise<Cursor> {
  if (/^\d{4}-\d\d-\d\d/.test(before)) return { started_at: time(before), no: 0 };
  const run = await db
    .selectFrom('test_runs')
    .select(['started_at', 'no'])
    .where('run_id', '=', before.toLowerCase())
    .executeTakeFirst();
  if (run !== undefined) return run;
  throw new ConfigError(`there is no run ${before}`, { hint: 'name a run by its whole id, or a time' });
}

function selectRuns(db: Database, filter: RunFilter, before?: Cursor, no?: number) {
  const { test, suite, agent, limit = 50 } = filter;
  let query = db
    .selectFrom('test_runs')
    .leftJoin('tests', 'tests.id', 'test_runs.test_id')
    .leftJoin('suite_runs', 'suite_runs.suite_run_id', 'test_runs.suite_run_id')
    .leftJoin('suites', 'suites.id', 'suite_runs.suite_id')
    .selectAll('test_runs')
    .select(['tests.name as test_name', 'tests.sha256 as test_sha256', 'suites.name as suite_name'])
    .orderBy('test_runs.started_at', 'desc')
    .orderBy('test_runs.no', 'desc')
    .limit(limit);
  if (no !== undefined) query = query.where('test_runs.no', '=', no);
  if (agent !== undefined) query = query.where('test_runs.agent_id', '=', agent);
  if (suite !== undefined) {
    query = query.where((eb) =>
      eb.or([eb('suites.name', '=', suite), eb('test_runs.suite_run_id', '=', suite)]),
    );
  }
  if (test !== undefined) {
    query = query.where((eb) => {
      const hasCases = eb
        .selectFrom('run_cases')
        .select('run_cases.run_no')
        .whereRef('run_cases.run_no', '=', 'test_runs.no')
        .where('run_cases.test_id', '=', name(test));
      return eb.or([eb('tests.name', '=', test), eb.exists(hasCases)]);
    });
  }
  if (before !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('test_runs.started_at', '<', before.started_at),
        eb.and([eb('test_runs.started_at', '=', before.started_at), eb('test_runs.no', '<', before.no)]),
      ]),
    );
  }
  return query.execute();
}

function runOf(row: RunRow): StoredRun {
  return {
    run_id: row.run_id,
    started_at: row.started_at,
    finished_at: row.finished_at,
    exit_code: row.exit_code,
    agent_id: row.agent_id,
    agent_sha256: row.agent_sha256,
    kinds: parsed(row.kinds),
    test:
      row.test_name === null || row.test_sha256 === null
        ? null
        : { name: row.test_name, sha256: row.test_sha256 },
    suite: row.suite_run_id === null ? null : { run_id: row.suite_run_id, name: row.suite_name },
    total_cases: row.total_cases,
    runs_per_case: row.runs_per_case,
    min_pass_rate: row.min_pass_rate,
    summary: summaryOf(row),
    connector: row.connector,
    environment: parsed(row.environment),
    inputs: parsed(row.inputs),
    flags: parsed(row.flags),
    cwd: row.cwd,
    resolved_variables: parsedOrNull(row.resolved_variables),
    git: gitOf(row),
    version: row.version,
    node: row.node,
    os: row.os,
    machine: row.machine,
    ci: row.ci,
  };
}

/** The commit a run was made from. */
export function gitOf(row: { git_commit: string | null; git_dirty: number | null }): StoredRun['git'] {
  return row.git_commit === null ? null : { commit: row.git_commit, dirty: row.git_dirty === 1 };
}

function summaryOf(row: RunRow): Summary | null {
  if (row.finished_at === null) return null;
  return {
    total: row.total ?? 0,
    passed: row.passed ?? 0,
    failed: row.failed ?? 0,
    skipped: row.skipped ?? 0,
    errors: row.errors ?? 0,
    timeouts: row.timeouts ?? 0,
    duration_ms: row.duration_ms ?? 0,
    total_runs: row.total_runs ?? 0,
    runs_per_case: row.runs_per_case,
    overall_pass_rate: row.overall_pass_rate,
    stable_cases: row.stable_cases ?? 0,
    unstable_cases: row.unstable_cases ?? 0,
    ...(row.checks !== null && { checks: parsed(row.checks) }),
    ...(row.usage !== null && { usage: parsed(row.usage) }),
    ...((row.cost_usd !== null || row.usage !== null) && { cost_usd: row.cost_usd }),
  };
}

/** The value that was kept as JSON; the column says which type it has. */
export function parsed<T>(json: string): T {
  // A cast, because only this program writes these columns.
  return JSON.parse(json) as T;
}

export function parsedOrNull<T>(json: string | null): T | null {
  return json === null ? null : parsed<T>(json);
}
