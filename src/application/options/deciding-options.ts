// The options of what decides while a run is on.

import type { Option } from './option.ts';
import {
  parseDollars,
  parseFailOn,
  parseLevel,
  parsePoints,
  parseTags,
  parseTimeout,
  parseWhole,
} from './parsers.ts';

export const DECIDING_OPTIONS = {
  budget: {
    flag: '--budget <dollars>',
    verbs: ['test', 'run'],
    help: "stop when the run has cost this much, like '$5'; --resume runs the rest",
    setting: { env: 'ASSAY_BUDGET', key: 'budget', parse: parseDollars, log: 'never restored' },
  },
  budgetTime: {
    flag: '--budget-time <duration>',
    verbs: ['test', 'run', 'skills'],
    help: 'stop when the run has taken this long, like 10m; --resume runs the rest',
    setting: {
      name: 'budget_time_ms',
      env: 'ASSAY_BUDGET_TIME',
      key: 'budget_time',
      parse: parseTimeout,
      unit: 'ms',
      log: 'never restored',
    },
  },
  alpha: {
    flag: '--alpha <chance>',
    verbs: ['compare'],
    help: 'chance of a false alarm if nothing changed (default: 0.05)',
    setting: { env: 'ASSAY_ALPHA', key: 'alpha', parse: parseLevel, log: 'never' },
  },
  margin: {
    flag: '--margin <points>',
    verbs: ['compare'],
    help: 'a drop of the pass rate up to here is tolerable (default: 5)',
    setting: { env: 'ASSAY_MARGIN', key: 'margin', parse: parsePoints, log: 'never' },
  },
  baselineRuns: {
    flag: '--baseline-runs <n>',
    verbs: ['compare'],
    help: 'how many runs of one version the baseline has at most (default: 30 of a name, a branch or --latest, else 1)',
    setting: {
      env: 'ASSAY_BASELINE_RUNS',
      key: 'baseline_runs',
      parse: parseWhole(1, 1000),
      log: 'never',
    },
  },
  failOn: {
    flag: '--fail-on <what>',
    verbs: ['compare'],
    help: 'exit 1 also if "undecided", or for "any-drop" of a case; comma-separated',
    setting: { env: 'ASSAY_FAIL_ON', key: 'fail_on', parse: parseFailOn, log: 'never' },
  },
  gate: {
    flag: '--gate <condition>',
    verbs: ['test', 'run', 'skills'],
    help: "what the whole run must reach, like 'pass_rate >= 90' or 'cost <= 2.50'; repeatable",
    repeatable: true,
    setting: { name: 'gates', env: 'ASSAY_GATES', key: 'gates', parse: parseTags },
  },
} as const satisfies { [attribute: string]: Option };
