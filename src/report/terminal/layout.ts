// The layout of the lines about a run. It is apart from ReportKind, because the web app has no terminal.

import type { KindId } from '../../model/subject.ts';
import type { ResultEvent, StartEvent } from '../../model/event.ts';
import type { CaseLook } from './case-lines.ts';
import { caseLines, passedLines, skippedLine } from './case-lines.ts';
import type { CaseResult, SkippedCase } from '../fold/case-result.ts';
import type { CaseNamer } from '../text/case-text.ts';
import { caseNamer } from '../text/case-text.ts';
import { runKind } from '../kinds/registry.ts';
import { scriptLayout } from '../kinds/script/layout.ts';
import { skillLayout } from '../kinds/skill/layout.ts';
import type { Style } from './style.ts';

export type Layout = {
  noun: string;
  namer(start: StartEvent, style: Style): CaseNamer;
  settled(result: CaseResult, kind: KindId, look: CaseLook): string;
  /** A case with one run that passed without further details. */
  passed(event: ResultEvent, look: CaseLook): string;
  skipped(skipped: SkippedCase, look: CaseLook): string;
  /** Separates the lines about cases that were not run from the summary that follows. */
  beforeSummary(notRun: string): string;
};

export const AGENT_LAYOUT: Layout = {
  noun: 'case',
  namer: (start, style) => caseNamer(start, style.within),
  settled: caseLines,
  passed: passedLines,
  skipped: skippedLine,
  beforeSummary: (notRun) => `${notRun}\n`,
};

/** Kinds that are not here look like agents. */
const LAYOUTS: Partial<Record<KindId, Layout>> = { script: scriptLayout, skill: skillLayout };

/** Runs of only scripts and runs of only skills have their own layouts. */
export function chooseLayout(start: StartEvent): Layout {
  return LAYOUTS[runKind(start).id] ?? AGENT_LAYOUT;
}
