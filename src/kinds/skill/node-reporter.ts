// The reporter that connects node:test with the runner: the runner leaves a function under a name, for a moment.

/** The name of the function that takes the events. */
export const NODE_REPORTER = 'assay:node-test-events';

/** The arguments with which Node gives the events of its tests to that function; other programs see no reports. */
export const NODE_REPORTER_ARGUMENTS: readonly string[] = [
  `--test-reporter=data:text/javascript,${encodeURIComponent(
    `export default async function* (events) {
      const take = globalThis[${JSON.stringify(NODE_REPORTER)}];
      if (take === undefined) return;
      let ended;
      const isEnded = new Promise((resolve) => { ended = resolve; });
      take((async function* () { try { yield* events; } finally { ended(); } })());
      await isEnded;
    }`,
  )}`,
  '--test-reporter-destination=stdout',
];
