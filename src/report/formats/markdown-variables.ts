// Variables in the Markdown report: counts per value, and the values of the run and its tests.

import type { StartEvent } from '../../model/event.ts';
import { formatDuration } from '../../text/duration.ts';
import type { ByVariable } from '../fold/by-variable.ts';
import type { ValueCounts } from '../fold/value-counts.ts';
import type { Selections } from '../fold/selections.ts';
import { selectionText } from '../text/selection-text.ts';
import { inlineText, percent, table } from './markdown-text.ts';
import { variableVerdict } from '../text/best-text.ts';
import { valueColumns } from '../text/value-columns.ts';
import { onlyFailureGroups, runVariables, testVariables, variableText } from '../text/variable-text.ts';

const LISTED = 100;
const COLUMNS = ['Value', 'Total', 'Passed', 'Failed', 'Errors', 'Timeouts', 'Skipped', 'Pass Rate'];

/** A table for each variable with its best value, then the cases that fail for one value only. */
export function byVariablePiece(byVariable: ByVariable, noun: string): string {
  const tables = Object.entries(byVariable.by_variable).map(([name, values]) => {
    const verdict = variableVerdict(byVariable, name, noun);
    const words = verdict === undefined ? '' : `${inlineText(verdict)}\n\n`;
    return `### ${inlineText(name)}\n\n${valueTable(values, noun)}\n${words}`;
  });
  const { groups, left } = onlyFailureGroups(byVariable, LISTED);
  const lines = groups.flatMap(({ claim, cases }) =>
    cases.map((name) => `- ${inlineText(claim)}: ${inlineText(name)}\n`),
  );
  const list = lines.length === 0 ? '' : `### Only Fails For\n\n${lines.join('')}${restPiece(LISTED + left)}`;
  return `## By Variable\n\n${tables.join('')}${list}`;
}

/** One line per criterion of `select_best`; empty without one. */
export function selectionsPiece(selections: readonly Selections[]): string {
  if (selections.length === 0) return '';
  return `### Best Answers\n\n${selections.map((one) => `- ${inlineText(selectionText(one))}\n`).join('')}\n`;
}

function valueTable(values: readonly ValueCounts[], noun: string): string {
  const further = valueColumns(values, noun, { none: 'n/a' });
  const head = [...COLUMNS, ...further.map((column) => titled(column.head)), 'Average'];
  const rows = values.map((counts) => {
    const { total, passed, failed, errors, timeouts, skipped, avg_duration_ms: average } = counts;
    return [
      variableText(counts.value),
      ...[total, passed, failed, errors, timeouts, skipped].map(String),
      percent(counts.pass_rate),
      ...further.map(({ cell }) => cell(counts)),
      average === null ? 'n/a' : formatDuration(average),
    ];
  });
  return table(head, rows);
}

function titled(text: string): string {
  return text.replaceAll(/(?<=^| )[a-z]/g, (letter) => letter.toUpperCase());
}

/** The values of the run, then the values of tests that differ; empty without variables. */
export function variablesPiece(start: StartEvent): string {
  const ofRun = runVariables(start).map(({ name, value, source }) => [name, value, source]);
  const ofTests = testVariables(start).map(({ test, name, value, source }) => [test, name, value, source]);
  if (ofRun.length === 0 && ofTests.length === 0) return '';
  let text = '## Variables\n\n';
  if (ofRun.length > 0) text += `${table(['Variable', 'Value', 'Source'], ofRun)}\n`;
  if (ofTests.length === 0) return text;
  const rows = table(['Test', 'Variable', 'Value', 'Source'], ofTests.slice(0, LISTED));
  return `${text}${rows}${restPiece(ofTests.length)}`;
}

function restPiece(count: number): string {
  return count > LISTED ? `\n… and ${count - LISTED} more; the JSON report has all of them.\n\n` : '\n';
}
