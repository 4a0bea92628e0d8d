// The JSON report: one document with summary, environment, results, skipped cases and metadata.

import type { EventSource } from '../../model/sink.ts';
import { foldByVariable } from '../fold/by-variable.ts';
import { inChunks } from './chunks.ts';
import { foldSelections } from '../fold/selections.ts';
import { definedTests } from '../fold/logged-definitions.ts';
import { foldK, loggedK, resultK } from '../fold/k-figures.ts';
import { foldCases } from '../fold/fold.ts';
import type { JsonReport, ReportFrame } from './json-report.ts';
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
  const ks = loggedK(start);
  const frame: ReportFrame = {
    ...shape.head,
    summary: { ...shape.summary, ...(await foldK(source, overview)) },
    ...(await foldByVariable(source, overview)),
    ...orLeftOut('selections', await foldSelections(source, start)),
    environment: start.environment,
    ...(start.note !== undefined && { note: start.note }),
    ...(start.isolation !== undefined && { isolation: start.isolation }),
    ...(start.suite !== undefined && { suite: start.suite }),
    ...(start.resolved_variables !== undefined && { resolved_variables: start.resolved_variables }),
    ...orLeftOut('tests', definedTests(start)),
  };
  yield '{\n';
  for (const [name, value] of Object.entries(frame)) yield `  "${name}": ${indented(value, 2)},\n`;

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

  const metadata: JsonReport['metadata'] = {
    started_at: start.timestamp,
    completed_at: completedAt,
    version: start.version,
    run_id: start.run_id,
    ...(start.graded !== undefined && { graded: start.graded }),
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

/** An empty list is left out. */
function orLeftOut<Name extends string, T>(name: Name, list: T[]): { [Key in Name]?: T[] } {
  // A cast, because a computed name is any text to the compiler.
  return (list.length === 0 ? {} : { [name]: list }) as { [Key in Name]?: T[] };
}

/** Line breaks inside strings are escaped in JSON, so every one found here is layout. */
function indented(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(depth)}`);
}
