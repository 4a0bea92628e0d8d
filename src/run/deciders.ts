// The settings of a run become what decides while it is on.

import type { Application } from '../application/open.ts';
import type { SettingFlags, Settings } from '../application/options/options.ts';
import { isTyped } from '../application/settings.ts';
import { ConfigError } from '../errors.ts';
import type { StartEvent } from '../model/event.ts';
import { runsRange } from '../model/runs-per-case.ts';
import type { Decider } from '../plan/decider.ts';
import { createBudget } from '../plan/deciders/budget.ts';
import type { Gate } from '../plan/gates/parse-gate.ts';
import type { Baseline } from './against/open-against.ts';
import type { Io } from './io.ts';
import type { RunPlan } from './plan.ts';

/** Refuses settings that cannot be decided on; throws ConfigError. Loads nothing for the many runs without any. */
export async function checkDeciding(settings: Settings, flags: SettingFlags): Promise<void> {
  const { gates = [], against, fail_fast } = settings;
  checkAgainst(settings, flags);
  if (gates.length > 0) await readGates(gates);
  if (fail_fast && (gates.length > 0 || against !== undefined)) {
    const what = against === undefined ? 'a gate' : 'a comparison';
    throw new ConfigError(`--fail-fast stops at the first failure, and ${what} needs the whole run`, {
      hint: `leave out --fail-fast: ${what} stops the run itself when its answer is known`,
    });
  }
}

/** Flags of a comparison mean nothing without one. */
function checkAgainst({ against }: Settings, flags: SettingFlags): void {
  if (against !== undefined) return;
  const alone = (['alpha', 'margin', 'baselineRuns', 'failOn'] as const).filter(
    (name) => flags[name] !== undefined,
  );
  if (alone.length === 0) return;
  const names = alone.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw new ConfigError(`${names.join(', ')} without --against`, {
    hint: 'name what to compare the run with: --against <baseline>, or use assay compare afterwards',
  });
}

/** The most rounds of a comparison, unless the user says how many. */
export const ROUNDS = 10;

/** A run that is compared while it is on may take several rounds, and stops when the answer is known. */
export function withRounds(
  settings: Settings,
  flags: SettingFlags,
  { env, config }: Pick<Application, 'config' | 'env'>,
): Settings {
  if (settings.against === undefined) return settings;
  const isGiven = isTyped('runs', { flags, env }) || config['runs'] !== undefined;
  return isGiven ? settings : { ...settings, runs: ROUNDS };
}

/** Those that know the answer come before those that only stop. */
export async function openDeciders(
  plan: RunPlan,
  { baseline, start }: { baseline: Baseline | undefined; start: StartEvent },
  { stderr }: Pick<Io, 'stderr'>,
): Promise<Decider[]> {
  const { inputs, prepared } = plan;
  const { budget, gates = [], runs } = inputs.settings;
  const deciders: Decider[] = [];
  if (baseline !== undefined) {
    const { compareWith } = await import('./against/open-against.ts');
    deciders.push(compareWith(baseline, plan, start));
  }
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
