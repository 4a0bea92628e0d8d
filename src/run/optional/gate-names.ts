// Gates on the pass rate of a tag, and on a metric: the tags and metrics of all cases are noted while these are checked, so that a
// gate on a name that no case has is refused.

import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import type { Select } from '../../plan/filter.ts';
import { assertedMetrics } from '../../plan/gates/asserted-metrics.ts';
import type { Gate } from '../../plan/gates/parse-gate.ts';
import { METRICS, parseGate } from '../../plan/gates/parse-gate.ts';
import { didYouMean } from '../../text/nearest.ts';

export type GateNames = {
  /** The same selection; it also notes the names. */
  watching(select: Select): Select;
  /**
   * Throws ConfigError if there is a gate on a name that no case has. `at`: where the gates come from. With `onlyAgents` all scores
   * are those of assertions in cases; code of other kinds of tests may name others.
   */
  check(at: string, options: { onlyAgents: boolean }): void;
};

export function watchGateNames(gates: readonly string[]): GateNames {
  const parsed = gates.flatMap((text) => {
    const read = parseGate(text);
    return 'value' in read ? [read.value] : [];
  });
  const tags = new Set<string>();
  const metrics = new Set<string>();
  const hasScores = parsed.some(({ score }) => score !== undefined);
  return {
    watching: (select) => (testCase, origin) => {
      for (const tag of testCase.tags ?? []) tags.add(tag);
      for (const tag of origin.tags ?? []) tags.add(tag);
      if (hasScores && metrics.size < MOST_NOTED)
        for (const metric of assertedMetrics(testCase)) metrics.add(metric);
      return select(testCase, origin);
    },
    check(at, { onlyAgents }) {
      // A name with a variable in it is known when the case runs.
      const isKnown =
        onlyAgents && metrics.size < MOST_NOTED && ![...metrics].some((one) => one.includes('{{'));
      const problems = parsed.flatMap((gate) =>
        tagProblems(gate, tags).concat(isKnown ? metricProblems(gate, metrics) : []),
      );
      if (problems.length > 0)
        throw ConfigError.of(problems.map((problem) => Object.assign(problem, { at })));
    },
  };
}

/** Cases with more names than this have one each; then only the end of the run tells. */
const MOST_NOTED = 10_000;
const MOST_NAMED = 20;

function tagProblems({ text, tag }: Gate, seen: ReadonlySet<string>): Problem[] {
  if (tag === undefined || seen.has(tag)) return [];
  const hint =
    didYouMean(tag, seen) ??
    (seen.size === 0
      ? 'no case has a tag: give cases "tags", or leave out the brackets'
      : `the tags are ${listed(seen)}`);
  return [{ message: `"${text}": no case has the tag ${JSON.stringify(tag)}`, hint }];
}

function metricProblems({ text, score }: Gate, seen: ReadonlySet<string>): Problem[] {
  if (score === undefined || seen.has(score)) return [];
  const hint =
    didYouMean(score, [...seen, ...METRICS]) ??
    (seen.size === 0
      ? 'no assertion of the cases gives a score: name one with "metric"'
      : `the metrics are ${listed(seen)}`);
  return [{ message: `"${text}": no assertion gives a score for ${JSON.stringify(score)}`, hint }];
}

function listed(names: ReadonlySet<string>): string {
  return `${[...names].slice(0, MOST_NAMED).join(', ')}${names.size > MOST_NAMED ? ', …' : ''}`;
}
