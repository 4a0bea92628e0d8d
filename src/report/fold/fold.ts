// Results of attempts in, settled cases out: as soon as the last run of a case is seen.

import type { ResultEvent, StartEvent } from '../../model/event.ts';
import { runsOf } from '../../model/runs-of.ts';
import type { EventSource } from '../../model/sink.ts';
import type { SettledCase } from './case-result.ts';
import { settledCase } from './case-result.ts';

/** Groups runs into cases; holds only the cases that are still open. */
export type CaseFold = {
  /** Takes one run; gives its case if that was the last one. */
  add(event: ResultEvent): SettledCase | undefined;
  /**
   * The cases whose runs did not all come, in the order in which they began. What is missing counts as skipped,
   * unless it `isElsewhere`: in the part of a resumed run that came before.
   */
  rest(options?: { isElsewhere: boolean }): SettledCase[];
};

/** Folds the results that follow a `start` event. */
export function createCaseFold(
  start: Pick<StartEvent, 'flags' | 'inputs' | 'runs_per_case'>,
  minPassRate: number | undefined = minPassRateOf(start),
): CaseFold {
  const runsOfTest = runsOf(start);
  const open = new Map<string, [ResultEvent, ...ResultEvent[]]>();

  return {
    add(event) {
      const runsPerCase = runsOfTest(event.test_id);
      const options = { runsPerCase, minPassRate };
      if (runsPerCase <= 1) return settledCase([event], options);
      const key = caseKeyOf(event);
      const runs = open.get(key);
      if (runs === undefined) {
        open.set(key, [event]);
        return undefined;
      }
      runs.push(event);
      if (runs.length < runsPerCase) return undefined;
      open.delete(key);
      return settledCase(runs, options);
    },
    rest({ isElsewhere } = { isElsewhere: false }) {
      const cases = [...open.values()].map((runs) => {
        const runsPerCase = runsOfTest(runs[0].test_id);
        const missing = isElsewhere ? 0 : runsPerCase - runs.length;
        return settledCase(runs, { runsPerCase, minPassRate, missing });
      });
      open.clear();
      return cases;
    },
  };
}

/**
 * The cases of a log, one after the other, in flat memory as long as the runs of a case are close together.
 * `minPassRate` is the one that counts in the end, which only an overview knows.
 */
export async function* foldCases(
  source: EventSource,
  { minPassRate }: { minPassRate?: number | undefined } = {},
): AsyncGenerator<SettledCase> {
  let fold: CaseFold | undefined;
  for await (const event of source.events()) {
    if (event.type === 'start') fold = createCaseFold(event, minPassRate);
    if (event.type !== 'result') continue;
    const settled = fold?.add(event);
    if (settled !== undefined) yield settled;
  }
  if (fold !== undefined) yield* fold.rest();
}

/** What the runs of one case have in common. */
export function caseKeyOf({
  test_id,
  id,
  agent_id,
  variables,
}: Pick<ResultEvent, 'agent_id' | 'id' | 'test_id' | 'variables'>): string {
  const named = variables === undefined ? '' : JSON.stringify(variables);
  return `${test_id}\0${id}\0${agent_id ?? ''}\0${named}`;
}

/** The percentage of runs that is enough for a case, if the run was asked for one. */
export function minPassRateOf(start: Pick<StartEvent, 'flags'>): number | undefined {
  const rate = start.flags['min_pass_rate'];
  return typeof rate === 'number' ? rate : undefined;
}
