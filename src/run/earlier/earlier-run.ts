// Reads the log of an earlier run for `--resume` and `--failed`: which outcomes stay, and which cases did not pass.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import type { LoggedInput, ResultEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import type { Reruns, Verdict } from '../../model/outcome.ts';
import type { Scored } from '../../model/scores.ts';
import { isScored } from '../../model/scores.ts';
import type { Counted, RunCounts } from '../../model/settle.ts';
import type { Spending } from '../../model/spending.ts';
import { largerRuns, withRuns } from '../../model/runs-per-case.ts';
import { settleCase, countRun, noRuns } from '../../model/settle.ts';
import { passRules } from '../../stats/pass-rules.ts';
import { inputKind } from '../../model/subject.ts';
import { KINDS } from '../../kinds/registry.ts';
import { isMeasured } from '../../model/outcome.ts';
import { caseKey } from '../../model/case-key.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import { statsOf } from '../../platform/file-stats.ts';
import { lastLog } from '../../platform/state-folder.ts';
import { readLines, readStart } from '../../log/reader.ts';
import { refuseHeldLog } from '../../log/writer.ts';
import { programName } from '../../platform/how-started.ts';

/** A log that a run continues. */
export type ResumableRun = {
  path: string;
  start: StartEvent;
  /** Outcomes that stay, by attempt key. */
  kept: Map<string, Counted>;
  /** How often attempts that run again were executed already, by attempt key. */
  reruns: Map<string, Reruns>;
  /** The counts of what stays, by `caseKey`, of a run with `--runs auto`. */
  counts?: Map<string, RunCounts>;
  /** The last summary, if it is the last line: the run came to its end. */
  summary: SummaryEvent | undefined;
  /** The runs of every case, if the run was resumed with more than it began with. */
  runs?: number;
  /** Length of the log without a torn last line. */
  end: number;
  /** Length of the log before it was read. */
  size: number;
};

/** Finds the log a user means by a path or `last`. */
export function findLog(reference: string, { cwd, root }: { cwd: string; root: string }): string {
  const path = reference === 'last' ? lastLog(root) : resolve(cwd, reference);
  if (path === undefined) {
    throw new ConfigError(`there is no earlier run in ${root}`, {
      hint: 'name the log: a .jsonl file of an earlier run',
    });
  }
  if (!existsSync(path))
    throw new ConfigError(`run log ${path} does not exist`, {
      hint:
        didYouMeanFile(path, cwd) ??
        'give the .jsonl file of an earlier run, or "last" for the last one here',
    });
  return path;
}

/** Reads which attempts of a run are done. */
export async function readResumable(path: string): Promise<ResumableRun> {
  const size = statsOf(path)?.size ?? 0;
  const start = await readRunnableStart(path);
  const kept = new Map<string, Counted>();
  const reruns = new Map<string, Reruns>();
  const cases = new Map<string, string>();
  let summary: SummaryEvent | undefined;
  let runs: number | undefined;
  let end = 0;
  for await (const batch of readLines(path)) {
    end = batch.end;
    for (const { event } of batch.lines) {
      if (event === undefined) continue;
      summary = event.type === 'summary' ? event : undefined;
      if (event.type === 'resume') runs = largerRuns(runs, event);
      if (event.type !== 'result') continue;
      if (stays(event)) kept.set(event.key, counted(event));
      else kept.delete(event.key);
      if (start.runs_rule !== undefined) cases.set(event.key, caseKeyOf(event));
      // An attempt that was skipped was not executed once more.
      const { retries = 0, restarted = 0 } = event;
      if (event.status !== 'skipped') reruns.set(event.key, { retries: retries + 1, restarted });
      if (kept.has(event.key)) reruns.delete(event.key);
    }
  }
  const counts = start.runs_rule === undefined ? {} : { counts: countCases(kept, cases) };
  const more = runs === undefined ? {} : { runs };
  return { path, start: withRuns(start, runs), ...more, kept, reruns, ...counts, summary, end, size };
}

/** Of the runs that stay, by the `caseKey` of each. */
function countCases(
  kept: ReadonlyMap<string, Counted>,
  cases: ReadonlyMap<string, string>,
): Map<string, RunCounts> {
  const all = new Map<string, RunCounts>();
  for (const [key, outcome] of kept) {
    const caseKey = cases.get(key) ?? '';
    const counts = all.get(caseKey) ?? noRuns();
    countRun(counts, outcome);
    all.set(caseKey, counts);
  }
  return all;
}

function caseKeyOf({ test_id, id, variables }: ResultEvent): string {
  return caseKey(test_id, id, variablesKey(variables));
}

