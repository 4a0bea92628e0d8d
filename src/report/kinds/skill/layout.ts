// The layout of skill tests on the terminal.

import type { Layout } from '../../terminal/layout.ts';
import { caseNamer } from '../../text/case-text.ts';
import { passedSkillLines, skillLines, untestedLine } from './lines.ts';

export const skillLayout: Layout = {
  noun: 'skill',
  namer: (start) => caseNamer(start),
  settled: (result, _kind, look) => skillLines(result, look),
  passed: passedSkillLines,
  skipped: untestedLine,
  beforeSummary: (notRun) => `${notRun}\n`,
};
