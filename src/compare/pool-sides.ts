// Several runs of one version as one side.

import { isDeterministic } from '../model/subject.ts';
import { RUNS_FOR_RUN_EFFECT } from '../stats/compare-runs.ts';
import { median } from '../stats/ratios.ts';
import type { CaseScores } from '../model/scores.ts';
import type { Measurements, Side, SideCase } from './side.ts';
import { sideCaseKey } from './side.ts';

/**
 * Pools runs, newest first. A case is what it is in the newest run that has it: measurements of other contents are left out. Of a
 * case without noise only the newest run counts: earlier ones measured other code.
 */
export function poolSides(sides: readonly Side[]): Side {
  const [only] = sides;
  if (only !== undefined && sides.length === 1) return only;
  const found = new Map<string, (SideCase | null)[]>();
  for (const [at, { cases }] of sides.entries())
    for (const one of cases) {
      const key = sideCaseKey(one);
      const row = found.get(key) ?? Array.from<null>({ length: sides.length }).fill(null);
      row[at] = one;
      found.set(key, row);
    }
  const isReplayed = sides.map(({ runs }) => runs.some((run) => run.replayed_from !== null));
  return {
    runs: sides.flatMap(({ runs }) => runs),
    cases: [...found.values()].flatMap((row) => poolCase(row, isReplayed) ?? []),
  };
}

function poolCase(row: readonly (SideCase | null)[], isReplayed: readonly boolean[]): SideCase | undefined {
  const at = row.findIndex((one) => one !== null && one.measured > 0);
  const newest = row[at] ?? row.find((one) => one !== null);
  if (newest === undefined || newest === null) return undefined;
  const same = row.map((one) => (one?.content === newest.content ? one : null));
  const flips = same.some((one) => one?.flips === true);
  if (!flips && (isDeterministic(newest.kind) || isReplayed[at] === true)) return newest;
  const parts = same.filter((one) => one !== null);
  const sum = (value: (one: SideCase) => number): number =>
    parts.reduce((total, one) => total + value(one), 0);
  const pooled: SideCase = {
    ...newest,
    passed: sum(({ passed }) => passed),
    measured: sum(({ measured }) => measured),
    unmeasured: sum(({ unmeasured }) => unmeasured),
    duration_ms: middle(parts, 'duration_ms'),
    cost_usd: parts.some(({ cost_usd }) => cost_usd === null) ? null : middle(parts, 'cost_usd'),
    tokens: middle(parts, 'tokens'),
    flips,
  };
  const scores = pooledScores(parts);
  if (scores !== undefined) pooled.scores = scores;
  if (row.length >= RUNS_FOR_RUN_EFFECT) pooled.by_run = same;
  return pooled;
}

/** Every attempt counts the same, as it does in the pass rate. */
function pooledScores(parts: readonly SideCase[]): CaseScores | undefined {
  const sums: CaseScores = new Map();
  for (const { scores = [] } of parts)
    for (const [metric, { sum, count }] of scores) {
      const known = sums.get(metric) ?? { sum: 0, count: 0 };
      sums.set(metric, { sum: known.sum + sum, count: known.count + count });
    }
  return sums.size === 0 ? undefined : sums;
}

function middle(parts: readonly SideCase[], name: 'cost_usd' | 'duration_ms' | 'tokens'): number | null {
  const values = parts.map((one: Measurements) => one[name]).filter((value) => value !== null);
  return values.length === 0 ? null : median(values);
}
