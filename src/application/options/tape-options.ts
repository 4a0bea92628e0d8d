// The options that record and replay.

import type { Option } from './option.ts';
import { parseBoolean, parsePositive, parseTapeRules, parseText } from './parsers.ts';

export const TAPE_OPTIONS = {
  record: {
    group: 'record',
    flag: '--record <folder>',
    verbs: ['test', 'run'],
    help: 'record the model, tool and HTTP traffic of every run',
    complete: 'files',
    setting: { env: 'ASSAY_RECORD', key: 'record', parse: parseText, fromRoot: {} },
  },
  replay: {
    group: 'record',
    flag: '--replay <folder>',
    verbs: ['test', 'run'],
    help: 'answer from recordings: no network, no keys, no costs',
    complete: 'files',
    setting: { env: 'ASSAY_REPLAY', key: 'replay', parse: parseText, fromRoot: {} },
  },
  recordMissing: {
    group: 'record',
    flag: '--record-missing',
    verbs: ['test', 'run'],
    help: 'with --replay: send requests that have no recording, and record them',
    setting: { env: 'ASSAY_RECORD_MISSING', key: 'record_missing', parse: parseBoolean },
  },
  cache: {
    group: 'record',
    flag: '--cache',
    opposite: { flag: '--no-cache', verbs: ['test', 'run'] },
    verbs: ['test', 'run'],
    help: 'answer from the recordings in .assay/tapes, and record what is missing there: --replay .assay/tapes --record-missing',
    setting: { env: 'ASSAY_CACHE', key: 'cache', parse: parseBoolean },
  },
  replaySpeed: {
    group: 'record',
    flag: '--replay-speed <factor>',
    verbs: ['test', 'run'],
    help: 'with --replay: 1 answers as fast as it was recorded, 2 twice as fast (default: at once)',
    setting: { env: 'ASSAY_REPLAY_SPEED', key: 'replay_speed', parse: parsePositive },
  },
  tapes: {
    help: 'rules for comparing recordings, and addresses that a replay may reach',
    setting: { key: 'tapes', parse: parseTapeRules, log: 'never' },
  },
} as const satisfies { [attribute: string]: Option };