/** A report can show inputs of any type, but only known ones can be run again. */
async function readRunnableStart(path: string): Promise<StartEvent> {
  const start = await readStart(path).catch(async (error: unknown) => {
    // A run that has just begun has written nothing yet.
    await refuseHeldLog(path);
    throw error;
  });
  if (start.graded !== undefined)
    throw new ConfigError('the log is that of a graded run, whose agent was not run', {
      at: path,
      hint: `grade again: assay grade ${start.graded.from.slice(0, 3).join(' ')}`,
    });
  const unknown = start.inputs.findIndex((input) => !isRunnable(input));
  if (unknown === -1) return start;
  throw new ConfigError(`inputs[${String(unknown)}] of the start line is nothing that this version can run`, {
    at: `${path}:1`,
    hint: 'start a new run: this log no longer says what the run consisted of',
  });
}

function isRunnable(input: LoggedInput): boolean {
  const kind = KINDS.find(({ id }) => id === inputKind(input));
  return typeof kind?.typedAs(input) === 'string';
}

/**
 * False for attempts that run again: those that could not be measured, and those that were skipped because the run stopped before it
 * had an answer.
 */
function stays(result: ResultEvent): boolean {
  if (result.status !== 'skipped') return isMeasured(result);
  return result.reason === 'skip' || result.reason === 'decided';
}

/** Only the fields that count are kept, because a log may have a million results. */
function counted(event: ResultEvent): Counted {
  const { status, code, reason, checks, duration_ms, uncounted } = event;
  const { usage, cost_usd, simulation, verdicts } = event;
  const judging =
    verdicts?.filter(
      (verdict) => verdict.usage !== undefined || verdict.cost_usd !== undefined || isScored(verdict),
    ) ?? [];
  const kept: Counted = { status, duration_ms };
  if (reason !== undefined) kept.reason = reason;
  if (uncounted !== undefined) kept.uncounted = uncounted;
  if (code !== undefined) kept.code = code;
  if (checks !== undefined) kept.checks = checks;
  if (usage !== undefined) kept.usage = usage;
  if (cost_usd !== undefined) kept.cost_usd = cost_usd;
  if (simulation !== undefined) kept.simulation = simulation;
  if (judging.length > 0) kept.verdicts = judging.map(countedVerdict);
  return kept;
}

function countedVerdict(verdict: Verdict): Spending & Scored {
  const { usage, cost_usd, type, metric, negate, score } = verdict;
  return {
    ...(usage !== undefined && { usage }),
    ...(cost_usd !== undefined && { cost_usd }),
    ...(isScored(verdict) && {
      type,
      score,
      ...(metric !== undefined && { metric }),
      ...(negate === true && { negate }),
    }),
  };
}

/** The cases of a log that did not pass, each as its `caseKey`. */
export async function readNotPassed(path: string): Promise<{ start: StartEvent; notPassed: Set<string> }> {
  const first = await readRunnableStart(path);
  let minPassRate = first.flags['min_pass_rate'];
  let more: number | undefined;
  const cases = new Map<string, { testId: string; runs: Map<number, Counted & { reason?: string }> }>();
  for await (const { lines } of readLines(path)) {
    for (const { event } of lines) {
      if (event?.type === 'summary') minPassRate = event.min_pass_rate ?? minPassRate;
      if (event?.type === 'resume') more = largerRuns(more, event);
      if (event?.type !== 'result') continue;
      const key = caseKeyOf(event);
      const known = cases.get(key) ?? { testId: event.test_id, runs: new Map() };
      known.runs.set(event.run, counted(event));
      cases.set(key, known);
    }
  }
  const start = withRuns(first, more);
  refuseUnfinished(path, start, cases.size);
  const rules = passRules(start, typeof minPassRate === 'number' ? minPassRate : undefined);
  const notPassed = new Set<string>();
  for (const [key, { testId, runs }] of cases) {
    const all = [...runs.values()];
    if (all.every((outcome) => outcome.reason === 'skip')) continue;
    const rule = rules(testId);
    const end = settleCase(all, rule.passRule);
    const isWhole = typeof rule.passRule === 'object' || all.length >= rule.runs;
    if (end.status !== 'passed' || !isWhole) notPassed.add(key);
  }
  return { start, notPassed };
}

/** A run that was killed says nothing about the cases it did not reach. */
function refuseUnfinished(path: string, start: StartEvent, recorded: number): void {
  if (recorded >= start.total_cases) return;
  const left = start.total_cases - recorded;
  throw new ConfigError(
    `the run in ${path} is unfinished: ${left} of ${start.total_cases} cases have no result`,
    {
      hint: `go on with it first: ${programName()} test --resume ${path}`,
    },
  );
}
