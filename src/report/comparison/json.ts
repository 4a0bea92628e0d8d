// A comparison for programs.

import type { Comparison } from '../../model/comparison.ts';

/** `before` and `after` are the newest run of each side; `runs` has all of them. */
export function comparisonJson(comparison: Comparison): string {
  const { runs, cases, ...facts } = comparison;
  const ids = { before: runs.before[0]?.run_id ?? null, after: runs.after[0]?.run_id ?? null };
  return `${JSON.stringify({ ...ids, ...facts, runs, cases }, null, 2)}\n`;
}
