// A table of tests in, tests as a configuration has them out: columns such as `__expected` are more than variables.

import type { Losses } from '../losses.ts';
import { assertionFromText } from './text-assertion.ts';
import { readCsv } from './csv.ts';
import type { Source } from './source.ts';

type Test = {
  vars: Record<string, string>;
  assert: Record<string, unknown>[];
  options: Record<string, string>;
  metadata: Record<string, unknown>;
  description?: string;
  threshold?: number;
};

export function readCsvTests(text: string, name: string, losses: Losses): Source[] {
  return readCsv(text, name).map(({ row, at }) => ({
    value: readRow(row, at, losses),
    path: [],
    at: () => at,
  }));
}

function readRow(row: Record<string, string>, at: string, losses: Losses): Test {
  const test: Test = { vars: {}, assert: [], options: {}, metadata: {} };
  const numbered: { number: string; assertion: Record<string, unknown> }[] = [];
  for (const [column, cell] of Object.entries(row)) {
    const [, number] = /^__expected(\d*)$/.exec(column) ?? [];
    if (number !== undefined) {
      if (cell.trim() !== '') numbered.push({ number, assertion: assertionFromText(cell) });
    } else if (column.startsWith('__')) readSpecial(column, cell, test, at, losses);
    else if (column !== '') test.vars[column] = cell;
  }
  for (const { number, assertion } of numbered) {
    for (const target of ['', number]) configure(assertion, target, row);
    if ((row['__metric'] ?? '') !== '') assertion['metric'] = row['__metric'];
    test.assert.push(assertion);
  }
  return test;
}

/** `__config:__expected2:threshold` sets a field of one assertion, `__config:__expected:threshold` of all. */
function configure(assertion: Record<string, unknown>, number: string, row: Record<string, string>): void {
  const prefix = `__config:__expected${number}:`;
  for (const [column, cell] of Object.entries(row)) {
    if (!column.startsWith(prefix) || cell === '') continue;
    const key = column.slice(prefix.length);
    assertion[key] = key === 'threshold' ? Number.parseFloat(cell) : cell;
  }
}

function readSpecial(column: string, cell: string, test: Test, at: string, losses: Losses): void {
  const [, key, list] = /^__metadata:(.+?)(\[\])?$/.exec(column) ?? [];
  if (key !== undefined) {
    if (cell === '') return;
    const parts = cell.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ',').trim());
    test.metadata[key] = list === undefined ? cell : parts;
  } else if (column === '__description') {
    if (cell !== '') test.description = cell;
  } else if (column === '__prefix' || column === '__suffix') {
    if (cell !== '') test.options[column.slice(2)] = cell;
  } else if (column === '__threshold') {
    if (cell !== '') test.threshold = Number.parseFloat(cell);
  } else if (column === '__metric' || column.startsWith('__config:')) {
    // They belong to the assertions.
  } else if (cell !== '') {
    losses.missing(at, `column ${column}`, 'there is no equivalent of this column');
  }
}
