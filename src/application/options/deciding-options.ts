// The options of what decides while a run is on.

import type { Option } from './option.ts';
import {
  parseConfidence,
  parseConfirm,
  parseDollars,
  parseFailOn,
  parseFileOrOff,
  parseGates,
  parseLevel,
  parseOrder,
  parsePercentage,
  parsePoints,
  parseText,
  parseTimeout,
  parseWhole,
  parseWord,
} from './parsers.ts';
import { MOST_RUNS } from '../../model/runs-rule.ts';

/** Verbs that compare, or compare while they run. */
const COMPARED = ['compare', 'test', 'run', 'skills', 'grade'] as const;

const PLANNED_AGAINST =
  'what the run will be compared with: a named baseline, a run, a log or branch:<branch> (default: the newest runs in the history)';
const PLANNED_MARGIN = 'the drop of the pass rate that the run should show (default: 5)';

const RUNS = ['test', 'run', 'skills'] as const;

export const DECIDING_OPTIONS = {
  budget: {
    group: 'run',
    flag: '--budget <dollars>',
    verbs: ['test', 'run'],
    help: "stop when the run has cost this much, like '$5'; --resume runs the rest",
    setting: { env: 'ASSAY_BUDGET', key: 'budget', parse: parseDollars, log: 'never restored' },
  },
  budgetTime: {
    group: 'run',
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
  against: {
    group: 'decide',
    flag: '--against <baseline>',
    verbs: ['test', 'run', 'skills', 'grade'],
    help: 'compare with a baseline, a run, branch:<branch> or a log; exit 1 if it is worse. Stops when that is known, after 10 rounds at most, or --runs',
    helpFor: {
      'plan.test': PLANNED_AGAINST,
      'plan.run': PLANNED_AGAINST,
    },
    setting: { env: 'ASSAY_AGAINST', key: 'against', parse: parseText },
  },
  alpha: {
    group: 'decide',
    flag: '--alpha <chance>',
    verbs: COMPARED,
    help: 'chance of a false alarm if nothing changed (default: 0.05)',
    setting: { env: 'ASSAY_ALPHA', key: 'alpha', parse: parseLevel },
  },
  margin: {
    group: 'decide',
    flag: '--margin <points>',
    verbs: COMPARED,
    help: 'a drop of the pass rate up to here is tolerable (default: 5)',
    helpFor: {
      'plan.test': PLANNED_MARGIN,
      'plan.run': PLANNED_MARGIN,
    },
    setting: { env: 'ASSAY_MARGIN', key: 'margin', parse: parsePoints },
  },
  baselineRuns: {
    group: 'decide',
    flag: '--baseline-runs <n>',
    verbs: COMPARED,
    help: 'how many runs of one version the baseline has at most (default: 30 of a name, a branch or --latest, else 1)',
    setting: {
      env: 'ASSAY_BASELINE_RUNS',
      key: 'baseline_runs',
      parse: parseWhole(1, 1000),
    },
  },
  failOn: {
    group: 'decide',
    flag: '--fail-on <what>',
    verbs: COMPARED,
    help: 'exit 1 also if "undecided", or for "any-drop" of a case; comma-separated',
    setting: { env: 'ASSAY_FAIL_ON', key: 'fail_on', parse: parseFailOn },
  },
  confirm: {
    group: 'decide',
    flag: '--confirm [k]',
    verbs: ['test', 'run', 'skills'],
    help: 'with --against: one round, then k fresh runs of the cases that failed (default: 3 or 5, by the length of the baseline)',
    setting: { env: 'ASSAY_CONFIRM', key: 'confirm', parse: parseConfirm },
  },
  gate: {
    group: 'decide',
    flag: '--gate <condition>',
    verbs: ['test', 'run', 'skills', 'grade'],
    help: "what the whole run must reach, like 'pass_rate >= 90', 'cost <= 2.50' or 'similar >= 0.8'; repeatable",
    repeatable: true,
    setting: { name: 'gates', env: 'ASSAY_GATES', key: 'gates', parse: parseGates },
  },
  order: {
    group: 'select',
    flag: '--order <how>',
    verbs: ['test', 'run', 'skills'],
    help: 'as-written, failed-first, flaky-first or slowest-first, from the history (default: as-written; failed-first with --fail-fast and --watch)',
    complete: 'orders',
    setting: { env: 'ASSAY_ORDER', key: 'order', parse: parseOrder },
  },
  quarantine: {
    group: 'select',
    flag: '--quarantine <file>',
    opposite: { flag: '--no-quarantine', verbs: ['test', 'run', 'skills', 'grade'] },
    verbs: ['test', 'run', 'skills', 'flaky', 'grade'],
    help: 'cases whose failures do not count; --no-quarantine for none (default: quarantine.yml)',
    helpFor: { flaky: 'the quarantine file (default: quarantine.yml)' },
    complete: 'files',
    setting: {
      env: 'ASSAY_QUARANTINE',
      key: 'quarantine',
      parse: parseFileOrOff,
      fromRoot: { isPath: (file) => file !== 'off' },
      help: 'the file with the cases whose failures do not count (default: quarantine.yml); "off" for none',
    },
  },
  target: {
    group: 'decide',
    flag: '--target <percent>',
    verbs: RUNS,
    help: 'with --runs auto: the pass rate that a case should have (default: 80)',
    withResume: 'refused',
    setting: { env: 'ASSAY_TARGET', key: 'target', parse: parsePercentage },
  },
  confidence: {
    group: 'decide',
    flag: '--confidence <share>',
    verbs: RUNS,
    help: 'with --runs auto: how sure the answer for a case is (default: 0.95)',
    withResume: 'refused',
    setting: { env: 'ASSAY_CONFIDENCE', key: 'confidence', parse: parseConfidence },
  },
  minRuns: {
    group: 'decide',
    flag: '--min-runs <n>',
    verbs: RUNS,
    help: 'with --runs auto: the least runs of a case (default: 3)',
    withResume: 'refused',
    setting: { env: 'ASSAY_MIN_RUNS', key: 'min_runs', parse: parseWhole(1, MOST_RUNS) },
  },
  maxRuns: {
    group: 'decide',
    flag: '--max-runs <n>',
    verbs: RUNS,
    help: 'with --runs auto: the most runs of a case (default: 20); with --against: the most rounds (default: 10)',
    withResume: 'refused',
    setting: { env: 'ASSAY_MAX_RUNS', key: 'max_runs', parse: parseWhole(1, MOST_RUNS) },
  },
  undecided: {
    group: 'decide',
    flag: '--undecided <answer>',
    verbs: RUNS,
    help: 'with --runs auto: pass or fail for a case that the most runs do not decide (default: fail)',
    withResume: 'refused',
    setting: { env: 'ASSAY_UNDECIDED', key: 'undecided', parse: parseWord('fail', 'pass') },
  },
} as const satisfies { [attribute: string]: Option };
