// Imports a script that was written for a synchronous runtime.

import { calledScripts } from './called-scripts.ts';
import { installGlobals } from './install-globals.ts';
import { loadScript } from './loaded-scripts.ts';

/**
 * Imports a script with its globals, after everything it may call through `Process`.
 * For worker processes only. A callee that fails to load throws when it is called.
 */
export async function importScript(
  file: string,
  { root }: { root: string },
): Promise<Record<string, unknown>> {
  installGlobals({ root });
  // Callees first, one by one: a script may call them while it is imported.
  for (const called of await calledScripts(file, { root })) await loadScript(called.file, { root });
  const script = await loadScript(file, { root });
  if ('error' in script) throw script.error;
  return script.namespace;
}
