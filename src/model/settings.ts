// What a run is asked to do, after flags, environment and configuration were merged.

/** The settings of `assay test`. */
export type Settings = {
  inputs: string[];
  outputs: string[];
  /** `-n`: agent id, folder, module file or URL. */
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
  runs: number;
  /** RE2 pattern on the case id. */
  run?: string;
  tags: string[];
  timeout_ms: number;
  parallel: number;
  retries: number;
  min_pass_rate?: number;
  fail_fast: boolean;
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
  timeout: '5m',
  parallel: 1,
  retries: 2,
} as const;
