// The list of flaky cases as text, in columns.

import type { FlakyCase } from '../../history/store/store.ts';
import type { ListedMark } from '../../quarantine/mark-cases.ts';
import type { Proposal } from '../../quarantine/propose.ts';
import { displayWidth } from '../../text/display-width.ts';
import { oneLine } from '../../text/untrusted.ts';

const HEAD =
  'A flaky case flips between runs with the same content, agent and judges; a changed case flipped once and stayed so.\n\n';

type ListedCase = FlakyCase & { quarantined?: ListedMark };
type TableOptions = { test: string | undefined; proposal: Proposal };

export function flakyTable(cases: readonly ListedCase[], { test, proposal }: TableOptions): string {
  if (cases.length === 0) {
    const which = test === undefined ? 'No case' : `No case of ${oneLine(test)}`;
    return `${which} is flaky: none has flipped often enough in its newest runs with the same agent and judges.\n`;
  }
  const rows = cases.map((one) => [
    one.kind,
    oneLine(nameOf(one)),
    `${String(one.passed)}/${String(one.runs)} passed`,
    factOf(one),
    quarantineOf(one),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  const lines = rows.map((row) => {
    const cells = row.map(
      (cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell))),
    );
    return `  ${cells.join('  ').trimEnd()}\n`;
  });
  const { length } = proposal.entries;
  const what = length === 1 ? 'an entry' : `${String(length)} entries`;
  const advice =
    length === 0
      ? ''
      : `\nassay flaky --propose prints ${what} for the quarantine, --write adds ${length === 1 ? 'it' : 'them'}.\n`;
  return `${HEAD}${lines.join('')}${advice}`;
}

function nameOf({ test_id, case_id, variables }: FlakyCase): string {
  return `${test_id} › ${case_id}${variables === null ? '' : ` ${JSON.stringify(variables)}`}`;
}

function factOf({ kind, flip_rate, passes_now }: FlakyCase): string {
  return kind === 'flaky'
    ? `two runs disagree in ${String(Math.round(flip_rate * 100))} of 100`
    : `flipped once, ${passes_now ? 'passes' : 'fails'} since`;
}

function quarantineOf({ quarantined }: ListedCase): string {
  if (quarantined === undefined) return '';
  const { expired, until } = quarantined;
  return expired ? `quarantine ended on ${until}` : `in quarantine until ${until}`;
}
