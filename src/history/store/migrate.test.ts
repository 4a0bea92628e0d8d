import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { connect } from './connection.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';
import { openSqlite } from './sqlite.ts';

const one: Migration = () => ['create table a (x text)', "insert into a values ('kept')"];
const two: Migration = () => ['alter table a add column y text'];
const broken: Migration = () => ['create table b (x text)', 'create tabel c (x text)'];

async function newConnection(): Promise<Connection> {
  const place = join(mkdtempSync(join(tmpdir(), 'assay-migrate-')), 'history.db');
  return connect(await openSqlite(place), { waitMs: 1000, transient: ['locked'] });
}

function rows(connection: Connection, query: string): Promise<unknown[]> {
  return connection.read(async (db) => (await sql.raw(query).execute(db)).rows);
}

test('does only what is left to do, and keeps what is there', async () => {
  const connection = await newConnection();
  await migrate(connection, { migrations: [one] });
  await migrate(connection, { migrations: [one, two] });
  await migrate(connection, { migrations: [one, two] });
  expect(await rows(connection, 'select * from a')).toEqual([{ x: 'kept', y: null }]);
  expect(await rows(connection, 'select * from assay_schema')).toEqual([{ version: 2 }]);
  await connection.close();
});

test('leaves everything as it was when a step fails', async () => {
  const connection = await newConnection();
  await migrate(connection, { migrations: [one] });
  await expect(migrate(connection, { migrations: [one, two, broken] })).rejects.toThrow('syntax error');
  expect(await rows(connection, 'select * from a')).toEqual([{ x: 'kept' }]);
  expect(await rows(connection, "select name from sqlite_master where name = 'b'")).toEqual([]);
  expect(await rows(connection, 'select * from assay_schema')).toEqual([{ version: 1 }]);
  await connection.close();
});

test('does not bring a database up to date that is only read', async () => {
  const connection = await newConnection();
  await migrate(connection, { migrations: [one] });
  await expect(migrate(connection, { migrations: [one, two], readOnly: true })).rejects.toMatchObject({
    message: `the history ${connection.place} was created by an older version of Assay`,
    problems: [{ hint: 'open it once with write access to bring it up to date' }],
  });
  await connection.close();
});
