// Scripts may use what only their own runtime has: the error says so, and what there is instead.

const PROVIDED = 'Assay provides Process, http, log, console, Exception and ctx.memory to scripts';

/** Names in lower case that such runtimes have; any that begins with a capital is taken for one, too. */
const OF_OTHER_RUNTIMES = new Set(['$L', '$Query', 'fs', 'io', 'plan', 'store', 'time']);

/** Completes the message of an error about a global that does not exist; gives back whatever it gets, stack and all. */
export function explainMissingGlobal(error: unknown): unknown {
  if (!(error instanceof ReferenceError)) return error;
  const { message, stack } = error;
  const name = /^([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined$/u.exec(message)?.[1];
  if (name === undefined || !(OF_OTHER_RUNTIMES.has(name) || /^\p{Lu}/u.test(name))) return error;
  try {
    error.message = `${message}: ${PROVIDED}`;
    if (typeof stack === 'string') error.stack = stack.replace(message, () => error.message);
  } catch {
    // A frozen error stays as it is.
  }
  return error;
}
