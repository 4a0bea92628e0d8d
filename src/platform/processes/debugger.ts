// Node opens its debugger when any process of the same user sends SIGUSR1, and the debugger runs any code. An agent could change
// verdicts with it, so the processes of a run neither open it for a signal nor judge while it is open.

/** An address for documentation: no machine has it, so nothing can listen there. */
const LISTEN_NOWHERE = '--inspect-port=192.0.2.1:9229';
/** Known since Node 22.14. */
const IGNORE_SIGNAL = '--disable-sigusr1';
const OWN_OPTIONS = [LISTEN_NOWHERE, IGNORE_SIGNAL];

/** Options of Node for the processes that this one starts: no signal opens a debugger in them, not even before their first line. */
export function withoutDebugger(): string[] {
  const { NODE_OPTIONS = '' } = process.env;
  // The user debugs them. Without a place to listen, Node would not even start.
  if (NODE_OPTIONS.includes('--inspect')) return [];
  // Building the list of flags takes half a millisecond, and Node 20 does not have this one.
  const isKnown =
    !process.version.startsWith('v20.') && process.allowedNodeEnvironmentFlags.has(IGNORE_SIGNAL);
  return [isKnown ? IGNORE_SIGNAL : LISTEN_NOWHERE];
}

/** For the first line of such a process. The signal has no effect from here on, and user code does not see how the process was started. */
export function ignoreDebugSignal(): void {
  process.on('SIGUSR1', () => undefined);
  process.execArgv = [];
}

/** The debugger that the user has opened before the first line of this program, and the one that was opened since. */
export type NotedDebugger = { atStart: string | undefined; opened(): string | undefined };

/** In the process of another program, whose debugger is its own business. */
export const NO_DEBUGGER: NotedDebugger = { atStart: undefined, opened: () => undefined };

/** Notes whether a debugger is open. Call it before user code runs. */
export function noteDebugger(): NotedDebugger {
  const { NODE_OPTIONS = '' } = process.env;
  // Only options of Node, such as `--inspect` or a module to load first, can open one so early.
  const hasOptions = NODE_OPTIONS !== '' || process.execArgv.some((option) => !OWN_OPTIONS.includes(option));
  const atStart = hasOptions ? debuggerAddress() : undefined;
  return {
    atStart,
    opened() {
      const now = debuggerAddress();
      return now === atStart ? undefined : now;
    },
  };
}

/** Loads a module of Node the first time, which takes a millisecond. */
function debuggerAddress(): string | undefined {
  return process.getBuiltinModule('node:inspector').url();
}
