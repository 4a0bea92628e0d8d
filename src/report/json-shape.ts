// The two shapes of the JSON report: of a run with agents in it, and of a run of scripts only.

import type { StartEvent } from '../model/event.ts';
import type { CaseResult, SettledCase, SkippedCase } from './case-result.ts';
import type { Overview } from './overview.ts';
import type { ScriptPlace } from './script-entry.ts';
import { mixedEntry, scriptEntry, skippedEntry } from './script-entry.ts';
import type { LoggedScript } from './script-run.ts';
import { onlyScripts, scriptPaths, typedScripts } from './script-run.ts';

type Fields = Record<string, unknown>;

export type JsonShape = {
  /** What stands before the summary. */
  head: Fields;
  summary: Fields;
  resultOf(settled: SettledCase & { ran: true }): CaseResult | Fields;
  skippedOf(settled: SettledCase & { ran: false }): SkippedCase | Fields;
};

export function jsonShapeOf(overview: Overview): JsonShape {
  const scripts = onlyScripts(overview.start);
  return scripts === undefined ? agentShape(overview) : scriptShape(overview, scripts);
}

function agentShape(overview: Overview): JsonShape {
  const { start, counts } = overview;
  const { total, passed, failed, skipped, errors, timeouts, duration_ms } = counts;
  const placeOf = scriptFinder(start);
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
    resultOf: ({ kind, result }) => (kind === 'script' ? mixedEntry(result, placeOf(result)) : result),
    skippedOf: ({ skipped }) => skipped,
  };
}

/** A report about several scripts names the script of every test. */
function scriptShape(overview: Overview, scripts: readonly LoggedScript[]): JsonShape {
  const { total, passed, failed, skipped, errors, timeouts, duration_ms } = overview.counts;
  const [only, ...others] = scripts;
  const isOne = only !== undefined && others.length === 0;
  const placeOf = isOne ? () => undefined : scriptFinder(overview.start);
  return {
    head: {
      type: 'script_test',
      script: isOne ? only.script : typedScripts(scripts),
      ...(isOne && { script_path: only.script_path }),
    },
    summary: {
      total,
      passed,
      failed,
      skipped,
      duration_ms,
      errors,
      timeouts,
      ...furtherCounts(overview),
    },
    resultOf: ({ result }) => scriptEntry(result, placeOf(result)),
    skippedOf: ({ skipped }) => skippedEntry(skipped, placeOf(skipped)),
  };
}

function scriptFinder(start: StartEvent): (test: { test_id: string }) => ScriptPlace {
  const paths = scriptPaths(start);
  return ({ test_id: script }) => {
    const script_path = paths.get(script);
    return { script, ...(script_path !== undefined && { script_path }) };
  };
}

function furtherCounts({ counts, planned }: Overview): Fields {
  const { total_runs, runs_per_case, overall_pass_rate, stable_cases, unstable_cases } = counts;
  return {
    total_cases: planned,
    total_runs,
    runs_per_case,
    overall_pass_rate,
    stable_cases,
    unstable_cases,
    ...(counts.usage !== undefined && { usage: counts.usage }),
    ...(counts.cost_usd !== undefined && { cost_usd: counts.cost_usd }),
  };
}
