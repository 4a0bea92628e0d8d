// The metrics that the assertions of a case may give scores for.

import type { Assertion, TestCase } from '../../model/case.ts';
import { metricName, SCORING_TYPES } from '../../model/scores.ts';

/**
 * The names of the metrics. Assertions inside of others and of checkpoints have no score of their own. A judge or code of the user is
 * among them even if it gives no score, because only its verdict shows that.
 */
export function assertedMetrics({ assert, turns = [] }: TestCase): Set<string> {
  const names = new Set<string>();
  for (const one of [assert, ...turns.map((turn) => turn.assert)]) collect(one, names);
  return names;
}

function collect(asserted: Assertion | readonly Assertion[] | undefined, names: Set<string>): void {
  if (asserted === undefined) return;
  // A cast, because TypeScript does not narrow readonly lists.
  const list = (Array.isArray(asserted) ? asserted : [asserted]) as readonly Assertion[];
  for (const assertion of list) {
    if (typeof assertion !== 'object' || assertion === null) continue;
    const { metric, type } = assertion;
    if (typeof metric === 'string') names.add(metric);
    else if (SCORING_TYPES.has(type)) names.add(metricName({ type }));
  }
}
