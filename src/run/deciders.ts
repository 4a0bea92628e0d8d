// The settings of a run become what decides while it is on.

import { runsRange } from '../model/runs-per-case.ts';
import type { StartEvent } from '../model/event.ts';
import type { Decider } from '../plan/decider.ts';
import type { Baseline } from './against/open-against.ts';
import { createBudget } from '../plan/deciders/budget.ts';
import { readGates } from './deciding-settings.ts';
import type { Io } from './io.ts';
import type { RunPlan } from './plan.ts';

/** Those that know the answer come before those that only stop. */
export async function openDeciders(
  plan: RunPlan,
  { baseline, start }: { baseline: Baseline | undefined; start: StartEvent },
  { stderr }: Pick<Io, 'stderr'>,
): Promise<Decider[]> {
  const { inputs, prepared } = plan;
  const { budget, gates = [], rule, runs } = inputs.settings;
  const deciders: Decider[] = [];
  if (baseline !== undefined) {
    const { compareWith } = await import('./against/open-against.ts');
    deciders.push(compareWith(baseline, plan, start));
  }
  if (gates.length > 0) {
    const { createGates } = await import('../plan/gates/gates.ts');
    const { least } = runsRange({ inputs: prepared.inputs, runs_per_case: runs });
    const run = {
      total: prepared.total,
      runs,
      leastRuns: least,
      isAuto: rule !== undefined,
      isCompared: baseline !== undefined,
    };
    deciders.push(createGates(await readGates(gates), run));
  }
  if (budget !== undefined) {
    const unpriced = (): void =>
      void stderr.write('--budget: the price of a model is not known, so that its calls count nothing\n');
    deciders.push(createBudget({ usd: budget, unpriced }));
  }
  return deciders;
}
