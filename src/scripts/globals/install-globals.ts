// The globals that scripts of assistants use.

import { Exception } from './exception.ts';
import { createHttp } from './http.ts';
import { log } from './log.ts';
import { createProcess } from './process.ts';

let installedFor: string | undefined;

/**
 * Installs the globals in this process. They look scripts up in the application of the latest call:
 * a process runs scripts of one application.
 */
export function installGlobals({ root }: { root: string }): void {
  if (installedFor === root) return;
  installedFor = root;
  const globals = { Exception, http: createHttp({ root }), log, Process: createProcess({ root }) };
  for (const [name, value] of Object.entries(globals)) {
    // Not enumerable, like built-in globals.
    Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: false, writable: true });
  }
}
