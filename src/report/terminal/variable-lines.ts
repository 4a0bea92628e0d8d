// The counts per value of a matrix, as lines for the summary on the terminal.

import { formatDuration } from '../../text/duration.ts';
import type { ByVariable, OnlyFailure, ValueCounts } from '../fold/by-variable.ts';
import { displayWidth } from '../../text/display-width.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';
import { onlyFailureGroups, variableText } from '../text/variable-text.ts';

const LISTED_VALUES = 20;
const LISTED_CASES = 10;

/** A table for each variable, then the cases that fail for one value only. */
export function variableLines({ by_variable, only_fails_for }: ByVariable, style: Style): string {
  const tables = Object.entries(by_variable).map(([name, values]) => `\n${tableLines(name, values, style)}`);
  return tables.join('') + onlyFailureLines(only_fails_for);
}

function tableLines(name: string, values: readonly ValueCounts[], style: Style): string {
  const rows = values.slice(0, LISTED_VALUES).map((counts) => {
    const { value, passed, total, pass_rate: rate, avg_duration_ms: average } = counts;
    return [
      variableText(value),
      `${passed}/${total}`,
      rate === null ? '-' : `${rate}%`,
      average === null ? '-' : formatDuration(average),
    ];
  });
  const head = [oneLine(name), 'passed', 'pass rate', 'average'];
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

/** One line per value, with a limited number of cases in total. */
function onlyFailureLines(failures: readonly OnlyFailure[]): string {
  if (failures.length === 0) return '';
  const lines = onlyFailureGroups(failures.slice(0, LISTED_CASES)).map(
    ({ value, cases }) => `  Only fails for ${value}: ${cases.map((name) => oneLine(name)).join(', ')}\n`,
  );
  const left = failures.length - LISTED_CASES;
  return `\n${lines.join('')}${left > 0 ? `  … and ${left} more\n` : ''}`;
}
