// The options that say how files of users are read and run.

import type { Option } from './option.ts';
import { hasSlash, parseList, parseText } from './parsers.ts';

export const CASE_OPTIONS = {
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
