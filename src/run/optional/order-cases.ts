// The cases of a run in another order: the history says which of them failed, flip or take long.

import { messageOf } from '../../errors.ts';
import { readHistory } from '../../history/read-history.ts';
import type { Store } from '../../history/store/store.ts';
import { caseKey } from '../../model/case-key.ts';
import type { CaseOrder } from '../../model/case-order.ts';
import type { LoadedCase } from '../../model/case.ts';
import { targetOf } from '../../plan/attempts.ts';
import type { Select } from '../../plan/filter.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import type { Prepared } from '../inputs/prepare.ts';

type OrderOptions = {
  order: Exclude<CaseOrder, 'as-written'>;
  select: Select;
  root: string;
  cwd: string;
  store: string | undefined;
  warn: (text: string) => void;
};

/** Ranks a case by its key, the lowest first. Equal ranks keep the order of the files. */
type Rank = (key: string) => number;

/** Cases that are handed out together. */
const BATCH = 500;

/** All selected cases, each with its position in the order of the files. */
export async function orderCases(
  prepared: Pick<Prepared, 'cases' | 'targets'>,
  options: OrderOptions,
): Promise<AsyncIterable<LoadedCase[]>> {
  const { order, root, cwd, store, warn } = options;
  const units = await readUnits(prepared, options);
  const tests = [...new Set(prepared.targets.map(({ test_id }) => test_id))];
  const cases = units.reduce((sum, { batch }) => sum + batch.length, 0);
  const rank = await readHistory({ root, cwd, store }, (history) =>
    RANKS[order](history, { tests, cases }),
  ).catch((error: unknown) => {
    warn(`--order: the history cannot be read, so that cases run as they are written: ${messageOf(error)}`);
  });
  if (rank !== undefined) {
    const ranked = units.map((unit) => ({ unit, rank: Math.min(...unit.keys.map(rank)) }));
    // Ranks may be infinite, so that they have no difference.
    ranked.sort((a, b) => Number(a.rank > b.rank) - Number(a.rank < b.rank));
    return inBatches(ranked.map(({ unit }) => unit.batch));
  }
  return inBatches(units.map(({ batch }) => batch));
}

/** A case of an agent, or all tests of a file. */
type Unit = { batch: LoadedCase[]; keys: string[] };

async function readUnits(
  prepared: Pick<Prepared, 'cases' | 'targets'>,
  { select }: Pick<OrderOptions, 'select'>,
): Promise<Unit[]> {
  const units: Unit[] = [];
  let position = 0;
  for await (const batch of prepared.cases()) {
    const chosen = batch.filter((loaded) => select(loaded.case, targetOf(loaded, prepared)));
    const numbered = chosen.map((loaded) => Object.assign({}, loaded, { position: (position += 1) }));
    const [first] = numbered;
    if (first === undefined) continue;
    // The tests of a file share its context, so that they stay together.
    const isFile = targetOf(first, prepared).subject.kind !== 'agent-eval';
    for (const one of isFile ? [numbered] : numbered.map((loaded) => [loaded]))
      units.push({ batch: one, keys: one.map((loaded) => keyOf(loaded, prepared)) });
  }
  return units;
}

function keyOf(loaded: LoadedCase, prepared: Pick<Prepared, 'targets'>): string {
  const { test_id, variables } = targetOf(loaded, prepared);
  return caseKey(test_id, loaded.case.id, variables?.variant);
}

type Asked = { tests: readonly string[]; cases: number };

const RANKS: Record<OrderOptions['order'], (history: Store, asked: Asked) => Promise<Rank>> = {
  /** What did not pass last time, then new cases, then the rest. */
  async 'failed-first'(history, asked) {
    const known = await lastOutcomes(history, asked);
    return (key) => {
      const last = known.get(key);
      if (last === undefined) return 1;
      return last.passed ? 2 : 0;
    };
  },
  /** Those that flip most first, then the rest. */
  async 'flaky-first'(history) {
    const { cases } = await history.flakyCases();
    const flaky = cases.filter(({ kind }) => kind === 'flaky');
    const places = new Map(
      flaky.map(({ test_id, case_id, variables }, place) => [
        caseKey(test_id, case_id, variablesKey(variables ?? undefined)),
        place,
      ]),
    );
    return (key) => places.get(key) ?? places.size;
  },
  /** New cases first: they may be the slowest. */
  async 'slowest-first'(history, asked) {
    const known = await lastOutcomes(history, asked);
    return (key) => -(known.get(key)?.duration_ms ?? Infinity);
  },
};

async function lastOutcomes(
  history: Store,
  { tests, cases }: Asked,
): Promise<Map<string, { passed: boolean; duration_ms: number }>> {
  const rows = await history.lastOutcomes(tests, cases);
  return new Map(
    rows.map(({ test_id, case_id, variables, passed, duration_ms }) => [
      caseKey(test_id, case_id, variablesKey(variables ?? undefined)),
      { passed, duration_ms },
    ]),
  );
}

async function* inBatches(units: readonly LoadedCase[][]): AsyncGenerator<LoadedCase[]> {
  let batch: LoadedCase[] = [];
  for (const unit of units) {
    batch.push(...unit);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
