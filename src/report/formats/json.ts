// The JSON report: one document with summary, environment, results, skipped cases and metadata.

import type { EventSource } from '../../model/sink.ts';
import { foldByVariable } from '../fold/by-variable.ts';
import { inChunks } from './chunks.ts';
import { foldSelections } from '../fold/selections.ts';
import { definedTests } from '../fold/logged-definitions.ts';
import { foldK, loggedK, resultK } from '../fold/k-figures.ts';
import { foldCases } from '../fold/fold.ts';
import type { JsonShape } from './json-shape.ts';
import { chooseJsonShape } from './json-shape.ts';
import type { Overview } from '../fold/overview.ts';
import { readOverview } from '../fold/overview.ts';

/** Writes the JSON report of a log. */
export function jsonReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

async function* pieces(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start, completedAt } = overview;
  const shape = chooseJsonShape(overview);
  yield '{\n';
  for (const [name, value] of Object.entries(shape.head)) yield `  "${name}": ${indented(value, 2)},\n`;
  const ks = loggedK(start);
  yield `  "summary": ${indented({ ...shape.summary, ...(await foldK(source, overview)) }, 2)},\n`;
  for (const [name, value] of Object.entries((await foldByVariable(source, overview)) ?? {}))
    yield `  "${name}": ${indented(value, 2)},\n`;
  const selections = await foldSelections(source, start);
  if (selections.length > 0) yield `  "selections": ${indented(selections, 2)},\n`;
  yield `  "environment": ${indented(start.environment, 2)},\n`;
  if (start.suite !== undefined) yield `  "suite": ${JSON.stringify(start.suite)},\n`;
  if (start.resolved_variables !== undefined)
    yield `  "resolved_variables": ${indented(start.resolved_variables, 2)},\n`;
  const tests = definedTests(start);
  if (tests.length > 0) yield `  "tests": ${indented(tests, 2)},\n`;

  yield '  "results": [';
  let separator = '\n';
  let skipped = 0;
  for await (const settled of foldCases(source, overview)) {
    if (!settled.ran) {
      skipped += 1;
      continue;
    }
    yield `${separator}    ${indented({ ...shape.toResult(settled), ...(ks.length > 0 && resultK(settled.result, ks)) }, 4)}`;
    separator = ',\n';
  }
  yield separator === '\n' ? '],\n' : '\n  ],\n';

  yield '  "skipped_cases": [';
  if (skipped > 0) yield* skippedPieces(source, overview, shape);
  yield '],\n';

  const metadata = {
    started_at: start.timestamp,
    completed_at: completedAt,
    version: start.version,
    run_id: start.run_id,
  };
  yield `  "metadata": ${indented(metadata, 2)}\n}\n`;
}

/** The skipped cases stand after the results, so the log is read once more instead of keeping them. */
async function* skippedPieces(
  source: EventSource,
  overview: Overview,
  shape: JsonShape,
): AsyncGenerator<string> {
  let separator = '\n';
  for await (const settled of foldCases(source, overview)) {
    if (settled.ran) continue;
    yield `${separator}    ${indented(shape.toSkipped(settled), 4)}`;
    separator = ',\n';
  }
  yield '\n  ';
}

/** Line breaks inside strings are escaped in JSON, so every one found here is layout. */
function indented(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(depth)}`);
}
