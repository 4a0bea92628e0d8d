// Explains errors of scripts that use globals of another runtime.

const PROVIDED = 'Assay provides Process, http, log, console, Exception and ctx.memory to scripts';

/** Lower-case globals of such runtimes; capitalised names are always treated as globals. */
const RUNTIME_GLOBALS = new Set(['$L', '$Query', 'fs', 'io', 'plan', 'store', 'time']);

/** Adds a hint to the message and stack of an error about a missing global; returns the error. */
export function explainMissingGlobal(error: unknown): unknown {
  if (!(error instanceof ReferenceError)) return error;
  const { message, stack } = error;
  const name = /^([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined$/u.exec(message)?.[1];
  if (name === undefined || !(RUNTIME_GLOBALS.has(name) || /^\p{Lu}/u.test(name))) return error;
  try {
    error.message = `${message}: ${PROVIDED}`;
    if (typeof stack === 'string') error.stack = stack.replace(message, () => error.message);
  } catch {
    // A frozen error stays as it is.
  }
  return error;
}
