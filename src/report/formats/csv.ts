// The results as a table for spreadsheets: one line per case.

import type { EventSource } from '../../model/sink.ts';
import { inChunks } from './chunks.ts';
import type { SettledCase } from '../fold/case-result.ts';
import { foldCases } from '../fold/fold.ts';
import { readOverview } from '../fold/overview.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeControls, readableText } from '../../text/untrusted.ts';

const COLUMNS = [
  'test_id',
  'id',
  'status',
  'duration_ms',
  'runs',
  'passed',
  'pass_rate',
  'stability_class',
  'error',
  'tags',
  'variables',
  'input',
  'output',
  'expected',
  'input_tokens',
  'output_tokens',
  'cost_usd',
] as const;

/** Spreadsheets reject longer cells. */
const CELL_LENGTH = 32_000;

/** Writes the results of a log as CSV (RFC 4180). */
export function csvReport(source: EventSource): AsyncIterable<string> {
  return inChunks(lines(source));
}

async function* lines(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const metrics = (overview.counts.metrics ?? []).map(({ metric }) => metric);
  yield toLine([...COLUMNS, ...metrics.map((metric) => `score:${metric}`)]);
  for await (const settled of foldCases(source, overview)) {
    const cells = toCells(settled);
    const scores = settled.ran ? new Map(Object.entries(settled.result.scores ?? {})) : undefined;
    yield toLine([
      ...COLUMNS.map((column) => cells[column]),
      ...metrics.map((metric) => scores?.get(metric)),
    ]);
  }
}

function toCells(settled: SettledCase): Partial<Record<(typeof COLUMNS)[number], unknown>> {
  if (!settled.ran) {
    const { test_id, id, reason, message = reason, variables } = settled.skipped;
    return { test_id, id, status: 'skipped', error: message, variables };
  }
  const { usage, tags, ...result } = settled.result;
  return {
    ...result,
    ...usage,
    tags: tags?.join(' '),
  };
}

function toLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = cutText(escapeControls(cutText(readableText(value), CELL_LENGTH)), CELL_LENGTH);
  // Answers are untrusted: without the quote, a spreadsheet would run them as a formula.
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
