// pass@k and pass^k of a run that was started, or is reported, with `--k`.

import type { GroupNamer } from '../../model/cluster.ts';
import { groupNamer } from '../../model/cluster.ts';
import type { StartEvent } from '../../model/event.ts';
import { isMeasured } from '../../model/outcome.ts';
import type { EventSource } from '../../model/sink.ts';
import type { CaseK, KFold, SuiteK } from '../../stats/pass-at-k.ts';
import { caseK, createKFold } from '../../stats/pass-at-k.ts';
import type { CaseResult } from './case-result.ts';
import { foldCases } from './fold.ts';
import type { Overview } from './overview.ts';

/** The numbers of `--k`; empty without them. */
export function loggedK({ flags }: Pick<StartEvent, 'flags'>): number[] {
  const { k } = flags;
  if (!Array.isArray(k)) return [];
  return k.filter((one): one is number => Number.isInteger(one) && Number(one) > 0);
}

/** Reads the log again if figures are asked for. */
export async function foldK(source: EventSource, overview: Overview): Promise<SuiteK | undefined> {
  const ks = loggedK(overview.start);
  if (ks.length === 0) return undefined;
  const fold = createKFold(ks);
  const groupOf = groupNamer(overview.start);
  for await (const settled of foldCases(source, overview))
    if (settled.ran) addFigures(fold, settled.result, groupOf);
  return fold.result();
}

/** Adds a case to the figures of its run. */
export function addFigures(fold: KFold, result: CaseResult, groupOf: GroupNamer): void {
  fold.add(result.passed, measuredRuns(result), groupOf(result));
}

/** The figures of one case. */
export function resultK(result: CaseResult, ks: readonly number[]): CaseK {
  return caseK(result.passed, measuredRuns(result), ks);
}

export function measuredRuns(result: CaseResult): number {
  return (result.run_details ?? [result]).filter(isMeasured).length;
}
