// The options that say how case files are read.

import type { Option } from './option.ts';
import { parseList } from './parsers.ts';

export const CASE_OPTIONS = {
  map: {
    flag: '--map <column=field>',
    verbs: ['test', 'run'],
    help: 'a column or field of case files that is a field of cases under another name, like question=input; repeatable',
    repeatable: true,
    setting: { key: 'map', parse: parseList },
  },
} as const satisfies { [attribute: string]: Option };
