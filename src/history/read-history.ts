// The history of an application, for a run that asks it something before it begins.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isPostgres } from '../platform/database-address.ts';
import { historyFile } from '../platform/state-folder.ts';
import { hasWaiting, takeWaiting } from './pending-imports.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';

/** A run must not wait longer for a database that is in use. */
const WAIT_MS = 3000;

/** Calls `ask` with the history and closes it. Returns undefined if the application has no history; throws if it cannot be read. */
export async function readHistory<T>(
  { root, cwd, store: named }: { root: string; cwd: string; store?: string | undefined },
  ask: (store: Store) => Promise<T>,
): Promise<T | undefined> {
  const own = historyFile(root);
  const place = named === undefined ? own : isPostgres(named) ? named : resolve(cwd, named);
  const isOwn = place === own;
  if (!isPostgres(place) && !existsSync(place) && !(isOwn && hasWaiting(root))) return undefined;
  const store = await openStore(place, { waitMs: WAIT_MS });
  try {
    if (isOwn) await takeWaiting(store, root);
    return await ask(store);
  } finally {
    await store.close();
  }
}
