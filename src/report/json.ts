// The JSON report: one document with summary, environment, results, skipped cases and metadata.

import type { EventSource } from '../model/sink.ts';
import { inChunks } from './chunks.ts';
import { foldCases } from './fold.ts';
import type { Overview } from './overview.ts';
import { readOverview } from './overview.ts';

/** Writes the JSON report of a log. */
export function jsonReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

async function* pieces(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start, completedAt } = overview;
  yield `{\n  "summary": ${indented(summaryOf(overview), 2)},\n`;
  yield `  "environment": ${indented(start.environment, 2)},\n`;

  yield '  "results": [';
  let separator = '\n';
  let skipped = 0;
  for await (const settled of foldCases(source, overview)) {
    if (!settled.ran) {
      skipped += 1;
      continue;
    }
    yield `${separator}    ${indented(settled.result, 4)}`;
    separator = ',\n';
  }
  yield separator === '\n' ? '],\n' : '\n  ],\n';

  yield '  "skipped_cases": [';
  if (skipped > 0) yield* skippedPieces(source, overview);
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
async function* skippedPieces(source: EventSource, overview: Overview): AsyncGenerator<string> {
  let separator = '\n';
  for await (const settled of foldCases(source, overview)) {
    if (settled.ran) continue;
    yield `${separator}    ${indented(settled.skipped, 4)}`;
    separator = ',\n';
  }
  yield '\n  ';
}

function summaryOf({ start, counts, planned }: Overview): Record<string, unknown> {
  return {
    total: counts.total,
    passed: counts.passed,
    failed: counts.failed,
    skipped: counts.skipped,
    errors: counts.errors,
    timeouts: counts.timeouts,
    duration_ms: counts.duration_ms,
    agent_id: start.agent_id,
    connector: start.connector ?? null,
    total_cases: planned,
    total_runs: counts.total_runs,
    runs_per_case: counts.runs_per_case,
    overall_pass_rate: counts.overall_pass_rate,
    stable_cases: counts.stable_cases,
    unstable_cases: counts.unstable_cases,
    ...(counts.usage !== undefined && { usage: counts.usage }),
    ...(counts.cost_usd !== undefined && { cost_usd: counts.cost_usd }),
  };
}

/** Line breaks inside strings are escaped in JSON, so every one found here is layout. */
function indented(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(depth)}`);
}
