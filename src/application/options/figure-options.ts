// The options of the figures in summaries and reports.

import type { Option } from './option.ts';
import { parseCluster } from './parsers.ts';

export const FIGURE_OPTIONS = {
  cluster: {
    group: 'decide',
    flag: '--cluster <group>',
    verbs: ['test', 'run', 'report', 'grade'],
    help: 'interval of the pass rate for groups of related cases: tag:<prefix>, test or variable:<name>',
    setting: { env: 'ASSAY_CLUSTER', key: 'cluster', parse: parseCluster },
  },
} as const satisfies { [attribute: string]: Option };
