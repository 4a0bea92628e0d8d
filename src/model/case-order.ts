// The order in which cases run.

export const CASE_ORDERS = ['as-written', 'failed-first', 'flaky-first', 'slowest-first'] as const;

export type CaseOrder = (typeof CASE_ORDERS)[number];

/** Runs with more cases run as written: an order needs all cases in memory. */
export const MOST_ORDERED = 50_000;

/** True if the results of a run have the positions of their cases, because these ran in another order. */
export function isReordered({
  flags,
  total_cases,
}: {
  flags: Record<string, unknown>;
  total_cases: number;
}): boolean {
  const { order } = flags;
  return typeof order === 'string' && order !== 'as-written' && total_cases <= MOST_ORDERED;
}
