// The failed runs of a case as lines for the terminal; runs with the same failures are shown once.

import type { KindId } from '../../model/subject.ts';
import type { RunDetail } from '../fold/case-result.ts';
import { triesText } from '../text/case-text.ts';
import type { FailureLook } from './failure-lines.ts';
import { failureLines } from './failure-lines.ts';
import type { Failure } from '../fold/failures.ts';
import { listFailures } from '../fold/failures.ts';
import { oneLine } from '../../text/untrusted.ts';

const SHOWN_GROUPS = 3;

export function groupedLines(
  runs: readonly RunDetail[],
  kind: KindId,
  look: FailureLook,
  margin = '  ',
): string {
  const groups = new Map<string, { numbers: number[]; tries: string; failures: Failure[] }>();
  for (const run of runs) {
    if (run.status === 'passed') continue;
    const failures = listFailures(run, kind);
    const tries = triesText(run);
    const key = JSON.stringify([tries, failures]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { numbers: [run.run], tries, failures });
    else group.numbers.push(run.run);
  }
  const shown = [...groups.values()].slice(0, SHOWN_GROUPS);
  const lines = shown.map(({ numbers, tries, failures }) => {
    const which = `${numbers.length === 1 ? 'run' : 'runs'} ${oneLine(numbers.join(', '), 60)}`;
    const label = `${which}${tries === '' ? '' : ` (${tries})`}: `;
    return failureLines(failures, look, { label, margin });
  });
  const left = groups.size - shown.length;
  const others = `${margin}${look.style.branch} … and ${left} other ${left === 1 ? 'failure' : 'failures'}\n`;
  return lines.join('') + (left > 0 ? others : '');
}
