// Many rows in few statements: each is compiled once for a number of rows, and used again with other values.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { Database } from './connection.ts';

/** Numbers of rows that statements are made for, the largest first: two milliseconds of SQLite at most. */
const SIZES = [50, 10, 1] as const;

/** Makes the statement for some rows; its parameters must be those of `values`, row by row. */
export type BatchStatement<Row> = {
  compile(db: Database, rows: readonly Row[]): CompiledQuery;
  /** What comes before the rows' own values. */
  before?: readonly unknown[];
  values(row: Row): readonly unknown[];
};

/** Remembers statements by what they do and for how many rows. */
export type Compiled = Map<string, CompiledQuery>;

/** Executes a statement for all rows; gives what it returned. */
export async function executeMany<Row, Returned = unknown>(
  db: Database,
  compiled: Compiled,
  purpose: string,
  rows: readonly Row[],
  statement: BatchStatement<Row>,
): Promise<Returned[]> {
  const returned: Returned[] = [];
  let start = 0;
  for (const size of SIZES) {
    for (; rows.length - start >= size; start += size) {
      const batch = rows.slice(start, start + size);
      const id = `${purpose} ${size}`;
      const query = compiled.get(id) ?? statement.compile(db, batch);
      compiled.set(id, query);
      const parameters: unknown[] = [...(statement.before ?? [])];
      for (const row of batch) parameters.push(...statement.values(row));
      const result = await db.executeQuery<Returned>({ ...query, parameters });
      for (const row of result.rows) returned.push(row);
      // SQLite works in this thread: others get their turn after every statement.
      await nextTurn();
    }
  }
  return returned;
}
