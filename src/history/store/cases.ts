// Reads the cases of one run or of many, and their results.

import { sql } from 'kysely';
import type { LoggedInput, ResultEvent } from '../../model/event.ts';
import type { Status } from '../../model/outcome.ts';
import { runsRule } from '../../model/runs-rule.ts';
import { settleCounts } from '../../model/settle.ts';
import type { CaseRule } from '../../stats/pass-rules.ts';
import { passRules } from '../../stats/pass-rules.ts';
import type { Connection } from './connection.ts';
import { name } from './event-rows.ts';
import type { FoundRun } from './runs.ts';
import { toGit, parseJson, parseJsonOrNull } from './runs.ts';
import type { CaseCounts, RunCasesTable } from './schema.ts';
import type { CaseInRun, StoredCase, StoredResults, StoredRun } from './store.ts';

/** The cases of a run in the order of their files. */
export async function listCases(connection: Connection, { no, run }: FoundRun): Promise<StoredCase[]> {
  const rows = await connection.read((db) =>
    db.selectFrom('run_cases').selectAll().where('run_no', '=', no).execute(),
  );
  const rules = caseRules(run);
  return rows.map((row) => toStoredCase(row, rules)).sort(byPosition);
}

/** One case in the newest runs that had it; once for each set of variables. */
export async function listCaseHistory(
  connection: Connection,
  testId: string,
  caseId: string,
  limit = 50,
): Promise<CaseInRun[]> {
  const rows = await connection.read((db) =>
    db
      // SQLite keeps the order of a cross join: it goes from run to run, newest first, until there are enough.
      .selectFrom('test_runs')
      .crossJoin('run_cases')
      .whereRef('run_cases.run_no', '=', 'test_runs.no')
      .selectAll('run_cases')
      .select([
        'test_runs.run_id',
        'test_runs.started_at',
        'test_runs.agent_sha256',
        'test_runs.git_branch',
        'test_runs.git_commit',
        'test_runs.git_dirty',
        'test_runs.inputs',
        'test_runs.flags',
        'test_runs.runs_per_case',
        'test_runs.min_pass_rate',
      ])
      .where('run_cases.test_id', '=', name(testId))
      .where('run_cases.case_id', '=', name(caseId))
      .orderBy('test_runs.started_at', 'desc')
      .orderBy('test_runs.no', 'desc')
      .orderBy('run_cases.variables_sha256')
      .limit(limit)
      .execute(),
  );
  return rows.map((row) =>
    Object.assign(toStoredCase(row, caseRules(parsedRun(row))), {
      run_id: row.run_id,
      started_at: row.started_at,
      agent_sha256: row.agent_sha256,
      git: toGit(row),
    }),
  );
}

/** Some results of a run in the order they came, and how many there are. */
export async function listResults(
  connection: Connection,
  { no }: FoundRun,
  page: { status?: Status; offset?: number; limit?: number } = {},
): Promise<StoredResults> {
  const { status, offset = 0, limit = 100 } = page;
  return connection.read(async (db) => {
    let all = db.selectFrom('results').where('run_no', '=', no);
    if (status !== undefined) all = all.where('status', '=', status);
    // A literal condition lets the planner use the partial index; a bound parameter does not.
    if (status !== undefined && status !== 'passed') all = all.where(sql<boolean>`status <> 'passed'`);
    const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    // Finds the page in the index alone, and reads only its rows.
    const rows = await db
      .selectFrom('results')
      .select('event')
      .where('id', 'in', all.select('id').orderBy('id').limit(limit).offset(offset))
      .orderBy('id')
      .execute();
    return { total, results: rows.map((row) => parseJson<ResultEvent>(row.event)) };
  });
}

/** How the cases of a test are settled. */
type CaseRules = (testId: string) => CaseRule;

/** The rules of a run; an input may have its own number of runs. */
export function caseRules({
  inputs,
  flags,
  runs_per_case,
  min_pass_rate,
}: Pick<StoredRun, 'flags' | 'inputs' | 'runs_per_case' | 'min_pass_rate'>): CaseRules {
  const rule = runsRule(flags);
  // The history knows tests by names that fit an index.
  const named = inputs.map((input) =>
    input.test_id === undefined ? input : { ...input, test_id: name(input.test_id) },
  );
  const start = { inputs: named, runs_per_case, ...(rule !== undefined && { runs_rule: rule }) };
  return passRules(start, min_pass_rate ?? undefined);
}

/** The columns of a run that its rules depend on. */
export function parsedRun<Row extends { inputs: string; flags: string }>(
  row: Row,
): Omit<Row, 'flags' | 'inputs'> & Pick<StoredRun, 'flags' | 'inputs'> {
  return {
    ...row,
    inputs: parseJson<LoggedInput[]>(row.inputs),
    flags: parseJson<StoredRun['flags']>(row.flags),
  };
}

type CountedCase = CaseCounts &
  Pick<RunCasesTable, 'case_id' | 'line' | 'test_id' | 'variables' | 'variables_sha256'>;

/** A case with its status by the rules of its run. */
export function toStoredCase(row: CountedCase, rules: CaseRules): StoredCase {
  const { runs: planned, passRule } = rules(row.test_id);
  const { passed, failed, unmeasured, skipped } = row;
  const measured = passed + failed + row.timeouts + row.errors;
  const runs = measured + unmeasured;
  // Missing runs count as skipped: they might have passed.
  const missing = Math.max(0, planned - runs - skipped - row.uncounted);
  const counts = { passed, failed, timeout: row.timeouts, error: row.errors, unmeasured };
  const end = settleCounts({ ...counts, skipped: skipped + missing }, passRule);
  return {
    test_id: row.test_id,
    case_id: row.case_id,
    variables: parseJsonOrNull(row.variables),
    variables_sha256: row.variables_sha256,
    line: row.line,
    status: end.status,
    runs,
    passed,
    measured,
    pass_rate: end.pass_rate,
    avg_duration_ms: measured === 0 ? null : row.duration_ms / measured,
    ...(end.undecided === true && { undecided: true }),
  };
}

function byPosition(a: StoredCase, b: StoredCase): number {
  return (
    compareText(a.test_id, b.test_id) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.case_id, b.case_id) ||
    compareText(a.variables_sha256, b.variables_sha256)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
