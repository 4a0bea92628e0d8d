// Reads runs from the history: a filtered list, newest first, or one by its id.

import { sql } from 'kysely';
import { ConfigError } from '../../errors.ts';
import type { Summary } from '../../model/event.ts';
import type { Connection, Database } from './connection.ts';
import { name, time } from './event-rows.ts';
import type { TestRunsTable } from './schema.ts';
import type { RunFilter, StoredDefinition, StoredRun } from './store.ts';
import { programName } from '../../platform/how-started.ts';

type RunRow = Awaited<ReturnType<typeof selectRuns>>[number];

/** A run and its number in the database. */
export type FoundRun = { no: number; run: StoredRun };

/** Lists runs, newest first. */
export async function listRuns(connection: Connection, filter: RunFilter = {}): Promise<StoredRun[]> {
  return connection.read(async (db) => {
    const before = filter.before === undefined ? undefined : await findCursor(db, filter.before);
    const rows = await selectRuns(db, filter, { before });
    const tests = await selectTests(db, rows);
    return rows.map((row) => toStoredRun(row, tests));
  });
}

/** Finds a run by its id, the beginning of its id, or "latest". */
export async function findRun(connection: Connection, reference: string): Promise<FoundRun> {
  return connection.read(async (db) => {
    const row = await findRow(db, reference, connection.place);
    return { no: row.no, run: toStoredRun(row, await selectTests(db, [row])) };
  });
}

