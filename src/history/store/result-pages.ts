// Reads the results of a run page by page in insertion order, with constant memory.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ResultEvent } from '../../model/event.ts';
import type { Connection, Database } from './connection.ts';
import type { FoundRun } from './runs.ts';
import { parseJson } from './runs.ts';
import type { ResultPage, ResultsFrom } from './store.ts';

const PAGE_ROWS = 500;

/** Row ids: exclusive start, inclusive end. */
type Range = { from: number; to: number };

/** Reads the current results. The position of the last page is where a follower continues. */
export async function* readResultPages(
  connection: Connection,
  { no }: FoundRun,
  { skip = 0, after }: ResultsFrom = {},
): AsyncGenerator<ResultPage> {
  const { from, to } = await connection.read((db) => findRange(connection, db, no, { skip, after }));
  let position = from;
  for (;;) {
    const rows = await connection.read((db) => selectPage(connection, db, no, { from: position, to }));
    const isLast = rows.length < PAGE_ROWS;
    position = isLast && isInOrder(connection) ? Math.max(position, to) : (rows.at(-1)?.id ?? position);
    yield { results: rows.map((row) => parseJson<ResultEvent>(row.event)), position };
    if (isLast) return;
    // SQLite blocks this thread: yield after every page.
    await nextTurn();
  }
}

/** The number of results by run id. */
export async function countResults(
  connection: Connection,
  runIds: readonly string[],
): Promise<Map<string, number>> {
  if (runIds.length === 0) return new Map();
  const rows = await connection.read((db) =>
    db
      .selectFrom('test_runs')
      .select((eb) => [
        'test_runs.run_id',
        eb
          .selectFrom('results')
          .whereRef('results.run_no', '=', 'test_runs.no')
          .select(sql<number>`count(*)`.as('n'))
          .as('results'),
      ])
      .where('test_runs.run_id', 'in', [...runIds])
      .execute(),
  );
  return new Map(rows.map(({ run_id, results }) => [run_id, results ?? 0]));
}

/**
 * True if later rows always have greater ids. SQLite has one writer at a time; in PostgreSQL a transaction may commit after
 * another one that took greater ids.
 */
function isInOrder({ dialect }: Connection): boolean {
  return dialect.name === 'sqlite';
}

async function findRange(
  connection: Connection,
  db: Database,
  no: number,
  { skip, after }: { skip: number; after: number | undefined },
): Promise<Range> {
  if (after !== undefined) return { from: after, to: await lastId(db) };
  const end = await lastId(db);
  const { first, last, count } = await db
    .selectFrom('results')
    .select([sql<number | null>`min(id)`.as('first'), sql<number | null>`max(id)`.as('last')])
    .select(sql<number>`count(*)`.as('count'))
    .where('run_no', '=', no)
    .executeTakeFirstOrThrow();
  if (first === null || last === null) return { from: isInOrder(connection) ? end : 0, to: end };
  if (skip === 0) return { from: first - 1, to: last };
  if (skip >= count) return { from: last, to: last };
  // The ids have no gaps: no need to sort.
  if (last - first + 1 === count) return { from: first - 1 + skip, to: last };
  const skipped = await db
    .selectFrom('results')
    .select('id')
    .where('run_no', '=', no)
    .orderBy('id')
    .limit(1)
    .offset(skip - 1)
    .executeTakeFirst();
  return { from: skipped?.id ?? last, to: last };
}

async function lastId(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from results`.execute(db);
  return rows[0]?.id ?? 0;
}

async function selectPage(
  connection: Connection,
  db: Database,
  no: number,
  { from, to }: Range,
): Promise<{ id: number; event: string }[]> {
  // Reads by row id, because the rows of a run are adjacent. The plus keeps SQLite from using the index by key, after which it
  // would have to sort all rows for every page.
  const run = connection.dialect.name === 'sqlite' ? sql`+run_no` : sql`run_no`;
  const { rows } = await sql<{ id: number; event: string }>`
    select id, event from results where id > ${from} and id <= ${to} and ${run} = ${no}
    order by id limit ${sql.lit(PAGE_ROWS)}`.execute(db);
  return rows;
}
