// Checks the settings of what decides a run, before anything runs. Loads nothing for the many runs without any.

import type { NameOfSetting, Settings } from '../application/options/options.ts';
import type { SettingSources } from '../application/settings.ts';
import { isTyped, placeOf } from '../application/settings.ts';
import { parseGates } from '../application/options/parsers.ts';
import { ConfigError } from '../errors.ts';
import type { RunsRule } from '../model/runs-rule.ts';
import { MOST_RUNS, runsRule } from '../model/runs-rule.ts';
import type { Gate } from '../plan/gates/parse-gate.ts';
import { alphaOf } from '../stats/pass-rules.ts';
import { autoRule } from '../stats/auto-rule.ts';
import { programName } from '../platform/how-started.ts';

/** The settings of a run. `runs` is the largest number of runs of a case: a decider that needs more rounds than `--runs` raises it here. */
export type RunSettings = Omit<Settings, 'runs'> & {
  runs: number;
  /** Of `--runs auto`. */
  rule?: RunsRule;
};

/** Throws ConfigError if there is something that cannot be decided. */
export async function decidingSettings(
  settings: Settings,
  sources: Pick<SettingSources, 'config' | 'env' | 'flags'>,
): Promise<RunSettings> {
  const { gates = [], against, fail_fast, runs } = settings;
  refuseWithoutAgainst(settings, sources);
  if (gates.length > 0) await readGates(gates, placeOfGates(gates, sources));
  if (fail_fast && (gates.length > 0 || against !== undefined)) {
    const what = against === undefined ? 'a gate' : 'a comparison';
    throw new ConfigError(`--fail-fast stops at the first failure, and ${what} needs the whole run`, {
      hint: `leave out --fail-fast: ${what} stops the run itself when its answer is known`,
    });
  }
  if (runs !== 'auto') {
    refuseWithoutAuto(sources, against !== undefined);
    return { ...settings, runs: against === undefined ? runs : mostRounds(settings, runs, sources) };
  }
  if (against !== undefined)
    throw new ConfigError('--runs auto and --against both decide how often cases run', {
      hint: 'leave out --runs auto: a comparison stops when its answer is known',
    });
  const rule = runsRule(settings);
  if (rule === undefined) throw new Error('runs is auto and there is no rule');
  refuseRule(settings, rule);
  return { ...settings, runs: rule.max, rule };
}

/** The most rounds of a comparison, unless the user says how many. */
const ROUNDS = 10;

/** A run that is compared while it is on may take several rounds, and stops when the answer is known. */
function mostRounds(
  { confirm, max_runs }: Settings,
  runs: number,
  sources: Pick<SettingSources, 'config' | 'env' | 'flags'>,
): number {
  // Fresh runs settle what one round leaves open.
  return max_runs ?? (isRunsSet(sources) ? runs : confirm === undefined ? ROUNDS : 1);
}

/** True if the user says how often cases run. */
export function isRunsSet({ flags, env, config }: Pick<SettingSources, 'config' | 'env' | 'flags'>): boolean {
  return isTyped('runs', { flags, env }) || config['runs'] !== undefined;
}

const OF_AGAINST: { name: NameOfSetting; flag: string }[] = [
  { name: 'alpha', flag: '--alpha' },
  { name: 'margin', flag: '--margin' },
  { name: 'baseline_runs', flag: '--baseline-runs' },
  { name: 'fail_on', flag: '--fail-on' },
  { name: 'confirm', flag: '--confirm' },
];

/** Flags of a comparison mean nothing without one. */
function refuseWithoutAgainst({ against }: Settings, sources: Pick<SettingSources, 'env' | 'flags'>): void {
  if (against !== undefined) return;
  const typed = OF_AGAINST.find(({ name }) => isTyped(name, { flags: sources.flags, env: {} }));
  if (typed === undefined) return;
  throw new ConfigError(`${typed.flag} without --against`, {
    hint: `name what to compare the run with: --against <baseline>, or use ${programName()} compare afterwards`,
  });
}

/** Where the gates of a run come from: typed ones win over those of a suite, and these over assay.config. */
export function placeOfGates(
  gates: readonly string[],
  sources: Pick<SettingSources, 'config' | 'env' | 'flags'>,
): string {
  const { config } = sources;
  const configured = parseGates(config['gates']);
  const isConfigured = 'value' in configured && configured.value.join() === gates.join();
  const place = isTyped('gates', sources) || isConfigured ? placeOf('gates', sources) : undefined;
  return place ?? 'gates of the suite';
}

/** Reads the gates of a run; throws ConfigError with all problems. */
export async function readGates(texts: readonly string[], at = '--gate'): Promise<Gate[]> {
  const { parseGate } = await import('../plan/gates/parse-gate.ts');
  const parsed = texts.map((text) => parseGate(text));
  const problems = parsed.flatMap((one) => ('problem' in one ? [{ message: one.problem, at }] : []));
  if (problems.length > 0) throw ConfigError.of(problems);
  return parsed.flatMap((one) => ('value' in one ? [one.value] : []));
}

const OF_AUTO: { name: NameOfSetting; flag: string }[] = [
  { name: 'target', flag: '--target' },
  { name: 'confidence', flag: '--confidence' },
  { name: 'min_runs', flag: '--min-runs' },
  { name: 'max_runs', flag: '--max-runs' },
  { name: 'undecided', flag: '--undecided' },
];

/** Those in assay.config wait for a run with `--runs auto`. */
function refuseWithoutAuto(sources: Pick<SettingSources, 'env' | 'flags'>, isCompared: boolean): void {
  const typed = OF_AUTO.find(({ name }) => isTyped(name, sources) && !(isCompared && name === 'max_runs'));
  if (typed === undefined) return;
  const isLimit = typed.name === 'max_runs';
  throw new ConfigError(`has a meaning only with --runs auto${isLimit ? ' or --against' : ''}`, {
    at: placeOf(typed.name, { ...sources, config: {} }) ?? typed.flag,
    hint: isLimit
      ? 'add --runs auto or --against <baseline>; for a fixed number of runs there is --runs'
      : 'add --runs auto; for a fixed number of runs there is --min-pass-rate',
  });
}

function refuseRule({ min_pass_rate }: Settings, rule: RunsRule): void {
  const { confidence, high, low, max, min, target } = rule;
  if (min_pass_rate !== undefined)
    throw new ConfigError('--min-pass-rate and --runs auto both say when a case has passed', {
      hint: `leave out --min-pass-rate; --target ${String(min_pass_rate)} is the rate that a case should have`,
    });
  if (min > max)
    throw new ConfigError(`--min-runs ${String(min)} is more than --max-runs ${String(max)}`, {
      hint: `give --max-runs ${String(min)} or more`,
    });
  const canDecide = (most: number): boolean => {
    const { passAfter, failWithin } = autoRule(low, high, { alpha: alphaOf(confidence), min, max: most });
    return passAfter.length > 0 && failWithin.some((within) => within !== undefined);
  };
  if (canDecide(max)) return;
  const enough = Array.from({ length: MOST_RUNS - max }, (_, index) => max + 1 + index).find(canDecide);
  const remedy = enough === undefined ? '' : `give --max-runs ${String(enough)} or more, or `;
  throw new ConfigError(
    `${String(max)} runs cannot decide whether a case passes with a target of ${String(target)} % and a confidence of ${String(confidence)}`,
    { hint: `${remedy}lower --target or --confidence` },
  );
}
