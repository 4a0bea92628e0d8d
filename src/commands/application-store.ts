// The history of the application that the user is in.

import { findApplicationRoot } from '../config/application.ts';
import { readConfigFile } from '../config/file.ts';
import { resolveSettings } from '../config/settings.ts';
import { evaluateInWorker } from '../execute/evaluate.ts';
import { stateFolder } from '../platform/state-folder.ts';
import { defaultPlace, openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { Io } from './io.ts';

export type StoreFlags = { store?: string; json?: boolean };

/** Opens the history, does something with it, and closes it again. */
export async function withStore<T>(
  flags: StoreFlags,
  io: Pick<Io, 'cwd' | 'env'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(await placeOf(flags, io));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function placeOf({ store }: StoreFlags, { cwd, env }: Pick<Io, 'cwd' | 'env'>): Promise<string> {
  const root = findApplicationRoot(cwd, cwd);
  const config = await readConfigFile(root, (file) => evaluateInWorker(file, root));
  const settings = resolveSettings({ flags: store === undefined ? {} : { store }, env, config, root });
  if (settings.store !== undefined) return settings.store;
  stateFolder(root);
  return defaultPlace(root);
}
