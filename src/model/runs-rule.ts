// The rule of `--runs auto`: a case runs until its pass rate is clearly above or below a target.

/** Rates are shares from 0 to 1, except `target`, which is in percent. */
export type RunsRule = {
  target: number;
  /** A case at or below this rate should fail, one at or above `high` should pass. */
  low: number;
  high: number;
  min: number;
  max: number;
  /** How sure both answers are. */
  confidence: number;
  /** What becomes of a case that `max` runs do not decide. */
  undecided: 'fail' | 'pass';
};

/** Half the width of the zone around the target in which either answer is right. */
const HALF_ZONE = 0.1;
/** The zone ends this far from 0 and 1, or halfway: if `high` were 1, a single failure would be proof. */
const NEAR_END = 0.05;

/** The most runs of a case that a rule can have: computing it takes the fourth power of the number. */
export const MOST_RUNS = 100;

const RULE_DEFAULTS = {
  target: 80,
  confidence: 0.95,
  min_runs: 3,
  max_runs: 20,
  undecided: 'fail',
} as const;

/**
 * The rule that the settings of a run, or the flags in its log, stand for; undefined unless they say `auto`.
 * @example runsRule({ runs: 'auto', target: 90 })?.low // 0.8
 */
export function runsRule(flags: Readonly<Record<string, unknown>>): RunsRule | undefined {
  if (flags['runs'] !== 'auto') return undefined;
  const number = (name: 'confidence' | 'max_runs' | 'min_runs' | 'target'): number => {
    const value = flags[name];
    return typeof value === 'number' ? value : RULE_DEFAULTS[name];
  };
  const target = number('target');
  const share = (rate: number): number => Math.round(1e6 * rate) / 1e6;
  return {
    target,
    low: share(Math.max(target / 100 - HALF_ZONE, Math.min(NEAR_END, target / 200))),
    high: share(Math.min(target / 100 + HALF_ZONE, Math.max(1 - NEAR_END, (target / 100 + 1) / 2))),
    min: number('min_runs'),
    max: number('max_runs'),
    confidence: number('confidence'),
    undecided: flags['undecided'] === 'pass' ? 'pass' : RULE_DEFAULTS.undecided,
  };
}
