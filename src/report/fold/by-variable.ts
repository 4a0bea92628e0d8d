// Settled cases of a run with a matrix in; counts and ranks per value of each variable, the best values, and cases that fail for
// one value only, out.

import { clusterName, loggedCluster } from '../../model/cluster.ts';
import type { StartEvent } from '../../model/event.ts';
import { isMeasured } from '../../model/outcome.ts';
import type { EventSource } from '../../model/sink.ts';
import { isDeterministic } from '../../model/subject.ts';
import type { CaseEnding, MeasuredCase } from './case-counts.ts';
import { createCaseCounts } from './case-counts.ts';
import type { CaseResult, SettledCase } from './case-result.ts';
import { isUnmeasured } from './case-result.ts';
import { foldCases } from './fold.ts';
import { measuredRuns } from './k-figures.ts';
import type { OnlyFailures } from './only-failures.ts';
import { createOnlyFailureFold } from './only-failures.ts';
import type { Overview } from './overview.ts';
import type { Best } from './rank-values.ts';
import { rankValues } from './rank-values.ts';
import type { ValueCounts } from './value-counts.ts';
import { createValueCounter } from './value-counts.ts';
import { createVariablePart, NO_VALUE } from './variable-part.ts';

export type ByVariable = { by_variable: Record<string, ValueCounts[]>; best: Best[] } & OnlyFailures;

export type VariableFold = { add(settled: SettledCase): void; result(): ByVariable };

/** Reads the log again if its run has a matrix. */
export async function foldByVariable(
  source: EventSource,
  overview: Overview,
): Promise<ByVariable | undefined> {
  if (overview.start.matrix === undefined) return undefined;
  const fold = createVariableFold(overview.start);
  for await (const settled of foldCases(source, overview)) fold.add(settled);
  return fold.result();
}

/** Counts cases by variable; keeps a few numbers per case. */
export function createVariableFold(start: Pick<StartEvent, 'flags' | 'matrix' | 'runs_rule'>): VariableFold {
  const variables = Object.entries(start.matrix ?? {}).map(([name, values]) =>
    createValueCounter(name, values),
  );
  const combinations = createIndex();
  const tests = createIndex();
  const groups = createGroups(start);
  const counts = createCaseCounts();
  const isReplayed = typeof start.flags['replay'] === 'string' && start.flags['record_missing'] !== true;
  const varyingTests = new Set<number>();

  return {
    add(settled) {
      const { test_id, id, variables: values = {} } = settled.ran ? settled.result : settled.skipped;
      const indexes = variables.map(({ name, add }) =>
        Object.hasOwn(values, name) ? add(values[name], settled) : NO_VALUE,
      );
      if (!settled.ran) return;
      const { result, kind } = settled;
      const test = tests.indexOf(test_id);
      if (!isReplayed && !isDeterministic(kind)) varyingTests.add(test);
      const name = `${test}\n${id}`;
      groups.add(name, settled.result);
      counts.add(name, {
        combination: combinations.indexOf(indexes.join(' ')),
        ...countedRuns(result, start.runs_rule?.min),
        ending: endingOf(settled),
      });
    },
    result() {
      const valuesOf = combinations.texts().map((text) => text.split(' ').map(Number));
      const parts = variables.map((variable, at) => createVariablePart(variable, at, valuesOf));
      const failures = createOnlyFailureFold();
      for (const { index, name, entries } of counts.byCase()) {
        const at = name.indexOf('\n');
        const test = Number(name.slice(0, at));
        const named = { test_id: tests.texts()[test] ?? '', id: name.slice(at + 1) };
        const group = groups.of(name);
        const fixed = { isDeterministic: !varyingTests.has(test) && !entries.some(flips) };
        for (const part of parts) {
          const { name: variable, valueAt } = part;
          part.add(entries, { group: group ?? -1 - index, isNamed: group !== undefined, ...fixed });
          failures.add({ ...named, variable, values: part.byValue(entries), valueAt, ...fixed });
        }
      }
      const ranked = rankValues(parts);
      return {
        by_variable: Object.fromEntries(
          parts.map((part, at) => [part.name, part.counts(ranked[at]?.ranks ?? new Map())]),
        ),
        best: ranked.flatMap(({ best }) => best ?? []),
        ...failures.result(),
      };
    },
  };
}

function endingOf({ result }: SettledCase & { ran: true }): CaseEnding {
  if (result.status === 'passed') return 'passed';
  return isUnmeasured(result) ? 'unknown' : 'failed';
}

/** Equal runs ended differently. */
function flips({ passed, measured }: MeasuredCase): boolean {
  return passed > 0 && passed < measured;
}

/** Numbers for texts, in the order of their first use. */
function createIndex() {
  const known = new Map<string, number>();
  const texts: string[] = [];
  return {
    indexOf(text: string): number {
      const index = known.get(text) ?? texts.length;
      if (index === texts.length) {
        known.set(text, index);
        texts.push(text);
      }
      return index;
    },
    texts: () => texts,
  };
}

/** The groups of related cases with `--cluster`. A variable of the matrix is no group here: it is what is compared. */
function createGroups(start: Pick<StartEvent, 'flags'>) {
  const rule = loggedCluster(start);
  const names = createIndex();
  const byCase = new Map<string, number>();
  return {
    add(name: string, one: Parameters<typeof clusterName>[1]): void {
      if (rule === undefined || rule.by === 'variable') return;
      const group = clusterName(rule, one);
      if (group !== undefined) byCase.set(name, names.indexOf(group));
    },
    of: (name: string): number | undefined => byCase.get(name),
  };
}

/** Of a case of `--runs auto` the first runs count: how many more there are depends on how they ended. */
function countedRuns(result: CaseResult, first: number | undefined): { passed: number; measured: number } {
  const { run_details: runs } = result;
  if (first === undefined || runs === undefined)
    return { passed: result.passed, measured: measuredRuns(result) };
  const counted = runs.filter(isMeasured).slice(0, first);
  return { passed: counted.filter(({ status }) => status === 'passed').length, measured: counted.length };
}
