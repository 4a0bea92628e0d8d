// How the lines of a run look: those of agent tests, and those of script tests.

import type { Kind } from '../model/attempt.ts';
import type { ResultEvent, StartEvent } from '../model/event.ts';
import type { CaseLook } from './case-lines.ts';
import { caseLine, caseLines, skippedLine } from './case-lines.ts';
import type { CaseResult, SkippedCase } from './case-result.ts';
import type { CaseNamer } from './case-text.ts';
import { caseNamer } from './case-text.ts';
import { passedLines, scriptLines, skippedLines } from './script-lines.ts';
import type { Noun } from './script-run.ts';
import { functionNamer, onlyScripts } from './script-run.ts';
import type { Style } from './style.ts';

export type Layout = {
  noun: Noun;
  namer(start: StartEvent, style: Style): CaseNamer;
  settled(result: CaseResult, kind: Kind, look: CaseLook): string;
  /** A case of one run that passed and about which there is nothing else to say. */
  passed(event: ResultEvent, look: CaseLook): string;
  skipped(skipped: SkippedCase, look: CaseLook): string;
  /** The lines about what was not run, set apart from the summary that follows. */
  beforeSummary(notRun: string): string;
};

export const AGENT_LAYOUT: Layout = {
  noun: 'case',
  namer: (start, style) => caseNamer(start, style.within),
  settled: caseLines,
  passed: caseLine,
  skipped: skippedLine,
  beforeSummary: (notRun) => `${notRun}\n`,
};

const SCRIPT_LAYOUT: Layout = {
  noun: 'test',
  namer: ({ inputs }) => functionNamer(inputs),
  settled: (result, _kind, look) => scriptLines(result, look),
  passed: passedLines,
  skipped: skippedLines,
  // Every test has an empty line below it already.
  beforeSummary: (notRun) => (notRun === '' ? '' : `${notRun}\n`),
};

/** A run of nothing but scripts has a look of its own. */
export function layoutOf(start: StartEvent): Layout {
  return onlyScripts(start) === undefined ? AGENT_LAYOUT : SCRIPT_LAYOUT;
}
