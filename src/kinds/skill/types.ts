// The words of skill tests: what is found, what a run of it gives.

/** A skill that has a test. */
export type SkillTest = {
  skillName: string;
  /** Names the test file: `{shortName}.tests.mjs`. */
  shortName: string;
  skillType: string;
  testFile: string;
  skillDir?: string;
};

/** What became of a test file. `errors` is empty only if it succeeded. */
export type TestResult = {
  success: boolean;
  passed: number;
  failed: number;
  /** What it wrote to stdout; of more than 10 MB the head and the tail. */
  output: string;
  errors: string[];
  /** In milliseconds. */
  duration: number;
  /** What it wrote to stderr; only if `verbose`. */
  stderr?: string;
  /** It checked nothing: no counts, counts that are no numbers, or zeros. */
  empty?: true;
  /** What was still open after its result, so that it had to be ended. */
  leaks?: string;
  timedOut?: true;
  /** How it ended, if that was not as it should be. */
  exitCode?: number;
  signal?: string;
};

/** The results of several tests, in the order of the tests. */
export type SuiteResult = {
  success: boolean;
  totalTests: number;
  totalPassed: number;
  totalFailed: number;
  results: (SkillTest & TestResult)[];
  /** Those of all results. */
  errors: string[];
  /** In milliseconds. */
  duration: number;
};

/** How a test file is run. */
export type RunOptions = {
  /** In milliseconds; 30,000 unless said otherwise, `Infinity` for none. */
  timeout?: number;
  /** Adds `stderr` to the result. */
  verbose?: boolean;
  /** A test without checks succeeds. */
  allowEmpty?: boolean;
  /** Variables of its environment, besides those of this process. */
  env?: Record<string, string>;
  /** Ends the run; the result then says so. */
  signal?: AbortSignal;
  /** The folder whose `.assay/cache` keeps what TypeScript becomes; the working directory unless said otherwise. */
  root?: string;
  /** Another build of the program that imports a test file; for the tests of this package. */
  runner?: string;
};

/** How several test files are run. */
export type SuiteOptions = RunOptions & {
  /** How many at once: `true` for as many as there are cores; one unless said otherwise. */
  parallel?: boolean | number;
};

/** How tests are looked for. */
export type DiscoverOptions = {
  /** Takes what was left out and why; `console.warn` unless said otherwise. */
  warn?: (message: string) => void;
};
