// What a run is asked to do, after flags, environment and configuration were merged.

import type { Kind } from './attempt.ts';

/** What does not matter when a request is looked for among the recorded ones, and what may be reached all the same. */
export type TapeSetting = {
  /** Names of fields and of query parameters. */
  ignore?: string[];
  /** RE2 patterns and what they are replaced with. */
  replace?: { pattern: string; with: string }[];
  /** `host` or `host:port`. */
  allow?: string[];
};

/** The settings of `assay test`. */
export type Settings = {
  inputs: string[];
  outputs: string[];
  /** `-n`: agent id, folder, module file, URL or `a2a+` and a URL. */
  name?: string;
  connector?: string;
  user?: string;
  team?: string;
  /** Path of the `--ctx` file. */
  ctx?: string;
  /** A built-in reporter, or an agent. */
  reporter?: string;
  /** Functions to call before the first attempt and after the last. */
  before_all?: string;
  after_all?: string;
  /** Where the history is: a file, or `postgres://…`. */
  store?: string;
  /** False: the run does not go into the history. */
  history?: boolean;
  /** The folder that definitions are in. */
  tests?: string;
  /** Which of the `presets` gives values to variables. */
  preset?: string[];
  presets?: Record<string, Record<string, string | number | boolean>>;
  runs: number;
  /** RE2 pattern on the case id. */
  run?: string;
  tags: string[];
  /** Unless it is given, every kind of test has a default of its own. */
  timeout_ms?: number;
  parallel?: number;
  retries: number;
  /** The folder that traffic is recorded to, or played from. */
  record?: string;
  replay?: string;
  /** What is not there is recorded. */
  record_missing?: boolean;
  /** As many times as quick as it was recorded; nothing: at once. */
  replay_speed?: number;
  tapes?: TapeSetting;
  min_pass_rate?: number;
  fail_fast: boolean;
  /** A skill test without checks passes. */
  allow_empty: boolean;
  /** A skill without a test is a failure. */
  require_tests: boolean;
  verbose: boolean;
};

export const DEFAULTS = {
  user: 'test-user',
  team: 'test-team',
  locale: 'en-us',
  client_type: 'test',
  client_ip: '127.0.0.1',
  referer: 'test',
  accept: 'standard',
  runs: 1,
  timeout_ms: 5 * 60_000,
  /** Of a script test and of a skill test. */
  test_timeout_ms: 30_000,
  parallel: 1,
  retries: 2,
} as const;

/** How long an attempt of a kind may take. */
export function timeoutOf(kind: Kind, { timeout_ms }: Pick<Settings, 'timeout_ms'>): number {
  return timeout_ms ?? (kind === 'agent-eval' ? DEFAULTS.timeout_ms : DEFAULTS.test_timeout_ms);
}

/** How many attempts run at the same time; files of script tests and skill tests as many as there are cores. */
export function parallelOf(kind: Kind, { parallel }: Pick<Settings, 'parallel'>, cores: number): number {
  return parallel ?? (kind === 'agent-eval' ? DEFAULTS.parallel : cores);
}
