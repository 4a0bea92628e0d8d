// How reports show each kind of test; the twin of the registry in src/kinds. A new kind is a folder here and a line in the list.

import type { StartEvent } from '../../model/event.ts';
import type { KindId } from '../../model/subject.ts';
import { inputKind } from '../../model/subject.ts';
import { agentReport } from './agent/kind.ts';
import type { ReportKind } from './kind.ts';
import { scriptReport } from './script/kind.ts';
import { skillReport } from './skill/kind.ts';

export const REPORT_KINDS: readonly ReportKind[] = [
  agentReport, //
  scriptReport,
  skillReport,
];

/** A later version may know other kinds, which are shown like agents. */
export function reportKind(id: KindId, kinds: readonly ReportKind[] = REPORT_KINDS): ReportKind {
  return kinds.find((kind) => kind.id === id) ?? agentReport;
}

/** The kind of a run: the one that all inputs have, or agents if they differ. */
export function runKind({ inputs }: Pick<StartEvent, 'inputs'>): ReportKind {
  const [first, ...others] = new Set(inputs.map(inputKind));
  return first === undefined || others.length > 0 ? agentReport : reportKind(first);
}
