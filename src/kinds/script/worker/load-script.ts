// The functions of a compiled file of tests, loaded into a realm of their own or, in a process of its own, as a module.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ScriptRun } from '../../../model/script.ts';
import type { TestFunction } from '../testing/test-run.ts';
import type { Mockable } from './mockable.ts';
import { createMockable } from './mockable.ts';
import type { Realm } from './realm.ts';
import { createRealm } from './realm.ts';
import type { Timers } from './timers.ts';
import { trackTimers } from './timers.ts';

type HookName = 'TestMain' | 'BeforeAll' | 'AfterAll' | 'BeforeEach' | 'AfterEach';

export type Loaded = {
  tests: Record<string, TestFunction>;
  hooks: { [Name in HookName]?: TestFunction };
  /** None if it has the whole process. */
  timers: Timers;
  realm?: Realm;
  mockable: Mockable;
  mocks: Record<string, string>;
  /** What it has set `process.exitCode` to. */
  exitCode(): unknown;
  close(): void;
};

/** Loads a file. What it throws at its top level is thrown here. */
export async function loadScript(
  script: ScriptRun,
  { exit, isCounted }: { exit(code: unknown): never; isCounted: boolean },
): Promise<Loaded> {
  const mockable = createMockable();
  const { mocks } = script;
  if (script.isolation === 'process') {
    const { importAlone } = await import('./import-in-process.ts');
    const timers = trackTimers();
    const functions = await importAlone(script, { mockable, timers, exit });
    return {
      ...sorted(functions),
      timers,
      mockable,
      mocks,
      exitCode: () => process.exitCode,
      close: () => undefined,
    };
  }
  const realm = createRealm({ exit, root: script.root });
  Object.assign(realm.global, { __assay_mockable: mockable.module });
  // Code that was compiled before is not counted exactly.
  const cache = isCounted ? undefined : `${script.bundle}.bin`;
  const code = readFileSync(script.bundle, 'utf8');
  const exports = realm.run(code, script.bundle, cache === undefined ? undefined : readCompiled(cache));
  // The bundle ends with an export of this name.
  const functions = exports['__assay'] as Record<string, TestFunction>;
  return {
    ...sorted(functions),
    realm,
    timers: realm.timers,
    mockable,
    mocks,
    exitCode: realm.exitCode,
    close() {
      realm.close();
      if (cache !== undefined) keepCompiled(cache, realm.compiled());
    },
  };
}

function readCompiled(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The functions of a file that have run need not be compiled the next time. */
function keepCompiled(path: string, compiled: Buffer | undefined): void {
  if (compiled === undefined) return;
  const temporary = `${path}.${String(process.pid)}.tmp`;
  try {
    writeFileSync(temporary, compiled);
    renameSync(temporary, path);
  } catch {
    // It only saves time.
  }
}

function sorted(functions: Record<string, TestFunction>): Pick<Loaded, 'hooks' | 'tests'> {
  const { TestMain, BeforeAll, AfterAll, BeforeEach, AfterEach } = functions;
  return { tests: functions, hooks: withoutGaps({ TestMain, BeforeAll, AfterAll, BeforeEach, AfterEach }) };
}

function withoutGaps(hooks: Record<HookName, TestFunction | undefined>): Loaded['hooks'] {
  return Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined));
}
