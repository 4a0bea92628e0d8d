// The options that give values to variables, and limit their combinations.

import type { Option } from './option.ts';
import { parseList, parsePresets } from './parsers.ts';

export const VARIABLE_OPTIONS = {
  preset: {
    group: 'agent',
    flag: '--preset <name>',
    verbs: ['test', 'run', 'grade'],
    help: 'values of variables by the name of a preset in assay.config; repeatable',
    repeatable: true,
    complete: 'presets',
    withResume: 'refused',
    setting: { env: 'ASSAY_PRESET', key: 'preset', parse: parseList, log: 'never restored' },
  },
  presets: {
    help: 'values of variables by a name of your own, for --preset',
    setting: { key: 'presets', parse: parsePresets, log: 'never' },
  },
  var: {
    group: 'agent',
    flag: '-V, --var <name=value>',
    verbs: ['test', 'run', 'grade'],
    help: 'value of a variable for this run; repeatable',
    repeatable: true,
    complete: 'variables',
  },
  varFile: {
    group: 'agent',
    flag: '--var-file <file>',
    verbs: ['test', 'run', 'grade'],
    help: 'values of variables from a .yml or .json file; repeatable',
    repeatable: true,
    complete: 'files',
    withResume: 'refused',
  },
  childRunInput: {
    flag: '--child-run-input <file>',
    verbs: ['run'],
    help: 'values that another process of this program gives to the run',
    hidden: true,
  },
  matrix: {
    group: 'agent',
    flag: '--matrix <name=a,b>',
    verbs: ['test', 'run'],
    help: 'run all combinations of these values: agent, connector or a variable; repeatable',
    repeatable: true,
    complete: 'variable lists',
    withResume: 'refused',
  },
  pairwise: {
    group: 'agent',
    flag: '--pairwise',
    verbs: ['test', 'run'],
    help: 'with a matrix: only as many combinations as it takes to have every pair of values',
  },
  maxAttempts: {
    group: 'run',
    flag: '--max-attempts <n>',
    verbs: ['test', 'run'],
    help: 'refuse to run more (default for a matrix: 1000)',
  },
  yes: {
    group: 'run',
    flag: '-y, --yes',
    verbs: ['test', 'run', 'init'],
    help: 'run more attempts than that anyway',
    helpFor: { init: 'ask nothing; decide by what is in the folder, as without a terminal' },
  },
} as const satisfies { [attribute: string]: Option };
