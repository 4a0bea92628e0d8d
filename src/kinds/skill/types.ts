// The public types of skill tests.

/** A skill with the data of its folder. */
export type SkillRecord = {
  /** `name` in the front matter of its descriptor, or else its short name. */
  name: string;
  /** The name of its folder and of its test file. */
  shortName: string;
  /** The kind of its descriptor: `skill` for SKILL.md, `cskill` for cskill.md. */
  type: string;
  skillDir: string;
  /** The path of its descriptor. */
  filePath: string;
  description?: string;
};

/** A skill that has a test. */
export type SkillTest = {
  skillName: string;
  /** Names the test file: `{shortName}.tests.mjs`. */
  shortName: string;
  skillType: string;
  testFile: string;
  skillDir?: string;
};

/** The result of a test file. `errors` is empty only if it succeeded. */
export type TestResult = {
  success: boolean;
  passed: number;
  failed: number;
  /** Tests of node:test or vitest that are skipped or still to be written; only if there are any. */
  skipped?: number;
  /** Its stdout; of more than 10 MB the head and the tail. */
  output: string;
  errors: string[];
  /** In milliseconds. */
  duration: number;
  /** Its stderr; only with `verbose`. */
  stderr?: string;
  /** It checked nothing: no counts, invalid counts, or zeros. */
  empty?: true;
  /** Resources still open after its result, because of which it had to be ended. */
  leaks?: string;
  timedOut?: true;
  /** How the process ended, if not normally. */
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
  /** The errors of all results. */
  errors: string[];
  /** In milliseconds. */
  duration: number;
};

/** How a test file is run. */
export type RunOptions = {
  /** In milliseconds; default 30,000, `Infinity` for no limit. */
  timeout?: number;
  /** Adds `stderr` to the result. */
  verbose?: boolean;
  /** A test without checks succeeds. */
  allowEmpty?: boolean;
  /** Environment variables in addition to those of this process. */
  env?: Record<string, string>;
  /** Stops the run; the result then says so. */
  signal?: AbortSignal;
  /** The folder whose `.assay/cache` holds compiled TypeScript; default: the working directory. */
  root?: string;
  /** Another build of the program that imports a test file; for the tests of this package. */
  runner?: string;
};

/** How several test files are run. */
export type SuiteOptions = RunOptions & {
  /** How many run at once: `true` for the number of cores; default one. */
  parallel?: boolean | number;
};

/** Options for finding tests. */
export type DiscoverOptions = {
  /** Called with a message about each skill that is left out; default `console.warn`. */
  warn?: (message: string) => void;
};

/** Options for finding a skill. */
export type LookupOptions = DiscoverOptions & {
  /** The application; default: the nearest folder upward from the working directory that has skills. */
  root?: string;
};
