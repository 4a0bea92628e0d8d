// The layout of script tests on the terminal.

import type { StartEvent } from '../../../model/event.ts';
import { hasSeveralTests } from '../../fold/logged-definitions.ts';
import type { Layout } from '../../terminal/layout.ts';
import type { CaseNamer } from '../../text/case-text.ts';
import { shortNamer } from '../../text/case-text.ts';
import { passedLines, scriptLines, skippedLines } from './lines.ts';

export const scriptLayout: Layout = {
  noun: 'test',
  namer: functionNamer,
  settled: (result, _kind, look) => scriptLines(result, look),
  passed: passedLines,
  skipped: skippedLines,
  // Every test has an empty line below it already.
  beforeSummary: (notRun) => (notRun === '' ? '' : `${notRun}\n`),
};

/** A test is called by its function; if a run has several scripts, also by the one it is in. */
function functionNamer(start: Pick<StartEvent, 'inputs' | 'matrix'>): CaseNamer {
  const shortNameOf = shortNamer(start);
  return hasSeveralTests(start) ? (named) => `${named.test_id} ${shortNameOf(named)}` : shortNameOf;
}
