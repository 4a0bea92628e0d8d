// Opens an SQLite file.

import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { ConfigError } from '../../errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { vendoredFile } from '../../platform/vendored.ts';
import { stateFolder } from '../../platform/state-folder.ts';
import type { Driver } from './connection.ts';
import type { Tables } from './schema.ts';
import { StoreError, toStoreError } from './store-error.ts';
import { programName } from '../../platform/how-started.ts';

/** The common interface of `node:sqlite` and the package that replaces it. */
type PlainStatement = {
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: unknown[]): IterableIterator<unknown>;
  /** Missing before Node 22.16. */
  setReturnArrays?(isOn: boolean): void;
  columns?(): { name: string }[];
};
type PlainDatabase = { exec(sql: string): void; prepare(sql: string): PlainStatement; close(): void };
type DatabaseClass = new (path: string, options: { readOnly: boolean; timeout: number }) => PlainDatabase;

/** Short, because SQLite's wait blocks this thread; longer waits are retries. */
const BUSY_TIMEOUT_MS = 20;
const MAX_STATEMENTS = 100;
/**
 * Checkpoint the write-ahead log every 64 MB: more often would write the same pages repeatedly, less often would leave much
 * work for the end.
 */
const CHECKPOINT_PAGES = 16_000;

/** Opens a file; creates it and its folder if necessary. */
export async function openSqlite(path: string, { readOnly = false } = {}): Promise<Driver> {
  const place = resolve(path);
  const file = openFile(place, readOnly);
  let hasWritten = false;
  const shim = adaptDatabase(file, () => hasWritten);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: shim }) });
  const inode = readInode(place);
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
        // SQLite would keep writing to a deleted file.
        if (readInode(place) !== inode) throw new StoreError('lost', place, { detail: 'the file is gone' });
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        hasWritten = true;
        try {
          const value = await work(connection);
          await connection.executeQuery(CompiledQuery.raw('commit'));
          return value;
        } catch (error) {
          // Some errors have ended the transaction already; report the first error.
          await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
          throw error;
        }
      }),
    // A transaction locks the whole file.
    lockSchema: async () => undefined,
    transient: ['locked'],
  };
}

function openFile(place: string, readOnly: boolean): PlainDatabase {
  if (readOnly && readInode(place) === undefined) {
    throw new ConfigError(`there is no history in ${place}`, {
      hint: `${programName()} import <log> brings runs in`,
    });
  }
  const Database = databaseClass();
  let file: PlainDatabase | undefined;
  try {
    if (!readOnly) makeParentFolder(dirname(place));
    file = new Database(place, { readOnly, timeout: BUSY_TIMEOUT_MS });
    if (!readOnly) file.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal');
    file.exec('pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -8000');
    file.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma journal_size_limit = 16777216`);
    return file;
  } catch (cause) {
    file?.close();
    throw toStoreError(place, cause);
  }
}

function makeParentFolder(folder: string): void {
  if (basename(folder) === '.assay') stateFolder(dirname(folder));
  else makeFolder(folder);
}

function readInode(place: string): number | undefined {
  return statSync(place, { throwIfNoEntry: false })?.ino;
}

function databaseClass(): DatabaseClass {
  const builtIn = withoutWarnings(() => process.getBuiltinModule('node:sqlite'));
  // Safe: the types above describe the used part of both.
  if (builtIn !== undefined) return (builtIn as { DatabaseSync: DatabaseClass }).DatabaseSync;
  const require = createRequire(import.meta.url);
  const library: unknown = require(vendoredFile('./sqlite/dist/index.cjs') ?? '@photostructure/sqlite');
  return (library as { DatabaseSync: DatabaseClass }).DatabaseSync;
}

/** Hides Node 22's warning that SQLite is experimental: users cannot act on it. */
function withoutWarnings<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Adapts the database to the interface that Kysely expects, and caches prepared statements. */
function adaptDatabase(file: PlainDatabase, hasWritten: () => boolean): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close() {
      if (hasWritten()) checkpoint(file);
      file.close();
    },
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = adaptStatement(file.prepare(sql), sql);
      if (prepared.size < MAX_STATEMENTS) prepared.set(sql, statement);
      return statement;
    },
  };
}

/** SQLite checkpoints when the last connection closes, but not while statements await garbage collection. */
function checkpoint(file: PlainDatabase): void {
  try {
    file.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // Committed data is safe in the write-ahead log; the next connection moves it.
  }
}

function adaptStatement(statement: PlainStatement, sql: string): SqliteStatement {
  const read = rowReader(statement);
  return {
    reader: /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql),
    all: (parameters) => read(parameters),
    run: (parameters) => statement.run(...parameters),
    iterate: (parameters) => statement.iterate(...parameters),
  };
}

/**
 * Reads rows as arrays and makes the objects here: SQLite's own objects have no prototype, and V8 keeps such objects in hash
 * tables, which take twice the time and much more memory.
 */
function rowReader(statement: PlainStatement): (parameters: readonly unknown[]) => unknown[] {
  if (statement.setReturnArrays === undefined || statement.columns === undefined)
    return (parameters) => statement.all(...parameters);
  return (parameters) => {
    const names = statement.columns?.().map(({ name }) => name) ?? [];
    statement.setReturnArrays?.(true);
    try {
      // A cast, because the statement returns arrays now.
      return (statement.all(...parameters) as unknown[][]).map((values) => toRow(names, values));
    } finally {
      statement.setReturnArrays?.(false);
    }
  };
}

function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = values[at];
  return row;
}
