// The scores of a stored run: verdicts are in the events, which are read only where they have a score.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { caseKey } from '../../model/case-key.ts';
import type { ResultEvent } from '../../model/event.ts';
import type { CaseScores } from '../../model/scores.ts';
import { addScores, attemptScores } from '../../model/scores.ts';
import type { Connection, Database } from './connection.ts';
import { parseJson } from './runs.ts';

/** Row ids that one query looks at. */
const PAGE_IDS = 5000;

type Row = { test_id: string; case_id: string; variables_sha256: string; event: string };

/** The scores of each case by its key; of the first attempts only, if `attempts` says how many count. */
export async function readScores(
  connection: Connection,
  no: number,
  attempts?: number,
): Promise<Map<string, CaseScores>> {
  const cases = new Map<string, CaseScores>();
  const { first, last } = await connection.read((db) => findIds(db, no));
  if (first === null || last === null) return cases;
  for (let from = first - 1; from < last; from += PAGE_IDS) {
    const to = Math.min(last, from + PAGE_IDS);
    for (const row of await connection.read((db) => selectScored(connection, db, no, { from, to, attempts })))
      addRow(cases, row);
    // SQLite blocks this thread: yield after every page.
    await nextTurn();
  }
  return cases;
}

async function findIds(db: Database, no: number): Promise<{ first: number | null; last: number | null }> {
  return db
    .selectFrom('results')
    .select([sql<number | null>`min(id)`.as('first'), sql<number | null>`max(id)`.as('last')])
    .where('run_no', '=', no)
    .executeTakeFirstOrThrow();
}

/** Reads by row id, because the rows of a run are adjacent; the plus keeps SQLite from using the index by key. */
async function selectScored(
  { dialect }: Connection,
  db: Database,
  no: number,
  { from, to, attempts }: { from: number; to: number; attempts: number | undefined },
): Promise<Row[]> {
  const isSqlite = dialect.name === 'sqlite';
  const run = isSqlite ? sql`+run_no` : sql`run_no`;
  const hasScore = isSqlite ? sql`instr(event, '"score"') > 0` : sql`strpos(event::text, '"score"') > 0`;
  const counted = attempts === undefined ? sql`` : sql`and run <= ${sql.lit(attempts)}`;
  const { rows } = await sql<Row>`
    select test_id, case_id, variables_sha256, event from results
    where id > ${from} and id <= ${to} and ${run} = ${no} and uncounted is null ${counted} and ${hasScore}
    order by id`.execute(db);
  return rows;
}

function addRow(cases: Map<string, CaseScores>, row: Row): void {
  const scores = attemptScores(parseJson<ResultEvent>(row.event));
  if (scores === undefined) return;
  const key = caseKey(row.test_id, row.case_id, row.variables_sha256);
  const sums = cases.get(key) ?? new Map();
  addScores(sums, scores);
  cases.set(key, sums);
}
