// How the JavaScript engine of this process spends time and memory. Not by flags of the program: flags that differ from those
// Node was built with make its start a fifth longer.

/** How much code a function runs before it is worth optimizing; the engine's own figure is a fifteenth of it. */
const PATIENT_BUDGET = 1_000_000;

const set = new Set<string>();

/**
 * Lets functions run longer before they are optimized. The engine optimizes in threads of its own, beside the agent and
 * the processes of this program: on two cores that costs a run of a thousand cases more than it gains. What runs longer is
 * optimized all the same, a moment later. Engines since Node 22 wait by themselves, and have no such flag.
 */
export function optimizeLater(): void {
  if (process.versions.node.startsWith('20.')) setFlag(`--interrupt-budget=${String(PATIENT_BUDGET)}`);
}

/**
 * Keeps the young space small. A stream of cases leaves much behind that dies at once: letting the space grow for it
 * costs 30 MB and saves no time. Not for short runs.
 */
export function keepYoungSpaceSmall(): void {
  setFlag('--semi-space-growth-factor=1');
}

function setFlag(flag: string): void {
  if (set.has(flag)) return;
  set.add(flag);
  void import('node:v8').then(({ setFlagsFromString }) => setFlagsFromString(flag));
}