async function findRow(db: Database, reference: string, place: string): Promise<RunRow> {
  if (reference === 'latest') {
    const [latest] = await selectRuns(db, { limit: 1 });
    if (latest !== undefined) return latest;
    throw new ConfigError(`there are no runs in ${place}`, {
      hint: `${programName()} import <log> brings runs in`,
    });
  }
  // An exact id uses an index, and wins over longer ids that begin with it. Our ids are lower case, imported ones may not be.
  const prefix = reference.toLowerCase();
  for (const run_id of new Set([reference, prefix])) {
    const [whole] = await selectRuns(db, { limit: 1 }, { run_id });
    if (whole !== undefined) return whole;
  }
  const found = await db
    .selectFrom('test_runs')
    .select('run_id')
    .where(sql<boolean>`substr(run_id, 1, ${sql.lit(prefix.length)}) = ${prefix}`)
    .orderBy('started_at', 'desc')
    .limit(10)
    .execute();
  const [only] = prefix !== '' && found.length === 1 ? await selectRuns(db, {}, found[0]) : [];
  if (only !== undefined) return only;
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

async function findCursor(db: Database, before: string): Promise<Cursor> {
  if (/^\d{4}-\d\d-\d\d/.test(before)) return { started_at: time(before), no: 0 };
  const run = await db
    .selectFrom('test_runs')
    .select(['started_at', 'no'])
    .where('run_id', '=', before.toLowerCase())
    .executeTakeFirst();
  if (run !== undefined) return run;
  throw new ConfigError(`there is no run ${before}`, { hint: 'name a run by its whole id, or a time' });
}

function selectRuns(
  db: Database,
  filter: RunFilter,
  { run_id, before }: { run_id?: string; before?: Cursor | undefined } = {},
) {
  const { test, suite, agent, branch, limit = 50 } = filter;
  let query = db
    .selectFrom('test_runs')
    .leftJoin('suite_runs', 'suite_runs.run_no', 'test_runs.no')
    .leftJoin('suites', 'suites.id', 'suite_runs.suite_id')
    .selectAll('test_runs')
    .select(['suites.defined_id as suite_id', 'suites.name as suite_name', 'suites.sha256 as suite_sha256'])
    .orderBy('test_runs.started_at', 'desc')
    .orderBy('test_runs.no', 'desc')
    .limit(limit);
  if (run_id !== undefined) query = query.where('test_runs.run_id', '=', run_id);
  if (agent !== undefined) query = query.where('test_runs.agent_id', '=', agent);
  if (branch !== undefined) query = query.where('test_runs.git_branch', '=', branch);
  if (suite !== undefined) {
    query = query.where((eb) => eb.or([eb('suites.defined_id', '=', suite), eb('suites.name', '=', suite)]));
  }
  if (test !== undefined) {
    query = query.where((eb) => {
      const hasCases = eb
        .selectFrom('run_cases')
        .select('run_cases.run_no')
        .whereRef('run_cases.run_no', '=', 'test_runs.no')
        .where('run_cases.test_id', '=', name(test));
      const isOfTest = eb
        .selectFrom('run_tests')
        .innerJoin('tests', 'tests.id', 'run_tests.test_id')
        .select('run_tests.run_no')
        .whereRef('run_tests.run_no', '=', 'test_runs.no')
        .where((of) => of.or([of('tests.defined_id', '=', test), of('tests.name', '=', test)]));
      return eb.or([eb.exists(isOfTest), eb.exists(hasCases)]);
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

type TestsOfRuns = ReadonlyMap<number, StoredDefinition[]>;

async function selectTests(db: Database, runs: readonly RunRow[]): Promise<TestsOfRuns> {
  const found = new Map<number, StoredDefinition[]>();
  const rows = await db
    .selectFrom('run_tests')
    .innerJoin('tests', 'tests.id', 'run_tests.test_id')
    .select(['run_tests.run_no', 'tests.defined_id as id', 'tests.name', 'tests.sha256'])
    .where(
      'run_tests.run_no',
      'in',
      // 0, which no run has, because the list must not be empty.
      [0, ...runs.map(({ no }) => no)],
    )
    .orderBy('run_tests.place')
    .execute();
  for (const { run_no, ...test } of rows) found.set(run_no, [...(found.get(run_no) ?? []), test]);
  return found;
}

function toStoredRun(row: RunRow, tests: TestsOfRuns): StoredRun {
  return {
    run_id: row.run_id,
    started_at: row.started_at,
    finished_at: row.finished_at,
    exit_code: row.exit_code,
    agent_id: row.agent_id,
    agent_sha256: row.agent_sha256,
    kinds: parseJson(row.kinds),
    tests: tests.get(row.no) ?? [],
    suite: toSuite(row),
    total_cases: row.total_cases,
    runs_per_case: row.runs_per_case,
    min_pass_rate: row.min_pass_rate,
    summary: toSummary(row),
    connector: row.connector,
    judge_sha256: row.judge_sha256,
    environment: parseJson(row.environment),
    inputs: parseJson(row.inputs),
    ...toFlags(parseJson(row.flags)),
    cwd: row.cwd,
    matrix: parseJsonOrNull(row.matrix),
    resolved_variables: parseJsonOrNull(row.resolved_variables),
    git: toGit(row),
    version: row.version,
    node: row.node,
    os: row.os,
    machine: row.machine,
    ci: row.ci,
    note: row.note,
  };
}

/** The flags, and the isolation, which is stored among them. */
function toFlags({ isolation, ...flags }: Record<string, unknown>): Pick<StoredRun, 'flags' | 'isolation'> {
  // Only this program writes the column.
  return { flags, isolation: (isolation as StoredRun['isolation'] | undefined) ?? null };
}

/** The commit a run was made from. */
export function toGit(row: Pick<TestRunsTable, 'git_branch' | 'git_commit' | 'git_dirty'>): StoredRun['git'] {
  const { git_commit: commit, git_branch: branch, git_dirty: dirty } = row;
  if (commit === null) return null;
  return { commit, ...(branch !== null && { branch }), ...(dirty !== null && { dirty: dirty === 1 }) };
}

function toSuite({ suite_id: id, suite_name: name, suite_sha256: sha256 }: RunRow): StoredDefinition | null {
  return id === null || name === null || sha256 === null ? null : { id, name, sha256 };
}

function toSummary(row: RunRow): Summary | null {
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
    ...(row.checks !== null && { checks: parseJson(row.checks) }),
    ...(row.usage !== null && { usage: parseJson(row.usage) }),
    ...((row.cost_usd !== null || row.usage !== null) && { cost_usd: row.cost_usd }),
  };
}

/** Parses a JSON column; the caller knows its type. */
export function parseJson<T>(json: string): T {
  // Safe: only this program writes these columns.
  return JSON.parse(json) as T;
}

export function parseJsonOrNull<T>(json: string | null): T | null {
  return json === null ? null : parseJson<T>(json);
}
