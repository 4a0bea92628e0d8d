// A script written for a runtime where everything is synchronous: a file comes in, its functions, ready to be called, go out.

import { calledScripts } from './called-scripts.ts';
import { installGlobals } from './install-globals.ts';
import { loadScript } from './loaded-scripts.ts';

/**
 * Imports a script with the globals such scripts use, after everything it may call through `Process`;
 * only for processes that may run user code. What fails to load is thrown by the call that needs it.
 */
export async function importScript(
  file: string,
  { root }: { root: string },
): Promise<Record<string, unknown>> {
  installGlobals({ root });
  // Callees first, one after the other: a script may call them while it is being imported.
  for (const called of await calledScripts(file, { root })) await loadScript(called.file, { root });
  const script = await loadScript(file, { root });
  if ('error' in script) throw script.error;
  return script.namespace;
}
