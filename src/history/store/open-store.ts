// A place in, the history out. Nothing of a database is loaded before somebody opens one.

import type { Store } from './store.ts';

export type OpenOptions = {
  /** Never writes, not even tables. */
  readOnly?: boolean;
  /** How long a database that is locked or away is waited for. */
  waitMs?: number;
};

/**
 * Opens the history, and brings its tables up to date.
 *
 * @example const store = await openStore('.assay/history.db')
 * @example const store = await openStore('postgres://me@localhost/assay', { readOnly: true })
 */
export async function openStore(place: string, options: OpenOptions = {}): Promise<Store> {
  const { createStore } = await import('./create-store.ts');
  return createStore(place, options);
}
