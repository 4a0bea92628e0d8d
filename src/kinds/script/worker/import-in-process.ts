// Imports a test file that has its own process: an ES module with real packages and the globals of assistants' scripts.

import { pathToFileURL } from 'node:url';
import { installGlobals } from '../../../scripts/globals/install-globals.ts';
import { calledScripts } from '../../../scripts/globals/called-scripts.ts';
import { loadScript } from '../../../scripts/globals/loaded-scripts.ts';
import type { ScriptSubject } from '../../../model/script.ts';
import type { TestFunction } from '../testing/test-run.ts';
import { bridgeProcess } from './foreign-values.ts';
import type { Mockable } from './mockable.ts';
import type { Timers } from './timers.ts';

/** Imports the test file, after the scripts that it may call through `Process`. */
export async function importInProcess(
  { file, bundle, root }: ScriptSubject,
  { mockable, timers, exit }: { mockable: Mockable; timers: Timers; exit(code: unknown): never },
): Promise<Record<string, TestFunction>> {
  process.setSourceMapsEnabled(true);
  bridgeProcess(globalThis);
  installGlobals({ root });
  Object.assign(globalThis, { __assay_mockable: mockable.module }, timers.functions);
  process.exit = (code) => exit(code ?? process.exitCode ?? 0);
  const compiled = { file: bundle, inputs: [] };
  for (const called of await calledScripts(file, { root, bundle: compiled }))
    await loadScript(called.file, { root });
  const namespace = (await import(pathToFileURL(bundle).href)) as Record<string, unknown>;
  // The bundle ends with an export of this name.
  return namespace['__assay'] as Record<string, TestFunction>;
}
