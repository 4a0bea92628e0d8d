// Executes statements for many rows at once; each statement is compiled once and reused with other values.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { Database } from './connection.ts';

/** Rows per statement, largest first; the largest takes SQLite at most two milliseconds. */
const SIZES = [50, 10, 1] as const;

/** Compiles the statement for some rows; its parameters must be those of `values`, row by row. */
export type BatchStatement<Row> = {
  compile(db: Database, rows: readonly Row[]): CompiledQuery;
  /** Parameters before those of the rows. */
  before?: readonly unknown[];
  values(row: Row): readonly unknown[];
};

/** Compiled statements by purpose and number of rows. */
export type Compiled = Map<string, CompiledQuery>;

/** Executes a statement for all rows; returns the rows it returns. */
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
      // SQLite blocks this thread: yield after every statement.
      await nextTurn();
    }
  }
  return returned;
}
