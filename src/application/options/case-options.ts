// The options that say how files of users are read and run.

import type { Option } from './option.ts';
import { hasSlash, parseList, parseText, parseWhole } from './parsers.ts';

export const CASE_OPTIONS = {
  first: {
    group: 'select',
    flag: '--first <n>',
    verbs: ['test', 'run', 'skills'],
    help: 'only the first cases, after --run and --tag',
    withResume: 'refused',
    setting: { name: 'first', parse: parseWhole(1) },
  },
  sample: {
    group: 'select',
    flag: '--sample <n>',
    verbs: ['test', 'run', 'skills'],
    help: 'only so many cases, chosen by chance after --run and --tag: the same ones every time, until --seed says otherwise',
    withResume: 'refused',
    setting: { name: 'sample', parse: parseWhole(1) },
  },
  seed: {
    group: 'select',
    flag: '--seed <n>',
    verbs: ['test', 'run', 'skills'],
    help: 'with --sample: another number gives another sample (default: 1)',
    withResume: 'refused',
    setting: { name: 'seed', parse: parseWhole(0, 2 ** 31 - 1) },
  },
  map: {
    group: 'select',
    flag: '--map <column=field>',
    verbs: ['test', 'run', 'grade'],
    help: 'a column or field of case files that is a field of cases under another name, like question=input; repeatable',
    repeatable: true,
    setting: { key: 'map', parse: parseList },
  },
  python: {
    group: 'agent',
    flag: '--python <program>',
    verbs: ['test', 'run', 'grade'],
    help: 'interpreter for Python agents and checks (default: the virtual environment, else python3)',
    complete: 'files',
    setting: { env: 'ASSAY_PYTHON', key: 'python', parse: parseText, fromRoot: { isPath: hasSlash } },
  },
} as const satisfies { [attribute: string]: Option };
