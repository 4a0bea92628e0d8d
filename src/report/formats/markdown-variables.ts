// Variables in the Markdown report: counts per value, and the values of the run and its tests.

import type { StartEvent } from '../../model/event.ts';
import { formatDuration } from '../../text/duration.ts';
import type { ByVariable, ValueCounts } from '../fold/by-variable.ts';
import { inlineText, percent, table } from './markdown-text.ts';
import { onlyFailureGroups, runVariables, testVariables, variableText } from '../text/variable-text.ts';

const LISTED = 100;
const COLUMNS = [
  'Value',
  'Total',
  'Passed',
  'Failed',
  'Errors',
  'Timeouts',
  'Skipped',
  'Pass Rate',
  'Average',
];

/** A table for each variable, then the cases that fail for one value only. */
export function byVariablePiece({ by_variable, only_fails_for }: ByVariable): string {
  const tables = Object.entries(by_variable).map(
    ([name, values]) => `### ${inlineText(name)}\n\n${table(COLUMNS, values.map(toCells))}\n`,
  );
  const lines = onlyFailureGroups(only_fails_for.slice(0, LISTED)).flatMap(({ value, cases }) =>
    cases.map((name) => `- ${inlineText(value)}: ${inlineText(name)}\n`),
  );
  const list = lines.length === 0 ? '' : `### Only Fails For\n\n${lines.join('')}`;
  return `## By Variable\n\n${tables.join('')}${list}${list === '' ? '' : restPiece(only_fails_for.length)}`;
}

function toCells(counts: ValueCounts): string[] {
  const { total, passed, failed, errors, timeouts, skipped, avg_duration_ms: average } = counts;
  return [
    variableText(counts.value),
    ...[total, passed, failed, errors, timeouts, skipped].map(String),
    percent(counts.pass_rate),
    average === null ? 'n/a' : formatDuration(average),
  ];
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
