// Loads the functions of a compiled test file into a realm or, if the file has its own process, as a module.

import { readFileSync } from 'node:fs';
import type { ScriptSubject } from '../../../model/script.ts';
import type { TestFunction } from '../testing/test-run.ts';
import type { Mockable } from './mockable.ts';
import { createMockable } from './mockable.ts';
import type { Realm } from './realm.ts';
import { createRealm } from './realm.ts';
import type { Timers } from './timers.ts';
import { trackTimers } from './timers.ts';
import { readCodeCache, writeCodeCache } from '../../../compile/code-cache.ts';

type HookName = 'TestMain' | 'BeforeAll' | 'AfterAll' | 'BeforeEach' | 'AfterEach';

export type LoadedScript = {
  tests: Record<string, TestFunction>;
  hooks: { [Name in HookName]?: TestFunction };
  timers: Timers;
  /** `globalThis` of the code under test. */
  global: Record<string, unknown>;
  /** Undefined if the file has its own process. */
  realm?: Realm;
  mockable: Mockable;
  mocks: Record<string, string>;
  /** The value that its code assigned to `process.exitCode`. */
  exitCode(): unknown;
  /** False if other files would see what it changed. */
  close(): boolean;
};

/** Loads a file. An exception at its top level is thrown here. */
export async function loadScript(
  script: ScriptSubject,
  { exit, isCounted }: { exit(code: unknown): never; isCounted: boolean },
): Promise<LoadedScript> {
  const mockable = createMockable();
  const { mocks } = script;
  if (script.isolation === 'process') {
    const { importInProcess } = await import('./import-in-process.ts');
    const timers = trackTimers();
    const functions = await importInProcess(script, { mockable, timers, exit });
    return {
      ...splitHooks(functions),
      global: globalThis,
      timers,
      mockable,
      mocks,
      exitCode: () => process.exitCode,
      close: () => false,
    };
  }
  const realm = createRealm({ exit, root: script.root });
  Object.assign(realm.global, { __assay_mockable: mockable.module });
  // V8 does not count code from a code cache exactly.
  const cache = isCounted ? undefined : readCodeCache(script.bundle, script.code_cache);
  const exports = realm.run(readFileSync(script.bundle, 'utf8'), script.bundle, cache);
  // The bundle ends with an export of this name.
  const functions = exports['__assay'] as Record<string, TestFunction>;
  return {
    ...splitHooks(functions),
    global: realm.global,
    realm,
    timers: realm.timers,
    mockable,
    mocks,
    exitCode: realm.exitCode,
    close() {
      const isRestored = realm.close();
      const compiled = isCounted ? undefined : realm.compiled();
      if (compiled !== undefined) writeCodeCache(script.bundle, compiled);
      return isRestored;
    },
  };
}

function splitHooks(functions: Record<string, TestFunction>): Pick<LoadedScript, 'hooks' | 'tests'> {
  const { TestMain, BeforeAll, AfterAll, BeforeEach, AfterEach } = functions;
  return { tests: functions, hooks: dropUndefined({ TestMain, BeforeAll, AfterAll, BeforeEach, AfterEach }) };
}

function dropUndefined(hooks: Record<HookName, TestFunction | undefined>): LoadedScript['hooks'] {
  return Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined));
}
