// Variables in the HTML report: how each value did, and which values a run and its tests had.

import type { StartEvent } from '../model/event.ts';
import { formatDuration } from '../platform/duration.ts';
import type { ByVariable, ValueCounts } from './by-variable.ts';
import { inlineHtml } from './html-text.ts';
import { onlyFailureGroups, runVariables, testVariables, variableText } from './variable-text.ts';

const LISTED = 100;
const COLUMNS = ['total', 'passed', 'failed', 'errors', 'timeouts', 'skipped', 'pass rate', 'average'];

/** A table for every variable, then what fails for one value only. */
export function byVariableHtml({ by_variable, only_fails_for }: ByVariable): string {
  const tables = Object.entries(by_variable).map(([name, values]) =>
    tableHtml([name, ...COLUMNS], values.map(cellsOf)),
  );
  const items = onlyFailureGroups(only_fails_for.slice(0, LISTED)).map(
    ({ value, cases }) =>
      `<li>Only fails for <b>${inlineHtml(value)}</b>: ${cases.map(inlineHtml).join(', ')}</li>`,
  );
  const list = items.length === 0 ? '' : `<ul>${items.join('')}</ul>\n`;
  return `<h2>By variable</h2>\n${tables.join('')}${list}${restHtml(only_fails_for.length)}`;
}

function cellsOf(counts: ValueCounts): string[] {
  const { total, passed, failed, errors, timeouts, skipped } = counts;
  const { pass_rate: rate, avg_duration_ms: average } = counts;
  return [
    variableText(counts.value),
    ...[total, passed, failed, errors, timeouts, skipped].map(String),
    rate === null ? 'n/a' : `${rate}%`,
    average === null ? 'n/a' : formatDuration(average),
  ];
}

/** The values of the run, then those of tests that have others; nothing if there are none. */
export function variablesHtml(start: StartEvent): string {
  const ofRun = runVariables(start).map(({ name, value, source }) => [name, value, source]);
  const ofTests = testVariables(start).map(({ test, name, value, source }) => [test, name, value, source]);
  if (ofRun.length === 0 && ofTests.length === 0) return '';
  const run = ofRun.length === 0 ? '' : tableHtml(['variable', 'value', 'source'], ofRun);
  const tests =
    ofTests.length === 0 ? '' : tableHtml(['test', 'variable', 'value', 'source'], ofTests.slice(0, LISTED));
  return `<h2>Variables</h2>\n${run}${tests}${restHtml(ofTests.length)}`;
}

function tableHtml(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`).join('')}</tr>\n`;
  return `<table>\n${cells(head, 'th')}${rows.map((row) => cells(row, 'td')).join('')}</table>\n`;
}

function restHtml(count: number): string {
  return count > LISTED
    ? `<p class="note">… and ${count - LISTED} more; the JSON report has all of them.</p>\n`
    : '';
}
