// The settings of a run become what decides while it is on.

import type { Settings } from '../application/options/options.ts';
import { ConfigError } from '../errors.ts';
import { runsRange } from '../model/runs-per-case.ts';
import type { Decider } from '../plan/decider.ts';
import { createBudget } from '../plan/deciders/budget.ts';
import type { Gate } from '../plan/gates/parse-gate.ts';
import type { Io } from './io.ts';
import type { RunPlan } from './plan.ts';

/** Refuses settings that cannot be decided on; throws ConfigError. Loads nothing for the many runs without any. */
export async function checkDeciding({ gates = [], fail_fast }: Settings): Promise<void> {
  if (gates.length === 0) return;
  await readGates(gates);
  if (fail_fast)
    throw new ConfigError('--fail-fast stops at the first failure, and a gate needs the whole run', {
      hint: 'leave out --fail-fast: a gate stops the run itself when its answer is known',
    });
}

/** Those that know the answer come before those that only stop. */
export async function openDeciders(
  { inputs: { settings }, prepared }: RunPlan,
  { stderr }: Pick<Io, 'stderr'>,
): Promise<Decider[]> {
  const { budget, gates = [], runs } = settings;
  const deciders: Decider[] = [];
  if (gates.length > 0) {
    const { createGates } = await import('../plan/gates/gates.ts');
    const { least } = runsRange({ inputs: prepared.inputs, runs_per_case: runs });
    const run = { total: prepared.total, runs, leastRuns: least, isAuto: false };
    deciders.push(createGates(await readGates(gates), run));
  }
  if (budget !== undefined) {
    const unpriced = (): void =>
      void stderr.write('--budget: the price of a model is not known, so that its calls count nothing\n');
    deciders.push(createBudget({ usd: budget, unpriced }));
  }
  return deciders;
}

async function readGates(texts: readonly string[]): Promise<Gate[]> {
  const { parseGate } = await import('../plan/gates/parse-gate.ts');
  const parsed = texts.map((text) => parseGate(text));
  const problems = parsed.flatMap((one) =>
    'problem' in one ? [{ message: one.problem, at: '--gate' }] : [],
  );
  if (problems.length > 0) throw ConfigError.of(problems);
  return parsed.flatMap((one) => ('value' in one ? [one.value] : []));
}
