// Results of attempts in, settled cases out, each as soon as its last run is seen.

import { caseKey } from '../../model/case-key.ts';
import type { ResultEvent, StartEvent } from '../../model/event.ts';
import { isReordered } from '../../model/case-order.ts';
import type { RunCounts } from '../../model/settle.ts';
import { countRun, isSettled, noRuns } from '../../model/settle.ts';
import type { EventSource } from '../../model/sink.ts';
import { passRules } from '../../stats/pass-rules.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import type { SettledCase } from './case-result.ts';
import { settledCase } from './case-result.ts';
import type { PlacedCase } from './file-order.ts';
import { inFileOrder } from './file-order.ts';

/** Groups runs into cases; keeps only unsettled cases in memory. */
export type CaseFold = {
  /** Adds one run; returns its case if the run was the last one. */
  add(event: ResultEvent): SettledCase | undefined;
  /**
   * The cases with missing runs, in the order in which they started. Missing runs count as skipped, unless they
   * are `isElsewhere`: in the earlier part of a resumed run.
   */
  rest(options?: { isElsewhere: boolean }): SettledCase[];
};

type OpenCase = { runs: [ResultEvent, ...ResultEvent[]]; counts: RunCounts };

/**
 * Folds the results that follow a `start` event. Those of `--runs auto` are in the order in which they were judged; `prior` has the
 * counts of earlier runs of a case, by `caseKey`, if those are not seen here.
 */
export function createCaseFold(
  start: Pick<StartEvent, 'flags' | 'inputs' | 'runs_per_case' | 'runs_rule'>,
  minPassRate: number | undefined = loggedMinPassRate(start),
  prior?: ReadonlyMap<string, RunCounts>,
): CaseFold {
  const rules = passRules(start, minPassRate);
  const open = new Map<string, OpenCase>();

  return {
    add(event) {
      if (event.uncounted !== undefined) return undefined;
      const { runs: runsPerCase, passRule } = rules(event.test_id);
      const isAuto = typeof passRule === 'object';
      if (runsPerCase <= 1 && !isAuto) return settledCase([event], { runsPerCase, passRule });
      const key = caseKeyOf(event);
      const known = open.get(key);
      if (known !== undefined) known.runs.push(event);
      const one = known ?? { runs: [event], counts: { ...noRuns(), ...prior?.get(key) } };
      countRun(one.counts, event);
      const isStopped = event.status === 'skipped';
      const isOver = isAuto ? isStopped || isSettled(one.counts, passRule) : one.runs.length >= runsPerCase;
      if (!isOver) {
        if (known === undefined) open.set(key, one);
        return undefined;
      }
      open.delete(key);
      return settledCase(one.runs, { runsPerCase, passRule, counts: one.counts });
    },
    rest({ isElsewhere } = { isElsewhere: false }) {
      const cases = [...open.values()].map(({ runs, counts }) => {
        const { runs: runsPerCase, passRule } = rules(runs[0].test_id);
        const missing = isElsewhere ? 0 : runsPerCase - runs.length;
        return settledCase(runs, { runsPerCase, passRule, missing, counts });
      });
      open.clear();
      return cases;
    },
  };
}

/**
 * Yields the cases of a log, in constant memory as long as the runs of a case are close together.
 * `minPassRate` is the final one, from an overview: a resumed run may have changed it.
 */
export async function* foldCases(
  source: EventSource,
  { minPassRate }: { minPassRate?: number | undefined } = {},
): AsyncGenerator<SettledCase> {
  let fold: CaseFold | undefined;
  for await (const event of source.events()) {
    if (event.type === 'start') {
      if (isReordered(event)) return yield* inFileOrder(() => placedCases(source, minPassRate));
      fold = createCaseFold(event, minPassRate);
    }
    if (event.type !== 'result') continue;
    const settled = fold?.add(event);
    if (settled !== undefined) yield settled;
  }
  if (fold !== undefined) yield* fold.rest();
}

/** The cases in the order of the log, with their positions. */
async function* placedCases(
  source: EventSource,
  minPassRate: number | undefined,
): AsyncGenerator<PlacedCase> {
  let fold: CaseFold | undefined;
  const positions = new Map<string, number>();
  for await (const event of source.events()) {
    if (event.type === 'start') fold = createCaseFold(event, minPassRate);
    if (event.type !== 'result') continue;
    const { position } = event;
    if (position !== undefined) positions.set(caseKeyOf(event), position);
    const settled = fold?.add(event);
    if (settled !== undefined) yield { position, settled };
  }
  for (const settled of fold?.rest() ?? []) {
    const named = settled.ran ? settled.result : settled.skipped;
    yield { position: positions.get(caseKeyOf(named)), settled };
  }
}

/** The identity of the case that a result belongs to. */
export function caseKeyOf({
  test_id,
  id,
  variables,
}: Pick<ResultEvent, 'id' | 'test_id' | 'variables'>): string {
  return caseKey(test_id, id, variablesKey(variables));
}

/** The minimum pass rate of a case in percent, if the run was started with one. */
export function loggedMinPassRate(start: Pick<StartEvent, 'flags'>): number | undefined {
  const rate = start.flags['min_pass_rate'];
  return typeof rate === 'number' ? rate : undefined;
}
