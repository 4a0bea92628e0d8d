// The metrics that the assertions of a case may give scores for.

import type { Assertion, TestCase } from '../../model/case.ts';
import { metricName } from '../../model/scores.ts';

/** Assertions inside assertions are few levels deep; the limit keeps hostile cases cheap. */
const DEEPEST = 5;

/** The names of the metrics; an assertion that gives no score is among them, because only its verdict shows that. */
export function assertedMetrics({ assert, turns = [], checkpoints = [] }: TestCase): Set<string> {
  const names = new Set<string>();
  for (const one of [
    assert,
    ...turns.map((turn) => turn.assert),
    ...checkpoints.map((point) => point.assert),
  ])
    collect(one, names, 0);
  return names;
}

function collect(
  asserted: Assertion | readonly Assertion[] | undefined,
  names: Set<string>,
  depth: number,
): void {
  if (asserted === undefined || depth > DEEPEST) return;
  // A cast, because TypeScript does not narrow readonly lists.
  const list = (Array.isArray(asserted) ? asserted : [asserted]) as readonly Assertion[];
  for (const assertion of list) {
    if (typeof assertion !== 'object' || assertion === null) continue;
    const { metric, type } = assertion;
    names.add(metricName({ type, ...(typeof metric === 'string' && { metric }) }));
    for (const field of Object.values(assertion))
      if (Array.isArray(field) && field.every(isAssertion)) collect(field, names, depth + 1);
  }
}

function isAssertion(value: unknown): value is Assertion {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
