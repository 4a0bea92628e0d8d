// A run of the history as one side of a comparison.

import { sql } from 'kysely';
import { agentHashes, countedOfAuto, gradedRun, isAuto, replayFolder } from '../../compare/side-fold.ts';
import type { SideRun } from '../../model/comparison.ts';
import type { Side, SideCase } from '../../compare/side.ts';
import { caseKey } from '../../model/case-key.ts';
import type { CaseScores } from '../../model/scores.ts';
import type { KindId } from '../../model/subject.ts';
import { isDeterministic } from '../../model/subject.ts';
import { caseRules, toStoredCase } from './cases.ts';
import type { Connection, Database } from './connection.ts';
import { parseJsonOrNull } from './runs.ts';
import type { FoundRun } from './runs.ts';
import type { RunCasesTable } from './schema.ts';
import type { StoredRun } from './store.ts';
import { readScores } from './stored-scores.ts';

/** How many of the newest runs show that a test without a model flips all the same. */
const NEWEST_RUNS = 100;

type Row = Omit<RunCasesTable, 'run_no'>;

/** The cases of a run with what was measured of each. */
export async function readSide(connection: Connection, { no, run }: FoundRun): Promise<Side> {
  const scores = await readScores(connection, no, isAuto(run.flags) ? countedOfAuto(run.flags) : undefined);
  return connection.read(async (db) => {
    const rows = isAuto(run.flags)
      ? await firstAttempts(db, no, countedOfAuto(run.flags))
      : await countedCases(db, no);
    const flipped = run.kinds.some((kind) => isDeterministic(kind as KindId)) ? await flippedTests(db) : NONE;
    const rules = caseRules(run);
    // Logs of older versions do not say the kind of a case.
    const [usual = 'agent-eval'] = run.kinds;
    return {
      runs: [toSideRun(run)],
      cases: rows.map((row) => toSideCase(row, { rules, usual, flipped, scores })),
    };
  });
}

const NONE: ReadonlySet<string> = new Set();

async function countedCases(db: Database, no: number): Promise<Row[]> {
  return db
    .selectFrom('run_cases')
    .selectAll()
    .where('run_no', '=', no)
    .orderBy('test_id')
    .orderBy('case_id')
    .orderBy('variables_sha256')
    .execute();
}

/** Counts the first attempts of each case only. */
async function firstAttempts(db: Database, no: number, count: number): Promise<Row[]> {
  const isUnmeasured = sql`(status = 'error' and (code is null or code <> 'agent'))`;
  const { rows } = await sql<Row>`
    with first as (select test_id, case_id, variables_sha256,
        sum(case when status = 'passed' then 1 else 0 end) as passed,
        sum(case when status = 'failed' then 1 else 0 end) as failed,
        sum(case when status = 'timeout' then 1 else 0 end) as timeouts,
        sum(case when status = 'error' and code = 'agent' then 1 else 0 end) as errors,
        sum(case when ${isUnmeasured} then 1 else 0 end) as unmeasured,
        sum(case when status = 'skipped' then 1 else 0 end) as skipped,
        sum(case when status = 'skipped' or ${isUnmeasured} then 0 else duration_ms end) as duration_ms
      from results where run_no = ${sql.lit(no)} and run <= ${sql.lit(count)} and uncounted is null
      group by test_id, case_id, variables_sha256)
    select first.*, c.uncounted, c.variables, c.line, c.kind, c.case_sha, c.cost_usd, c.tokens, c.unpriced
    from first join run_cases c on c.run_no = ${sql.lit(no)} and c.test_id = first.test_id and c.case_id = first.case_id
      and c.variables_sha256 = first.variables_sha256
    order by first.test_id, first.case_id, first.variables_sha256`.execute(db);
  return rows;
}

/** Tests that passed and failed on the same clean commit. */
async function flippedTests(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<Pick<Row, 'case_id' | 'test_id' | 'variables_sha256'>>`
    with newest as (select no, git_commit, agent_sha256 from test_runs
      where git_commit is not null and git_dirty = 0 order by started_at desc, no desc limit ${sql.lit(NEWEST_RUNS)})
    select distinct c.test_id, c.case_id, c.variables_sha256 from newest join run_cases c on c.run_no = newest.no
    group by c.test_id, c.case_id, c.variables_sha256, newest.git_commit, newest.agent_sha256
    having sum(c.passed) > 0 and sum(c.failed + c.timeouts + c.errors) > 0`.execute(db);
  return new Set(rows.map((row) => caseKey(row.test_id, row.case_id, row.variables_sha256)));
}

type CaseContext = {
  rules: ReturnType<typeof caseRules>;
  usual: string;
  flipped: ReadonlySet<string>;
  scores: ReadonlyMap<string, CaseScores>;
};

function toSideCase(row: Row, { rules, usual, flipped, scores: all }: CaseContext): SideCase {
  const { test_id, case_id, passed } = row;
  const key = caseKey(test_id, case_id, row.variables_sha256);
  const scores = all.get(key);
  const { status, measured, avg_duration_ms } = toStoredCase(row, rules);
  const attempts = measured + row.unmeasured;
  const isPriced = row.cost_usd !== null && row.unpriced === 0 && attempts > 0;
  return {
    test_id,
    case_id,
    variables: parseJsonOrNull(row.variables),
    // Only this program writes the column.
    kind: (row.kind ?? usual) as KindId,
    status,
    content: row.case_sha,
    passed,
    measured,
    unmeasured: row.unmeasured,
    duration_ms: avg_duration_ms,
    cost_usd: isPriced && row.cost_usd !== null && row.cost_usd > 0 ? row.cost_usd / attempts : null,
    tokens: row.tokens === null || row.tokens === 0 || attempts === 0 ? null : row.tokens / attempts,
    ...(scores !== undefined && { scores }),
    flips: (passed > 0 && passed < measured) || flipped.has(key),
  };
}

function toSideRun(run: StoredRun): SideRun {
  return {
    run_id: run.run_id,
    started_at: run.started_at,
    commit: run.git?.commit ?? null,
    agent_id: run.agent_id,
    agent_sha256: agentHashes(run.inputs),
    connector: run.connector,
    judge_sha256: run.judge_sha256,
    is_auto: isAuto(run.flags),
    replayed_from: replayFolder(run.flags),
    ...gradedRun(run),
  };
}
