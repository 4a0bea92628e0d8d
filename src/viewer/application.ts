// Implements the application that the viewer's server shows: its history, its definitions, and actions on them.

import { basename, join, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { QUARANTINE_FILE } from '../model/quarantine.ts';
import type { QuarantineEntry } from '../quarantine/read-quarantine.ts';
import { readQuarantine } from '../quarantine/read-quarantine.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import { isPostgres } from '../platform/database-address.ts';
import { isObject } from '../json/is-object.ts';
import { statsOf } from '../platform/file-stats.ts';
import type { Application } from './viewer-application.ts';
import type { ApplicationDefinitions } from '../run/definitions/application-definitions.ts';
import { applicationDefinitions } from '../run/definitions/application-definitions.ts';
import type { ApplicationStore, StoreFlags } from '../history/store/application-store.ts';
import { plain } from '../run/definitions/definition-run.ts';
import type { Io } from '../run/io.ts';
import { createViewRuns } from './start-runs.ts';
import { saveSuite, suiteFile } from './edit-suites.ts';
import { takeWaiting } from '../history/pending-imports.ts';

/** `close` stops the runs that were started here. */
export function viewedApplication(
  { store, root, isNamed }: ApplicationStore,
  flags: StoreFlags,
  io: Io,
): { application: Application; close(): Promise<void> } {
  const { cwd } = io;
  const read = (): ReturnType<typeof applicationDefinitions> => applicationDefinitions(io);
  const runs = createViewRuns({ root, cwd, env: io.env, store: absoluteStore(flags, cwd), read });
  let importing: Promise<void> = Promise.resolve();
  const application: Application = {
    version: io.version,
    name: basename(root),
    store,
    importPending() {
      // Queued, not shared: an import that is already running may have missed runs that are pending now.
      if (!isNamed) importing = importing.then(() => takeWaiting(store, root).catch(() => undefined));
      return importing;
    },
    async definitions() {
      const { settings, ...application } = await read();
      return { ...listed(application, root), presets: Object.keys(settings.presets ?? {}) };
    },
    async quarantine() {
      const { settings } = await read();
      return readEntries(settings.quarantine, { root, cwd });
    },
    startRun: (order) => runs.start(order),
    stopRun: (runId) => runs.stop(runId),
    started: () => runs.started(),
    failureText: (runId) => runs.failureText(runId),
    lastActivity: (runId) => statsOf(join(root, '.assay', 'runs', `${runId}.jsonl`))?.mtimeMs,
    saveSuite: async (id, change) => saveSuite(await read(), id, change),
  };
  return { application, close: () => runs.close() };
}

/** A file that is wrong must not hide the list of flaky cases. */
async function readEntries(
  named: string | undefined,
  { root, cwd }: { root: string; cwd: string },
): Promise<{ entries: QuarantineEntry[]; problem?: string }> {
  if (named === 'off') return { entries: [] };
  const file = named === undefined ? join(root, QUARANTINE_FILE) : resolve(cwd, named);
  try {
    return { entries: await readQuarantine(file, { name: basename(file), now: new Date() }) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { entries: [], problem: error.message };
  }
}

/** An absolute path, because a child process resolves ASSAY_STORE relative to the root. */
function absoluteStore({ store }: StoreFlags, cwd: string): string | undefined {
  return store === undefined || isPostgres(store) ? store : resolve(cwd, store);
}

function listed({ definitions, entities, problems }: ApplicationDefinitions, root: string): object {
  const { types, tests, suites } = definitions;
  return {
    types: types.map((type) => withoutSecrets(plain(type))),
    tests: tests.map((test) => withoutSecrets(plain(test))),
    suites: suites.map((suite) => {
      const isOnly = suites.filter(({ id }) => id === suite.id).length === 1;
      const { sha256, path, isEditable } = suiteFile(suite, root);
      const definition = withoutSecrets(plain(suite)) as object;
      return Object.assign(definition, { file: path, sha256, is_editable: isEditable && isOnly });
    }),
    entities,
    problems,
  };
}

/** Hides the values of credentials, because reading needs no token; a form only shows whether there is a value. */
function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? '***' : value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, isSecret));
  if (!isObject(value)) return value;
  const { name } = value;
  const isCredential = typeof name === 'string' && isCredentialName(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isValue = isCredential && ['defaultValue', 'possibleValues'].includes(key);
      return [key, withoutSecrets(inner, isSecret || isValue || isCredentialName(key))];
    }),
  );
}
