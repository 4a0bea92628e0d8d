// Cases whose outcomes differ although nothing changed. The database finds candidates; only their counts are read.

import { sql } from 'kysely';
import { caseKey } from '../../model/case-key.ts';
import { historyOf } from '../../stats/flaky.ts';
import type { Connection, Database } from './connection.ts';
import { parseJsonOrNull } from './runs.ts';
import type { FlakyCase, FlakyCases } from './store.ts';

/** How many of the newest runs, and of the newest outcomes of a case, count. */
const NEWEST_RUNS = 100;
const NEWEST_OUTCOMES = 100;
const MAX_CANDIDATES = 1000;

type Row = {
  run_no: number;
  test_id: string;
  case_id: string;
  variables_sha256: string;
  variables: string | null;
  case_sha: string | null;
  passed: number;
  measured: number;
};
type Run = { run_id: string; version: string };

/** Flaky and changed cases in the newest runs, those that flip most first. */
export async function listFlakyCases(connection: Connection): Promise<FlakyCases> {
  return connection.read(async (db) => {
    const runs = await newestRuns(db);
    if (runs.size === 0) return { cases: [], is_complete: true };
    const cases = new Map<string, Row[]>();
    for (const row of await candidateRows(db, [...runs.keys()])) {
      const key = caseKey(row.test_id, row.case_id, row.variables_sha256);
      const known = cases.get(key);
      if (known === undefined) cases.set(key, [row]);
      else known.push(row);
    }
    const found = [...cases.values()].flatMap((rows) => describeCase(rows, runs) ?? []);
    return {
      cases: found.sort((a, b) => b.flip_rate - a.flip_rate),
      is_complete: cases.size < MAX_CANDIDATES,
    };
  });
}

/** Runs by their number, newest first. Replayed runs say nothing about the agent of today. */
export async function newestRuns(db: Database): Promise<Map<number, Run>> {
  const rows = await db
    .selectFrom('test_runs')
    .select(['no', 'run_id', 'agent_sha256', 'judge_sha256', 'connector', 'flags'])
    .orderBy('started_at', 'desc')
    .orderBy('no', 'desc')
    .limit(NEWEST_RUNS)
    .execute();
  const played = rows.filter(
    ({ flags }) => typeof parseJsonOrNull<{ replay?: unknown }>(flags)?.replay !== 'string',
  );
  return new Map(
    played.map(({ no, run_id, agent_sha256, judge_sha256, connector }) => [
      no,
      { run_id, version: JSON.stringify([agent_sha256, judge_sha256, connector]) },
    ]),
  );
}

const FAILED = sql`(failed + timeouts + errors)`;

/** Two of each outcome are the least that can be flaky. */
async function candidateRows(db: Database, runNos: readonly number[]): Promise<Row[]> {
  const numbers = sql.join(runNos.map((no) => sql.lit(no)));
  const { rows } = await sql<Row>`
    with candidates as (
      select test_id, case_id, variables_sha256 from run_cases where run_no in (${numbers})
      group by test_id, case_id, variables_sha256 having sum(passed) >= 2 and sum(${FAILED}) >= 2
      order by test_id, case_id, variables_sha256 limit ${sql.lit(MAX_CANDIDATES)})
    select c.run_no, c.test_id, c.case_id, c.variables_sha256, c.variables, c.case_sha, c.passed,
      c.passed + c.failed + c.timeouts + c.errors as measured
    from candidates join run_cases c on c.test_id = candidates.test_id and c.case_id = candidates.case_id
      and c.variables_sha256 = candidates.variables_sha256 and c.run_no in (${numbers})`.execute(db);
  return rows;
}

/** Only runs of the version that ran last count. */
function describeCase(rows: readonly Row[], runs: ReadonlyMap<number, Run>): FlakyCase | undefined {
  const byRun = new Map(rows.map((row) => [row.run_no, row]));
  const newestFirst = [...runs.keys()].flatMap((no) => byRun.get(no) ?? []);
  const [newest] = newestFirst;
  if (newest === undefined) return undefined;
  const versionOf = (row: Row): string => `${runs.get(row.run_no)?.version ?? ''} ${row.case_sha ?? ''}`;
  const same = newestFirst.filter((row) => versionOf(row) === versionOf(newest));
  const outcomes = same.toReversed().flatMap(spreadOutcomes).slice(-NEWEST_OUTCOMES);
  const { kind, flip } = historyOf(outcomes);
  if (kind !== 'flaky' && kind !== 'changed') return undefined;
  return {
    test_id: newest.test_id,
    case_id: newest.case_id,
    variables: parseJsonOrNull(newest.variables),
    kind,
    passed: outcomes.filter(Boolean).length,
    runs: outcomes.length,
    flip_rate: flip,
    passes_now: newest.passed === newest.measured,
    last_run_id: runs.get(newest.run_no)?.run_id ?? '',
  };
}

/** The outcomes of repetitions within one run; only their counts are known, so failures are spread evenly. */
function spreadOutcomes({ passed, measured }: Row): boolean[] {
  return Array.from(
    { length: measured },
    (_, index) => Math.floor(((index + 1) * passed) / measured) > Math.floor((index * passed) / measured),
  );
}
