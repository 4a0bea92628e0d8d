// An application as the viewer's server needs it: its history, its definitions, and what can be done with them.

import { basename, join, resolve } from 'node:path';
import { isCredentialName } from '../secrets/credential-name.ts';
import { isPostgres } from '../platform/database-address.ts';
import { isObject } from '../json/is-object.ts';
import { statsOf } from '../platform/file-stats.ts';
import type { Application } from './viewer-application.ts';
import type { ApplicationDefinitions } from '../run/inputs/application-definitions.ts';
import { applicationDefinitions } from '../run/inputs/application-definitions.ts';
import type { ApplicationStore, StoreFlags } from '../history/application-store.ts';
import { plain } from '../run/inputs/definition-run.ts';
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
  const runs = createViewRuns({ root, cwd, env: io.env, store: placeOf(flags, cwd), read });
  let taking: Promise<void> = Promise.resolve();
  const application: Application = {
    version: io.version,
    name: basename(root),
    store,
    importPending() {
      // One after the other: who asks wants what waits now, which somebody else may have looked for too early.
      if (!isNamed) taking = taking.then(() => takeWaiting(store, root).catch(() => undefined));
      return taking;
    },
    async definitions() {
      const { settings, ...application } = await read();
      return { ...listed(application, root), presets: Object.keys(settings.presets ?? {}) };
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

/** The same place for a process that is told by its environment, where paths begin at the root. */
function placeOf({ store }: StoreFlags, cwd: string): string | undefined {
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

/** Reading needs no token, and nobody needs to read the values of credentials: a form only tells whether there is one. */
function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? '***' : value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, isSecret));
  if (!isObject(value)) return value;
  const { name } = value;
  const isOfSecret = typeof name === 'string' && isCredentialName(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isValue = isOfSecret && ['defaultValue', 'possibleValues'].includes(key);
      return [key, withoutSecrets(inner, isSecret || isValue || isCredentialName(key))];
    }),
  );
}
