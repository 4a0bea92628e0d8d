// The history of the application that the user is in.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OpenOptions } from '../../application/open.ts';
import { openApplication } from '../../application/open.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import { isPostgres } from '../../platform/database-address.ts';
import { historyFile, stateFolder } from '../../platform/state-folder.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { takeWaiting } from '../pending-imports.ts';
import { programName } from '../../platform/how-started.ts';

export type StoreFlags = FlagsOf<'show'>;

/** The history of an application, kept open. */
export type ApplicationStore = {
  store: Store;
  root: string;
  /** False for the application's own one, into which runs that wait are taken. */
  isNamed: boolean;
};

/** Opens the history, does something with it, and closes it again. */
export async function withStore<T>(
  flags: StoreFlags,
  io: Pick<OpenOptions, 'cwd' | 'env'>,
  work: (store: Store) => Promise<T>,
  options: { isNewFine?: boolean } = {},
): Promise<T> {
  const { store, root, isNamed } = await openApplicationStore(flags, io, options);
  try {
    if (!isNamed) await takeWaiting(store, root);
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Opens the history. Only an import creates a new file at a place that the user named. */
export async function openApplicationStore(
  flags: StoreFlags,
  io: Pick<OpenOptions, 'cwd' | 'env'>,
  { isNewFine = false }: { isNewFine?: boolean } = {},
): Promise<ApplicationStore> {
  const { place, root, isNamed } = await placeOf(flags, io);
  const isFile = !isPostgres(place);
  if (isNamed && isFile && !isNewFine && !existsSync(resolve(io.cwd, place)))
    throw new ConfigError(`there is no history ${place}`, {
      hint: `check the path; ${programName()} import <log> makes a new one`,
    });
  const store = await openStore(isFile ? resolve(io.cwd, place) : place);
  return { store, root, isNamed };
}

async function placeOf(
  { store }: StoreFlags,
  { cwd, env }: Pick<OpenOptions, 'cwd' | 'env'>,
): Promise<{ place: string; root: string; isNamed: boolean }> {
  const { root, settings } = await openApplication({ cwd, env, flags: { store } });
  const isOther = settings.store !== undefined && resolve(cwd, settings.store) !== historyFile(root);
  if (isOther && settings.store !== undefined) return { place: settings.store, root, isNamed: true };
  stateFolder(root);
  return { place: historyFile(root), root, isNamed: false };
}
