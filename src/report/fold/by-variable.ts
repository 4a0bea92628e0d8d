// Settled cases of a run with a matrix in; how each value of its variables did, and which cases fail for one value only.

import { isMeasured } from '../../model/outcome.ts';
import type { EventSource } from '../../model/sink.ts';
import type { CaseResult, SettledCase } from './case-result.ts';
import { foldCases } from './fold.ts';
import type { Overview } from './overview.ts';

/** How the cases with one value of a variable ended; they are counted like those of a summary. */
export type ValueCounts = {
  value: unknown;
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  errors: number;
  timeouts: number;
  /** The mean of the cases' rates in percent; null if none could be measured. */
  pass_rate: number | null;
  avg_duration_ms: number | null;
};

/** A case that fails with this value of the variable, whatever the others are, and passes with another one. */
export type OnlyFailure = { test_id: string; id: string; variable: string; value: unknown };

export type ByVariable = {
  by_variable: Record<string, ValueCounts[]>;
  only_fails_for: OnlyFailure[];
};

export type VariableFold = { add(settled: SettledCase): void; result(): ByVariable };

/** Reads a log once more if its run has a matrix. */
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

/** Holds a few numbers for each case. */
export function createVariableFold(matrix: Record<string, unknown[]>): VariableFold {
  const variables = Object.entries(matrix).map(([name, values]) => createVariable(name, values));
  const cases = new Map<string, CaseEnds>();

  return {
    add(settled) {
      const { test_id, id, variables: values = {} } = settled.ran ? settled.result : settled.skipped;
      const places = variables.map((variable) =>
        Object.hasOwn(values, variable.name) ? variable.add(values[variable.name], settled) : undefined,
      );
      const end = endOf(settled);
      if (end === undefined) return;
      const key = `${test_id}\0${id}`;
      const ends = cases.get(key) ?? { test_id, id, passed: [], failed: [] };
      cases.set(key, ends);
      for (const [index, place] of places.entries()) {
        if (place === undefined) continue;
        const known = ends[end][index];
        ends[end][index] = known === undefined || known === place ? place : SEVERAL;
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

/** The place of the only value that a case passed with, and of the only one that it failed with, for each variable. */
type CaseEnds = {
  test_id: string;
  id: string;
  passed: (number | undefined)[];
  failed: (number | undefined)[];
};

/** There is more than one such value. */
const SEVERAL = -1;

/** What could not be measured, or did not run, says nothing about a value. */
function endOf(settled: SettledCase): 'failed' | 'passed' | undefined {
  if (!settled.ran) return undefined;
  if (settled.result.status === 'passed') return 'passed';
  return isProven(settled.result) ? 'failed' : undefined;
}

/** A case of several runs is an error of the agent if any of its runs is. */
function isProven({ status, code, run_details: runs }: CaseResult): boolean {
  if (status !== 'error') return true;
  const ends = runs ?? [{ status, ...(code !== undefined && { code }) }];
  return ends.some((run) => run.status === 'error' && isMeasured(run));
}

type Variable = {
  name: string;
  /** Counts a case, and gives the place of its value. */
  add(value: unknown, settled: SettledCase): number;
  valueAt(place: number): unknown;
  counts(): ValueCounts[];
};

type Sums = Omit<ValueCounts, 'avg_duration_ms' | 'pass_rate'> & {
  ran: number;
  duration: number;
  rated: number;
  rate: number;
};

/** A value that a test has though it was not asked for, because it is locked there, comes after the others. */
function createVariable(name: string, values: readonly unknown[]): Variable {
  const all: Sums[] = [];
  const places = new Map<string, number>();
  function placeOf(value: unknown): number {
    const key = JSON.stringify(value);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, all.length);
    return all.push(noSums(value)) - 1;
  }
  for (const value of values) placeOf(value);
  return {
    name,
    add(value, settled) {
      const place = placeOf(value);
      const sums = all[place];
      if (sums !== undefined) count(sums, settled);
      return place;
    },
    valueAt: (place) => all[place]?.value,
    counts: () => all.map(countsOf),
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

function countsOf({ ran, duration, rated, rate, ...counts }: Sums): ValueCounts {
  return {
    ...counts,
    pass_rate: rated === 0 ? null : tenths(rate / rated),
    avg_duration_ms: ran === 0 ? null : tenths(duration / ran),
  };
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}
