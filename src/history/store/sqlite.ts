// A path in, a connection to an SQLite file out.

import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { ConfigError } from '../../errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { stateFolder } from '../../platform/state-folder.ts';
import type { Driver } from './connection.ts';
import type { Tables } from './schema.ts';
import { StoreError, storeError } from './store-error.ts';

/** What `node:sqlite` and the package that stands in for it have in common. */
type PlainStatement = {
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: unknown[]): IterableIterator<unknown>;
};
type PlainDatabase = { exec(sql: string): void; prepare(sql: string): PlainStatement; close(): void };
type DatabaseClass = new (path: string, options: { readOnly: boolean; timeout: number }) => PlainDatabase;

/** Longer waits happen outside, so that this thread goes on meanwhile. */
const BUSY_TIMEOUT_MS = 20;
const KEPT_STATEMENTS = 100;
/**
 * The write-ahead log is moved into the file every 64 MB: more often would write the same pages again and again, and more
 * rarely leave much to do at the end.
 */
const CHECKPOINT_PAGES = 16_000;

/** Opens a file, and makes it with its folder if it is not there. */
export async function openSqlite(path: string, { readOnly = false } = {}): Promise<Driver> {
  const place = resolve(path);
  const file = openFile(place, readOnly);
  let hasWritten = false;
  const shim = shimOf(file, () => hasWritten);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: shim }) });
  const inode = inodeOf(place);
  return {
    place,
    dialect: {
      name: 'sqlite',
      id: 'integer primary key autoincrement',
      json: 'text',
      clustered: ' without rowid',
    },
    db,
    transact: (work) =>
      db.connection().execute(async (connection) => {
        // SQLite would go on writing into a file that was deleted.
        if (inodeOf(place) !== inode) throw new StoreError('lost', place, { detail: 'the file is gone' });
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        hasWritten = true;
        try {
          const value = await work(connection);
          await connection.executeQuery(CompiledQuery.raw('commit'));
          return value;
        } catch (error) {
          // Some errors end the transaction by themselves; what counts is the first one.
          await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
          throw error;
        }
      }),
    // The transaction has locked the whole file.
    lockSchema: async () => undefined,
    passing: ['locked'],
  };
}

function openFile(place: string, readOnly: boolean): PlainDatabase {
  if (readOnly && inodeOf(place) === undefined) {
    throw new ConfigError(`there is no history in ${place}`, { hint: 'assay import <log> brings runs in' });
  }
  const Database = databaseClass();
  let file: PlainDatabase | undefined;
  try {
    if (!readOnly) makeHome(dirname(place));
    file = new Database(place, { readOnly, timeout: BUSY_TIMEOUT_MS });
    if (!readOnly) file.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal');
    file.exec('pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -8000');
    file.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma journal_size_limit = 16777216`);
    return file;
  } catch (cause) {
    file?.close();
    throw storeError(place, cause);
  }
}

function makeHome(folder: string): void {
  if (basename(folder) === '.assay') stateFolder(dirname(folder));
  else makeFolder(folder);
}

function inodeOf(place: string): number | undefined {
  return statSync(place, { throwIfNoEntry: false })?.ino;
}

function databaseClass(): DatabaseClass {
  const builtIn = withoutWarnings(() => process.getBuiltinModule('node:sqlite'));
  // Casts, because both are described above as far as they are used.
  if (builtIn !== undefined) return (builtIn as { DatabaseSync: DatabaseClass }).DatabaseSync;
  const require = createRequire(import.meta.url);
  return (require('@photostructure/sqlite') as { DatabaseSync: DatabaseClass }).DatabaseSync;
}

/** Node 22 calls its own SQLite experimental on the first use, which is nothing users can act on. */
function withoutWarnings<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Kysely expects another library; this makes it at home here, and keeps statements that were prepared. */
function shimOf(file: PlainDatabase, hasWritten: () => boolean): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close() {
      if (hasWritten()) moveWriteAhead(file);
      file.close();
    },
    prepare(sql) {
      const known = kept.get(sql);
      if (known !== undefined) return known;
      const statement = shimOfStatement(file.prepare(sql), sql);
      if (kept.size < KEPT_STATEMENTS) kept.set(sql, statement);
      return statement;
    },
  };
}

/** The last to close a file does this by itself, but not while statements wait for the garbage collector. */
function moveWriteAhead(file: PlainDatabase): void {
  try {
    file.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // What was committed is safe where it is; the next who opens the file moves it.
  }
}

function shimOfStatement(statement: PlainStatement, sql: string): SqliteStatement {
  return {
    reader: /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql),
    all: (parameters) => statement.all(...parameters),
    run: (parameters) => statement.run(...parameters),
    iterate: (parameters) => statement.iterate(...parameters),
  };
}
