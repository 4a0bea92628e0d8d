// A database of any age in, one with today's tables out. Forward only.

import { sql } from 'kysely';
import { ConfigError } from '../../errors.ts';
import type { Connection, Database } from './connection.ts';
import type { Dialect } from './migrations.ts';
import { MIGRATIONS } from './migrations.ts';

export type MigrateOptions = { readOnly?: boolean; migrations?: typeof MIGRATIONS };

/** Brings the tables up to date; of several programs that start at once, one does it and the others wait. */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<void> {
  const { readOnly = false, migrations = MIGRATIONS } = options;
  const { place, dialect } = connection;
  const found = await connection.read((db) => readVersion(db, dialect));
  refuseNewer(found, migrations.length, place);
  if (found === migrations.length) return;
  if (readOnly) {
    throw new ConfigError(`the history ${place} was made by an older version of Assay`, {
      hint: 'open it once with the right to write, so that it can be brought up to date',
    });
  }
  await connection.write(async (db) => {
    // 1. keep others out  2. look again, they may have been quicker  3. do what is left
    await connection.lockSchema(db);
    const version = await readVersion(db, dialect);
    refuseNewer(version, migrations.length, place);
    if (version === 0) await sql`create table assay_schema (version integer not null)`.execute(db);
    if (version === 0) await sql`insert into assay_schema (version) values (0)`.execute(db);
    for (const migration of migrations.slice(version)) {
      for (const statement of migration(dialect)) await sql.raw(statement).execute(db);
    }
    await sql`update assay_schema set version = ${migrations.length}`.execute(db);
  });
}

/** How many migrations were done; a database without our table has had none. */
async function readVersion(db: Database, { name }: Dialect): Promise<number> {
  const query =
    name === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'assay_schema'`
      : // Not to_regclass, which remembers that there was no such table from before the lock.
        sql`select 1 from pg_catalog.pg_class where relname = 'assay_schema' and pg_table_is_visible(oid)`;
  if ((await query.execute(db)).rows.length === 0) return 0;
  const { rows } = await sql<{ version: number }>`select version from assay_schema`.execute(db);
  return rows[0]?.version ?? 0;
}

function refuseNewer(found: number, known: number, place: string): void {
  if (found <= known) return;
  throw new ConfigError(
    `the history ${place} was made by a newer version of Assay: its tables have version ${found}, this program knows ${known}`,
    { hint: 'install that version of Assay, or name another place for the history' },
  );
}
