// The options of what decides while a run is on.

import type { Option } from './option.ts';
import { parseDollars, parseTimeout } from './parsers.ts';

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
} as const satisfies { [attribute: string]: Option };
