// V8 flags of this process, set while it runs: on the command line they would make Node's code cache invalid and the start a
// fifth longer.

/** Bytecode budget of a function before it is optimized, 15 times V8's own. */
const INTERRUPT_BUDGET = 1_000_000;

const set = new Set<string>();

/**
 * Delays the optimization of functions. V8 optimizes in threads of its own, which compete with the agent and the workers:
 * on two cores that costs a run of a thousand cases more than it gains. Longer runs get optimized code a moment later.
 * V8 since Node 22 waits by itself and has no such flag.
 */
export function delayOptimization(): void {
  if (process.versions.node.startsWith('20.')) setFlag(`--interrupt-budget=${String(INTERRUPT_BUDGET)}`);
}

/**
 * Limits the young generation. A stream of cases makes much garbage that dies at once: a larger young generation costs
 * 30 MB for it and saves no time. Not for short runs.
 */
export function limitYoungGeneration(): void {
  setFlag('--semi-space-growth-factor=1');
}

function setFlag(flag: string): void {
  if (set.has(flag)) return;
  set.add(flag);
  void import('node:v8').then(({ setFlagsFromString }) => setFlagsFromString(flag));
}
