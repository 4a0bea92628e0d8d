// Writes one batch of a recorder: results, the counts of their cases, and possibly the end of the run.

import { sql } from 'kysely';
import { caseKey } from '../../model/case-key.ts';
import type { ProvenanceEvent, ResumeEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import type { Connection, Database } from './connection.ts';
import { addDefinitions } from './definitions.ts';
import type { CountedRow, ResultRow } from './event-rows.ts';
import { gitRow, NO_COUNTS, resultCounts, startRow, summaryRow, time } from './event-rows.ts';
import type { Compiled } from './many-rows.ts';
import { executeMany } from './many-rows.ts';
import type { CaseSums, RunCasesTable, SummaryColumns } from './schema.ts';
import { COUNT_COLUMNS, SPENT_COLUMNS } from './schema.ts';

export type Batch = {
  start: StartEvent;
  results: readonly ResultRow[];
  provenance?: ProvenanceEvent | undefined;
  /** The last end event. */
  end?: SummaryEvent | ResumeEvent | undefined;
};

type CaseRow = Omit<RunCasesTable, 'run_no' | keyof CaseSums> & CaseSums;

/** Writes a batch atomically. Writing it again changes nothing, so it may be retried. */
export async function writeBatch(connection: Connection, compiled: Compiled, batch: Batch): Promise<void> {
  const results = lastOfEachKey(batch.results);
  await connection.write(async (db) => {
    const runNo = await findOrAddRun(connection, db, batch.start);
    const earlier = await readEarlier(db, compiled, runNo, results);
    const cases = addedCounts(results, earlier);
    await upsertResults(db, compiled, runNo, results);
    await addToCases(db, compiled, runNo, cases);
    if (batch.provenance !== undefined) await updateGit(db, runNo, batch.provenance);
    if (batch.end?.type === 'summary') await finishRun(db, runNo, batch.end);
    if (batch.end?.type === 'resume') await reopenRun(db, runNo, batch.end);
  });
}

function lastOfEachKey(results: readonly ResultRow[]): ResultRow[] {
  return [...new Map(results.map((row) => [row.key, row])).values()];
}

/** Selects runs and locks them until the transaction ends; in SQLite the transaction locks the whole file. */
export function lockRun({ dialect }: Connection, db: Database) {
  const runs = db.selectFrom('test_runs').select('no');
  return dialect.name === 'postgres' ? runs.forUpdate() : runs;
}

async function findOrAddRun(connection: Connection, db: Database, start: StartEvent): Promise<number> {
  const locked = lockRun(connection, db).select('runs_per_case').where('run_id', '=', start.run_id);
  const known = await locked.executeTakeFirst();
  if (known !== undefined) {
    // It was resumed with more runs of every case.
    if (start.runs_per_case > known.runs_per_case) await updateRuns(db, known.no, start);
    return known.no;
  }
  await db
    .insertInto('test_runs')
    .values(startRow(start))
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .execute();
  const { no } = await locked.executeTakeFirstOrThrow();
  await addDefinitions(db, no, start);
  return no;
}

async function updateRuns(db: Database, runNo: number, start: StartEvent): Promise<void> {
  const { runs_per_case, inputs, flags } = startRow(start);
  await db.updateTable('test_runs').set({ runs_per_case, inputs, flags }).where('no', '=', runNo).execute();
}

const SUMS = [...COUNT_COLUMNS, ...SPENT_COLUMNS];

type Earlier = CountedRow & { key: string };

async function readEarlier(
  db: Database,
  compiled: Compiled,
  runNo: number,
  results: readonly ResultRow[],
): Promise<Map<string, Earlier>> {
  const found = await executeMany<ResultRow, Earlier>(db, compiled, 'read earlier', results, {
    compile: (db, rows) =>
      db
        .selectFrom('results')
        .select(['key', 'test_id', 'case_id', 'variables_sha256', 'status', 'code', 'duration_ms'])
        .select(['usage', 'cost_usd', 'uncounted'])
        .where('run_no', '=', runNo)
        .where(
          'key',
          'in',
          rows.map((row) => row.key),
        )
        .compile(),
    before: [runNo],
    values: (row) => [row.key],
  });
  return new Map(found.map((row) => [row.key, row]));
}

/** Changes to the counts of cases: new results minus the results they replace. */
function addedCounts(results: readonly ResultRow[], earlier: ReadonlyMap<string, Earlier>): CaseRow[] {
  const cases = new Map<string, CaseRow>();
  const count = (row: CountedRow, sign: 1 | -1, source: ResultRow): void => {
    const id = caseKey(row.test_id, row.case_id, row.variables_sha256);
    const known = cases.get(id) ?? emptyCase(row, source);
    const counts = resultCounts(row);
    for (const column of SUMS) known[column] += sign * counts[column];
    cases.set(id, known);
  };
  for (const result of results) {
    const old = earlier.get(result.key);
    if (old !== undefined && isCountedEqually(old, result)) continue;
    if (old !== undefined) count(old, -1, result);
    count(result, 1, result);
  }
  // Sorted by the key of the table, which also gives all writers the same order.
  return [...cases].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function isCountedEqually(a: CountedRow, b: CountedRow): boolean {
  return (
    a.status === b.status &&
    a.code === b.code &&
    a.uncounted === b.uncounted &&
    a.cost_usd === b.cost_usd &&
    a.usage === b.usage &&
    a.duration_ms === b.duration_ms &&
    a.test_id === b.test_id &&
    a.case_id === b.case_id &&
    a.variables_sha256 === b.variables_sha256
  );
}

function emptyCase({ test_id, case_id, variables_sha256 }: CountedRow, source: ResultRow): CaseRow {
  return {
    test_id,
    case_id,
    variables_sha256,
    variables: source.variables ?? null,
    line: source.line ?? null,
    kind: source.kind,
    case_sha: source.case_sha,
    ...NO_COUNTS,
  };
}

async function upsertResults(
  db: Database,
  compiled: Compiled,
  runNo: number,
  results: readonly ResultRow[],
): Promise<void> {
  await executeMany(db, compiled, 'upsert results', results, {
    compile: (db, rows) =>
      db
        .insertInto('results')
        .values(rows.map((row) => ({ run_no: runNo, ...resultColumns(row) })))
        .onConflict((conflict) =>
          conflict.columns(['run_no', 'key']).doUpdateSet((eb) => ({
            kind: eb.ref('excluded.kind'),
            test_id: eb.ref('excluded.test_id'),
            case_id: eb.ref('excluded.case_id'),
            run: eb.ref('excluded.run'),
            agent_id: eb.ref('excluded.agent_id'),
            status: eb.ref('excluded.status'),
            code: eb.ref('excluded.code'),
            error: eb.ref('excluded.error'),
            duration_ms: eb.ref('excluded.duration_ms'),
            variables_sha256: eb.ref('excluded.variables_sha256'),
            variables: eb.ref('excluded.variables'),
            usage: eb.ref('excluded.usage'),
            cost_usd: eb.ref('excluded.cost_usd'),
            line: eb.ref('excluded.line'),
            event: eb.ref('excluded.event'),
            uncounted: eb.ref('excluded.uncounted'),
          })),
        )
        .compile(),
    values: (row) => [runNo, ...Object.values(resultColumns(row))],
  });
}

function resultColumns({ case_sha: _ofCase, ...row }: ResultRow): Omit<ResultRow, 'case_sha'> {
  return row;
}

async function addToCases(
  db: Database,
  compiled: Compiled,
  runNo: number,
  cases: readonly CaseRow[],
): Promise<void> {
  await executeMany(db, compiled, 'add to cases', cases, {
    compile: (db, rows) =>
      db
        .insertInto('run_cases')
        .values(rows.map((row) => ({ run_no: runNo, ...row })))
        .onConflict((conflict) =>
          conflict.columns(['run_no', 'test_id', 'case_id', 'variables_sha256']).doUpdateSet((eb) => ({
            line: eb.ref('excluded.line'),
            passed: eb('run_cases.passed', '+', eb.ref('excluded.passed')),
            failed: eb('run_cases.failed', '+', eb.ref('excluded.failed')),
            timeouts: eb('run_cases.timeouts', '+', eb.ref('excluded.timeouts')),
            errors: eb('run_cases.errors', '+', eb.ref('excluded.errors')),
            unmeasured: eb('run_cases.unmeasured', '+', eb.ref('excluded.unmeasured')),
            skipped: eb('run_cases.skipped', '+', eb.ref('excluded.skipped')),
            duration_ms: eb('run_cases.duration_ms', '+', eb.ref('excluded.duration_ms')),
            kind: eb.ref('excluded.kind'),
            case_sha: eb.ref('excluded.case_sha'),
            uncounted: eb('run_cases.uncounted', '+', eb.ref('excluded.uncounted')),
            cost_usd: eb('run_cases.cost_usd', '+', eb.ref('excluded.cost_usd')),
            tokens: eb('run_cases.tokens', '+', eb.ref('excluded.tokens')),
            unpriced: eb('run_cases.unpriced', '+', eb.ref('excluded.unpriced')),
          })),
        )
        .compile(),
    values: (row) => [runNo, ...Object.values(row)],
  });
}

async function updateGit(db: Database, runNo: number, { git }: ProvenanceEvent): Promise<void> {
  await db.updateTable('test_runs').set(gitRow(git)).where('no', '=', runNo).execute();
}

/** Ignores an older end of the same run, from an older copy of its log. */
async function finishRun(db: Database, runNo: number, summary: SummaryEvent): Promise<void> {
  await db
    .updateTable('test_runs')
    .set(summaryRow(summary))
    .where('no', '=', runNo)
    .where((eb) => eb.or([eb('finished_at', 'is', null), eb('finished_at', '<=', time(summary.timestamp))]))
    .execute();
}

const UNFINISHED: Omit<{ [K in keyof SummaryColumns]: null }, 'min_pass_rate'> = {
  finished_at: null,
  exit_code: null,
  total: null,
  passed: null,
  failed: null,
  skipped: null,
  errors: null,
  timeouts: null,
  total_runs: null,
  stable_cases: null,
  unstable_cases: null,
  overall_pass_rate: null,
  duration_ms: null,
  checks: null,
  usage: null,
  cost_usd: null,
};

/** Clears the end of a run that was resumed. */
async function reopenRun(db: Database, runNo: number, resume: ResumeEvent): Promise<void> {
  await db
    .updateTable('test_runs')
    .set(UNFINISHED)
    .where('no', '=', runNo)
    .where(sql<boolean>`finished_at <= ${time(resume.timestamp)}`)
    .execute();
}
