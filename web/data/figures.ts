// Cases in, the figures of the overview out.

import type { Summary } from '../../src/model/event.ts';
import type { Status } from '../../src/model/outcome.ts';
import type { CaseResult } from '../../src/report/fold/case-result.ts';
import type { Cause } from '../../src/report/fold/causes.ts';
import { groupByCause } from '../../src/report/fold/causes.ts';
import { createClusterCounter } from '../../src/report/fold/clusters.ts';
import type { Interval } from '../../src/stats/rates.ts';
import { createRateFold } from '../../src/stats/rate-fold.ts';
import type { Case, RunData } from './run-data.ts';

export type Figures = {
  total: number;
  /** The number of cases per status. */
  ended: Record<Status, number>;
  /** The number of errors that are not the agent's. */
  unmeasured: number;
  /** The number of failed cases in quarantine. */
  quarantined: number;
  /** The mean of the rates of measured cases in percent, their number, and the confidence interval. */
  rate: number | null;
  rated: number;
  interval: Interval | undefined;
  /** With `--cluster`: as in a summary. */
  clusters: Summary['clusters'];
  causes: Cause[];
  slowest: Case[];
  unstable: Case[];
};

const LISTED = 5;

export function computeFigures({ cases, start }: RunData): Figures {
  const ended: Record<Status, number> = { error: 0, failed: 0, passed: 0, skipped: 0, timeout: 0 };
  let unmeasured = 0;
  let quarantined = 0;
  const rates = createRateFold();
  const clusters = start === undefined ? undefined : createClusterCounter(start);
  for (const { settled, end, attempts } of cases) {
    ended[settledStatus(settled)] += 1;
    if (end.unmeasured) unmeasured += 1;
    else if (attempts[0].light.quarantined !== undefined && !['passed', 'skipped'].includes(end.status))
      quarantined += 1;
    if (end.pass_rate === null) continue;
    rates.add(end.pass_rate / 100);
    clusters?.add(attempts[0].light, end);
  }
  const { count: rated, sum, interval } = rates.result();
  const clustered = clusters?.result();
  return {
    total: cases.length,
    ended,
    unmeasured,
    rate: rated === 0 ? null : Math.round((1000 * sum) / rated) / 10,
    quarantined,
    rated,
    interval: clustered?.pass_rate_interval ?? interval,
    clusters: clustered?.clusters,
    causes: groupByCause(cases.map(caseResult)),
    slowest: most(cases, (one) => caseResult(one)?.duration_ms ?? -1),
    unstable: most(cases, instability).filter((one) => instability(one) > 0),
  };
}

export function settledStatus(settled: Case['settled']): Status {
  return settled.ran ? settled.result.status : 'skipped';
}

export function caseResult({ settled }: Case): CaseResult | undefined {
  return settled.ran ? settled.result : undefined;
}

/** 0 if all runs agree; highest if half of the runs pass. */
export function instability(one: Case): number {
  const result = caseResult(one);
  if (result === undefined || result.runs < 2 || result.pass_rate === null) return 0;
  const rate = result.pass_rate / 100;
  return 2 * rate * (1 - rate) + (1 - (result.consistency ?? 1)) / 10;
}

/** The cases with the largest figures, found in one pass. */
function most(cases: readonly Case[], figureOf: (one: Case) => number): Case[] {
  const found: { one: Case; figure: number }[] = [];
  for (const one of cases) {
    const figure = figureOf(one);
    if (figure < 0 || (found.length === LISTED && figure <= (found.at(-1)?.figure ?? 0))) continue;
    found.push({ one, figure });
    found.sort((a, b) => b.figure - a.figure);
    found.length = Math.min(found.length, LISTED);
  }
  return found.map(({ one }) => one);
}
