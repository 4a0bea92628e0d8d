// Brings the tables of a database up to date. Forward only.

import { sql } from 'kysely';
import { ConfigError } from '../../errors.ts';
import type { Connection, Database } from './connection.ts';
import type { Dialect } from './migrations.ts';
import { MIGRATIONS } from './migrations.ts';

export type MigrateOptions = { readOnly?: boolean; migrations?: typeof MIGRATIONS };

/** Brings the tables up to date. If several programs start at once, one migrates and the others wait. */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<void> {
  const { readOnly = false, migrations = MIGRATIONS } = options;
  const { place, dialect } = connection;
  const found = await connection.read((db) => readVersion(db, dialect));
  refuseNewer(found, migrations.length, place);
  if (found === migrations.length) return;
  if (readOnly) {
    throw new ConfigError(`the history ${place} was created by an older version of Assay`, {
      hint: 'open it once with write access to bring it up to date',
    });
  }
  await connection.write(async (db) => {
    // 1. lock  2. read the version again, another program may have migrated  3. apply the missing migrations
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

/** The number of applied migrations; zero without our table. */
async function readVersion(db: Database, { name }: Dialect): Promise<number> {
  const query =
    name === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'assay_schema'`
      : // Not to_regclass, which would use a catalog snapshot from before the lock.
        sql`select 1 from pg_catalog.pg_class where relname = 'assay_schema' and pg_table_is_visible(oid)`;
  if ((await query.execute(db)).rows.length === 0) return 0;
  const { rows } = await sql<{ version: number }>`select version from assay_schema`.execute(db);
  return rows[0]?.version ?? 0;
}

function refuseNewer(found: number, known: number, place: string): void {
  if (found <= known) return;
  throw new ConfigError(
    `the history ${place} was created by a newer version of Assay: its tables have version ${found}, this program knows ${known}`,
    { hint: 'install that version of Assay, or use another history' },
  );
}
