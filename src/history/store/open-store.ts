// Opens the history. Loads database code only when a history is opened.

import type { Store } from './store.ts';

export type OpenOptions = {
  /** Never writes, and creates no tables. */
  readOnly?: boolean;
  /** How long to wait for a locked or unreachable database. */
  waitMs?: number;
};

/**
 * Opens the history and brings its tables up to date.
 *
 * @example const store = await openStore('.assay/history.db')
 * @example const store = await openStore('postgres://me@localhost/assay', { readOnly: true })
 */
export async function openStore(place: string, options: OpenOptions = {}): Promise<Store> {
  const { createStore } = await import('./create-store.ts');
  return createStore(place, options);
}
