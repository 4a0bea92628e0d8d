// What several calls took together.

import type { Usage } from './agent.ts';

/** The sum of two counts of tokens; nothing is made up for what was not counted. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum: Usage = {};
  for (const key of ['input_tokens', 'output_tokens'] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  return sum;
}

/** The sum of two costs: nothing spent is no cost, an unknown one (null) makes the sum unknown. */
export function addCost(
  a: number | null | undefined,
  b: number | null | undefined,
): number | null | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return a === null || b === null ? null : a + b;
}
