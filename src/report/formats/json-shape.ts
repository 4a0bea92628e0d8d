// The shape of the JSON report: that of the kind of a run, or of a run with agents or several kinds in it.

import type { CaseResult, SettledCase, SkippedCase } from '../fold/case-result.ts';
import type { Overview } from '../fold/overview.ts';
import { REPORT_KINDS, runKind } from '../kinds/registry.ts';
import { furtherCounts } from './json-counts.ts';
import type { ReportSummary } from './json-report.ts';

export type JsonFields = Record<string, unknown>;

export type JsonShape = {
  /** The fields before the summary. */
  head: JsonFields;
  summary: ReportSummary;
  toResult(settled: SettledCase & { ran: true }): CaseResult | JsonFields;
  toSkipped(settled: SettledCase & { ran: false }): SkippedCase | JsonFields;
};

export function chooseJsonShape(overview: Overview): JsonShape {
  return runKind(overview.start).json?.shape(overview) ?? agentShape(overview);
}

function agentShape(overview: Overview): JsonShape {
  const { start, counts } = overview;
  const { total, passed, failed, skipped, errors, timeouts, duration_ms } = counts;
  // A map, because the kinds of a log can have any name.
  const entries = new Map(REPORT_KINDS.map(({ id, json }) => [id, json?.mixedEntries(start)]));
  return {
    head: {},
    summary: {
      total,
      passed,
      failed,
      skipped,
      errors,
      timeouts,
      duration_ms,
      agent_id: start.agent_id,
      connector: start.connector ?? null,
      ...furtherCounts(overview),
    },
    toResult({ kind, result }) {
      return entries.get(kind)?.(result) ?? result;
    },
    toSkipped: ({ skipped }) => skipped,
  };
}
