// A plan in, its forecast out: opens the history, finds earlier runs and the baseline, and reads the cases.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { readHistory } from '../../history/read-history.ts';
import type { HistoryFigures, StoredRun } from '../../history/store/store.ts';
import { parallelOf } from '../../kinds/kind.ts';
import { kindById } from '../../kinds/registry.ts';
import type { StartEvent } from '../../model/event.ts';
import { autoRule } from '../../stats/auto-rule.ts';
import type { AutoRule } from '../../stats/auto-rule.ts';
import type { Io } from '../io.ts';
import type { RunPlan } from '../plan.ts';
import { openingEvent } from '../start-event.ts';
import type { PastRun } from './cost.ts';
import type { EarlierRuns, NamedBaseline } from './earlier-runs.ts';
import { findEarlierRuns } from './earlier-runs.ts';
import type { Forecast } from './forecast.ts';
import { withLogBaseline } from './log-baseline.ts';
import { makeForecast } from './make-forecast.ts';
import { plannedCases } from './planned-cases.ts';

export type ForecastRequest = {
  /** A baseline as the user names it. */
  against: string | undefined;
  /** In points. */
  margin: number;
};

/** Runs no code of the user. A history is not created, but runs that wait for it are taken in. */
export async function forecastRun(
  plan: RunPlan,
  { against, margin }: ForecastRequest,
  io: Pick<Io, 'cwd' | 'version'>,
): Promise<Forecast> {
  const opening = openingEvent(plan, { runId: '', origin: {}, version: io.version });
  const start = opening.type === 'start' ? opening : plan.request.resumed?.start;
  if (start === undefined) throw new Error('a resumed run has no start');
  const { settings } = plan.inputs;
  const named = { against, cwd: io.cwd, baselineRuns: settings.baseline_runs };
  const { earlier, figures } = await readFigures(plan, start, named);
  const log = earlier.baseline?.log;
  const known = log === undefined ? figures?.cases : await withLogBaseline(figures?.cases, log);
  const planned = await plannedCases(plan, known);

  const forecast = makeForecast(planned, {
    runs: pastRuns(earlier.runs, figures),
    baseline: earlier.baseline?.source,
    margin,
    minPassRate: settings.min_pass_rate,
    rule: ruleOf(start),
    isReplay: settings.replay !== undefined && settings.record_missing !== true,
    hasGate: isGiven(settings.gates) || settings.against !== undefined,
  });
  if (against !== undefined && forecast.baseline?.source === 'same_size')
    throw new ConfigError(`the baseline ${JSON.stringify(against)} has none of these cases`, {
      hint: 'name a baseline that tested the same inputs, or leave --against out',
    });
  return forecast;
}

/** True for a setting that the user has set; a list of nothing is not. */
function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

type ReadHistory = { earlier: EarlierRuns; figures: HistoryFigures | undefined };

async function readFigures(
  { application, inputs, prepared }: RunPlan,
  start: StartEvent,
  named: NamedBaseline,
): Promise<ReadHistory> {
  const { against, cwd } = named;
  const { root } = application;
  const read = await readHistory({ root, cwd, store: inputs.settings.store }, async (store) => {
    const earlier = await findEarlierRuns(store, start, named);
    const figures = await store.caseFigures({
      runs: earlier.runs.map(({ run_id }) => run_id),
      baseline: (earlier.baseline?.runs ?? []).map(({ run_id }) => run_id),
      tests: [...new Set(prepared.targets.map(({ test_id }) => test_id))],
    });
    return { earlier, figures };
  });
  return read ?? { earlier: withoutHistory(against, cwd), figures: undefined };
}

/** Without a history, only a log can be a baseline. */
function withoutHistory(against: string | undefined, cwd: string): EarlierRuns {
  if (against === undefined) return { runs: [], baseline: undefined };
  const log = resolve(cwd, against);
  if (existsSync(log)) return { runs: [], baseline: { source: 'named', runs: [], log } };
  throw new ConfigError(`there is no baseline ${JSON.stringify(against)}`, {
    hint: 'there is no history yet: give a log file, or run the tests once',
  });
}

/** Runs that say how much longer, and how much more costly, a run is than its cases. */
function pastRuns(runs: readonly StoredRun[], figures: HistoryFigures | undefined): PastRun[] {
  const byId = new Map(figures?.runs.map((run) => [run.run_id, run]));
  return runs.flatMap(({ run_id, summary, kinds, flags }) => {
    const found = byId.get(run_id);
    const [kind, another] = kinds;
    if (found === undefined || summary === null || kind === undefined) return [];
    const { parallel } = flags;
    const kindOfRun = kindById(kind as StartKind);
    return [
      {
        cases: found.cases,
        attempts: found.attempts,
        case_cost_usd: found.cost_usd,
        cost_usd: summary.cost_usd,
        attempts_ms: found.duration_ms,
        // Several kinds run beside each other, each at its own pace.
        wall_ms: another === undefined ? summary.duration_ms : 0,
        parallel: parallelOf(kindOfRun, typeof parallel === 'number' ? parallel : undefined),
      },
    ];
  });
}

type StartKind = Parameters<typeof kindById>[0];

/** The rule of a run whose cases run until they are decided. */
function ruleOf(start: StartEvent & { runs_rule?: RunsRule }): AutoRule | undefined {
  const { runs_rule: rule } = start;
  if (rule === undefined) return undefined;
  const { low, high, min, max, confidence } = rule;
  return autoRule(low, high, { alpha: 1 - confidence, min, max });
}

type RunsRule = { low: number; high: number; min: number; max: number; confidence: number };
