// What advisory assertions found: they are reported, and decide nothing.

import type { KindId } from '../../model/subject.ts';
import type { Verdict } from '../../model/outcome.ts';
import { roundDown } from '../../text/round-down.ts';
import type { RunDetail } from '../fold/case-result.ts';
import { failureHeadline } from '../fold/failures.ts';
import { reportKind } from '../kinds/registry.ts';

type Judged = { verdicts?: Verdict[]; run_details?: readonly Pick<RunDetail, 'verdicts'>[] };

const NONE: readonly string[] = [];

/**
 * One line for each advisory assertion that does not hold or could not be judged: `advisory: contains: …`. Runs that found the
 * same share a line.
 */
export function advisoryTexts({ verdicts, run_details: runs }: Judged, kind: KindId): readonly string[] {
  if (runs === undefined) return verdicts?.some(isTold) === true ? tell(verdicts, kind) : NONE;
  const counts = new Map<string, number>();
  for (const run of runs) {
    for (const text of tell(run.verdicts ?? [], kind)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `${text} (${count} of ${runs.length} runs)`);
}

function tell(verdicts: readonly Verdict[], kind: KindId): string[] {
  const { failureOf } = reportKind(kind);
  return verdicts.filter(isTold).map((verdict) => {
    const unclear = verdict.status === 'error' ? ' could not be judged' : '';
    return `advisory${unclear}: ${failureHeadline(failureOf(verdict))}`;
  });
}

function isTold({ advisory, status }: Verdict): boolean {
  return advisory === true && status !== 'passed';
}

/** `0.66, wanted at least 0.8`; undefined without a score. */
export function scoreText({
  score,
  pass_score,
}: {
  score?: number;
  pass_score?: number;
}): string | undefined {
  if (score === undefined) return undefined;
  return pass_score === undefined
    ? String(roundDown(score))
    : `${roundDown(score)}, wanted at least ${pass_score}`;
}
