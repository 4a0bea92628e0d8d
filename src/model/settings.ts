// Defaults of a run, and the limits that follow from its settings.

/** Rules of a replay: what to ignore when a request is compared with the recorded ones, and which addresses to reach anyway. */
export type TapeSetting = {
  /** Names of fields and of query parameters. */
  ignore?: string[];
  /** RE2 patterns and their replacements. */
  replace?: { pattern: string; with: string }[];
  /** `host` or `host:port`. */
  allow?: string[];
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
  /** For agents, which may call models many times; other kinds have their own. */
  timeout_ms: 5 * 60_000,
  retries: 2,
} as const;
