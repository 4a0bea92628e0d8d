// A run log as the baseline: the counts of its cases, in the form that the history has them.

import type { CaseFigures, HistoryFigures } from '../../history/store/store.ts';
import { openLog } from '../../log/reader.ts';
import { caseKey } from '../../model/case-key.ts';
import { isMeasured } from '../../model/outcome.ts';
import { canonicalJson } from '../../stats/canonical.ts';

type Cases = HistoryFigures['cases'];

const NOTHING: CaseFigures = {
  attempts: 0,
  cost_usd: 0,
  unpriced: 0,
  passed: 0,
  measured: 0,
  duration_ms: 0,
  baseline_passed: 0,
  baseline_measured: 0,
};

/** The figures of the history, with the counts of the log as those of the baseline. */
export async function withLogBaseline(history: Cases | undefined, log: string): Promise<Cases> {
  const counts = new Map<string, { passed: number; measured: number }>();
  for await (const event of openLog(log).events()) {
    if (event.type !== 'result' || event.uncounted !== undefined || !isMeasured(event)) continue;
    const key = keyOf(event.test_id, event.id, event.variables);
    const known = counts.get(key) ?? { passed: 0, measured: 0 };
    known.measured += 1;
    if (event.status === 'passed') known.passed += 1;
    counts.set(key, known);
  }
  return {
    size: counts.size,
    find(testId, caseId, variables) {
      const found = counts.get(keyOf(testId, caseId, variables));
      const figures = history?.find(testId, caseId, variables);
      if (found === undefined) return figures;
      return {
        ...(figures ?? NOTHING),
        baseline_passed: found.passed,
        baseline_measured: found.measured,
      };
    },
  };
}

function keyOf(testId: string, caseId: string, variables: Record<string, unknown> | undefined): string {
  const isEmpty = variables === undefined || Object.keys(variables).length === 0;
  return caseKey(testId, caseId, isEmpty ? undefined : canonicalJson(variables));
}
