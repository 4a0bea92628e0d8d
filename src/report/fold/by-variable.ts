// Settled cases of a run with a matrix in; counts per value of each variable, and cases that fail for one value only, out.

import { caseKey } from '../../model/case-key.ts';
import type { EventSource } from '../../model/sink.ts';
import type { SettledCase } from './case-result.ts';
import { isUnmeasured } from './case-result.ts';
import { foldCases } from './fold.ts';
import type { Overview } from './overview.ts';

/** Counts of the cases with one value of a variable, counted like those of a summary. */
export type ValueCounts = {
  value: unknown;
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  errors: number;
  timeouts: number;
  /** The mean of the cases' rates in percent; null if no case could be measured. */
  pass_rate: number | null;
  avg_duration_ms: number | null;
};

/** A case that fails only with this value of the variable and passes with another one. */
export type OnlyFailure = { test_id: string; id: string; variable: string; value: unknown };

export type ByVariable = {
  by_variable: Record<string, ValueCounts[]>;
  only_fails_for: OnlyFailure[];
};

export type VariableFold = { add(settled: SettledCase): void; result(): ByVariable };

/** Reads the log again if its run has a matrix. */
export async function foldByVariable(
  source: EventSource,
  overview: Overview,
): Promise<ByVariable | undefined> {
  const { matrix } = overview.start;
  if (matrix === undefined) return undefined;
  const fold = createVariableFold(matrix);
  for await (const settled of foldCases(source, overview)) fold.add(settled);
  return fold.result();
}

/** Counts cases by variable; keeps a few numbers per case. */
export function createVariableFold(matrix: Record<string, unknown[]>): VariableFold {
  const variables = Object.entries(matrix).map(([name, values]) => createVariable(name, values));
  const cases = new Map<string, CaseEnds>();

  return {
    add(settled) {
      const { test_id, id, variables: values = {} } = settled.ran ? settled.result : settled.skipped;
      const indexes = variables.map((variable) =>
        Object.hasOwn(values, variable.name) ? variable.add(values[variable.name], settled) : undefined,
      );
      const end = caseEnd(settled);
      if (end === undefined) return;
      const key = caseKey(test_id, id);
      const ends = cases.get(key) ?? { test_id, id, passed: [], failed: [] };
      cases.set(key, ends);
      for (const [variable, index] of indexes.entries()) {
        if (index === undefined) continue;
        const known = ends[end][variable];
        ends[end][variable] = known === undefined || known === index ? index : SEVERAL;
      }
    },
    result: () => ({
      by_variable: Object.fromEntries(variables.map(({ name, counts }) => [name, counts()])),
      only_fails_for: [...cases.values()].flatMap(({ test_id, id, passed, failed }) =>
        variables.flatMap(({ name, valueAt }, index) => {
          const [bad, good] = [failed[index], passed[index]];
          if (bad === undefined || bad === SEVERAL || good === undefined || good === bad) return [];
          return [{ test_id, id, variable: name, value: valueAt(bad) }];
        }),
      ),
    }),
  };
}

/** For each variable, the index of the only value that a case passed with, and of the only one it failed with. */
type CaseEnds = {
  test_id: string;
  id: string;
  passed: (number | undefined)[];
  failed: (number | undefined)[];
};

/** Stands for more than one value. */
const SEVERAL = -1;

/** Cases that did not run or could not be measured say nothing about a value. */
function caseEnd(settled: SettledCase): 'failed' | 'passed' | undefined {
  if (!settled.ran) return undefined;
  if (settled.result.status === 'passed') return 'passed';
  return isUnmeasured(settled.result) ? undefined : 'failed';
}

type Variable = {
  name: string;
  /** Counts a case and returns the index of its value. */
  add(value: unknown, settled: SettledCase): number;
  valueAt(index: number): unknown;
  counts(): ValueCounts[];
};

type Sums = Omit<ValueCounts, 'avg_duration_ms' | 'pass_rate'> & {
  ran: number;
  duration: number;
  rated: number;
  rate: number;
};

/** Values that are not in the matrix, because a test locks the variable, come after the others. */
function createVariable(name: string, values: readonly unknown[]): Variable {
  const all: Sums[] = [];
  const indexes = new Map<string, number>();
  function indexFor(value: unknown): number {
    const key = JSON.stringify(value);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, all.length);
    return all.push(noSums(value)) - 1;
  }
  for (const value of values) indexFor(value);
  return {
    name,
    add(value, settled) {
      const index = indexFor(value);
      const sums = all[index];
      if (sums !== undefined) count(sums, settled);
      return index;
    },
    valueAt: (index) => all[index]?.value,
    counts: () => all.map(toValueCounts),
  };
}

function noSums(value: unknown): Sums {
  const counts = { total: 0, passed: 0, failed: 0, skipped: 0, errors: 0, timeouts: 0 };
  return { value, ...counts, ran: 0, duration: 0, rated: 0, rate: 0 };
}

function count(sums: Sums, settled: SettledCase): void {
  sums.total += 1;
  if (!settled.ran) {
    sums.skipped += 1;
    return;
  }
  const { status, duration_ms, pass_rate } = settled.result;
  sums[status === 'passed' ? 'passed' : 'failed'] += 1;
  if (status === 'error') sums.errors += 1;
  if (status === 'timeout') sums.timeouts += 1;
  sums.ran += 1;
  sums.duration += duration_ms;
  if (pass_rate === null) return;
  sums.rated += 1;
  sums.rate += pass_rate;
}

function toValueCounts({ ran, duration, rated, rate, ...counts }: Sums): ValueCounts {
  return {
    ...counts,
    pass_rate: rated === 0 ? null : tenths(rate / rated),
    avg_duration_ms: ran === 0 ? null : tenths(duration / ran),
  };
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}
