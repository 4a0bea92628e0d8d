// The counts per value of a matrix, as lines for the summary on the terminal.

import { formatDuration } from '../../text/duration.ts';
import type { ByVariable } from '../fold/by-variable.ts';
import type { ValueCounts } from '../fold/value-counts.ts';
import { displayWidth } from '../../text/display-width.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';
import { variableVerdict } from '../text/best-text.ts';
import type { ValueColumn } from '../text/value-columns.ts';
import { valueColumns } from '../text/value-columns.ts';
import { onlyFailureGroups, variableText } from '../text/variable-text.ts';

const LISTED_VALUES = 20;
const LISTED_CASES = 10;

/** A table for each variable with its best value, then the cases that fail for one value only. */
export function variableLines(
  byVariable: ByVariable,
  { style, noun }: { style: Style; noun: string },
): string {
  const tables = Object.entries(byVariable.by_variable).map(([name, values]) => {
    const verdict = variableVerdict(byVariable, name, noun);
    const words = verdict === undefined ? '' : `  ${verdict}\n`;
    return `\n${tableLines(name, values, { style, noun })}${words}`;
  });
  return tables.join('') + onlyFailureLines(byVariable);
}

function tableLines(
  name: string,
  values: readonly ValueCounts[],
  { style, noun }: { style: Style; noun: string },
): string {
  const further = valueColumns(values, noun, { none: '-' });
  const rows = values.slice(0, LISTED_VALUES).map((counts) => toCells(counts, further));
  const titles = further.map((column) => column.head);
  const head = [oneLine(name), 'passed', 'pass rate', ...titles, 'average'];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => displayWidth(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string => {
    const cells = row.map((cell, column) => {
      const gap = ' '.repeat((widths[column] ?? 0) - displayWidth(cell));
      return column === 0 ? `${cell}${gap}` : `${gap}${cell}`;
    });
    return `  ${cells.join('  ')}`;
  };
  const left = values.length - rows.length;
  const more = left > 0 ? `  … and ${left} more\n` : '';
  return `${style.bold(line(head))}\n${rows.map((row) => `${line(row)}\n`).join('')}${more}`;
}

function toCells(counts: ValueCounts, further: readonly ValueColumn[]): string[] {
  const { value, passed, total, pass_rate: rate, avg_duration_ms: average } = counts;
  return [
    variableText(value),
    `${passed}/${total}`,
    rate === null ? '-' : `${rate}%`,
    ...further.map(({ cell }) => cell(counts)),
    average === null ? '-' : formatDuration(average),
  ];
}

/** One line per claim, with a limited number of cases in total. */
function onlyFailureLines(byVariable: ByVariable): string {
  const { groups, left } = onlyFailureGroups(byVariable, LISTED_CASES);
  if (groups.length === 0) return '';
  const lines = groups.map(
    ({ claim, cases }) => `  ${claim}: ${cases.map((name) => oneLine(name)).join(', ')}\n`,
  );
  return `\n${lines.join('')}${left > 0 ? `  … and ${left} more\n` : ''}`;
}
