// Defaults of a run, and the limits that follow from its settings.

import type { Kind } from './attempt.ts';

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
  timeout_ms: 5 * 60_000,
  /** For a script test or a skill test. */
  test_timeout_ms: 30_000,
  parallel: 1,
  retries: 2,
} as const;

/** How long an attempt of a kind may take. */
export function timeoutOf(kind: Kind, { timeout_ms }: { timeout_ms?: number }): number {
  return timeout_ms ?? (kind === 'agent-eval' ? DEFAULTS.timeout_ms : DEFAULTS.test_timeout_ms);
}

/** How many attempts run at the same time; files of script tests and skill tests as many as there are cores. */
export function parallelOf(kind: Kind, { parallel }: { parallel?: number }, cores: number): number {
  return parallel ?? (kind === 'agent-eval' ? DEFAULTS.parallel : cores);
}
