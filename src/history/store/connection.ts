// What the rest of the store knows of a database: one query layer, and transactions that are tried again.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Dialect } from './migrations.ts';
import type { Tables } from './schema.ts';
import type { StoreReason } from './store-error.ts';
import { StoreError, storeError } from './store-error.ts';

export type Database = Kysely<Tables>;

/** What one kind of database provides. */
export type Driver = {
  /** The address without secrets, for messages. */
  place: string;
  dialect: Dialect;
  db: Database;
  /** Runs work in one transaction that no other writer of the same rows can get into. */
  transact<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Keeps other programs out until the transaction ends, before tables are made. */
  lockSchema(db: Database): Promise<void>;
  /** What may be over a moment later. */
  passing: readonly StoreReason[];
};

export type Connection = {
  place: string;
  dialect: Dialect;
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** The work may be done several times: it must not count on anything but the database. */
  write<T>(work: (db: Database) => Promise<T>): Promise<T>;
  lockSchema(db: Database): Promise<void>;
  close(): Promise<void>;
};

/** How long what passes is waited for, and what passes. */
export type Patience = { waitMs: number; passing: readonly StoreReason[] };

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/** Makes a driver patient, and its errors readable. */
export function connect(driver: Driver, patience: Patience): Connection {
  const { place, dialect, db } = driver;
  return {
    place,
    dialect,
    read: (work) => tryAgain(place, patience, () => work(db)),
    write: (work) => tryAgain(place, patience, () => driver.transact(work)),
    lockSchema: (transaction) => driver.lockSchema(transaction),
    close: () => db.destroy(),
  };
}

/** Waits outside of the database, because SQLite's own waiting would stop everything else in this process. */
export async function tryAgain<T>(place: string, patience: Patience, work: () => Promise<T>): Promise<T> {
  const end = Date.now() + patience.waitMs;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const error = storeError(place, cause);
      const isPassing = error instanceof StoreError && patience.passing.includes(error.reason);
      if (!isPassing || Date.now() + pause > end) throw error;
    }
    // Writers that were refused together do not come back together.
    await sleep(pause * (0.5 + Math.random()));
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}
