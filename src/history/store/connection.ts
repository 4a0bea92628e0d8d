// The database interface of the store: one query layer, and transactions that are retried.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Dialect } from './migrations.ts';
import type { Tables } from './schema.ts';
import type { StoreReason } from './store-error.ts';
import { StoreError, toStoreError } from './store-error.ts';

export type Database = Kysely<Tables>;

/** The implementation for one kind of database. */
export type Driver = {
  /** The address without secrets, for messages. */
  place: string;
  dialect: Dialect;
  db: Database;
  /** Runs work in one transaction that excludes other writers of the same rows. */
  transact<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Locks the schema for other programs until the transaction ends. */
  lockSchema(db: Database): Promise<void>;
  /** Errors that may be gone at the next try. */
  transient: readonly StoreReason[];
};

export type Connection = {
  place: string;
  dialect: Dialect;
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** The work may run several times: it must depend on nothing but the database. */
  write<T>(work: (db: Database) => Promise<T>): Promise<T>;
  lockSchema(db: Database): Promise<void>;
  close(): Promise<void>;
};

/** Which errors to retry, and for how long. */
export type RetryPolicy = { waitMs: number; transient: readonly StoreReason[] };

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/** Adds retries and readable errors to a driver. */
export function connect(driver: Driver, policy: RetryPolicy): Connection {
  const { place, dialect, db } = driver;
  return {
    place,
    dialect,
    read: (work) => retry(place, policy, () => work(db)),
    write: (work) => retry(place, policy, () => driver.transact(work)),
    lockSchema: (transaction) => driver.lockSchema(transaction),
    close: () => db.destroy(),
  };
}

/** Waits outside the database, because SQLite's own busy wait would block this thread. */
export async function retry<T>(place: string, policy: RetryPolicy, work: () => Promise<T>): Promise<T> {
  const end = Date.now() + policy.waitMs;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const error = toStoreError(place, cause);
      const isTransient = error instanceof StoreError && policy.transient.includes(error.reason);
      if (!isTransient || Date.now() + pause > end) throw error;
    }
    // Random, so that competing writers do not retry at the same time.
    await sleep(pause * (0.5 + Math.random()));
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}
