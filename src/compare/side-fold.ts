// The events of one run in, one side of a comparison out.

import type { ResultEvent, StartEvent } from '../model/event.ts';
import { gradedFrom } from '../model/graded.ts';
import { isMeasured } from '../model/outcome.ts';
import type { RunCounts } from '../model/settle.ts';
import type { CaseScores, Scored } from '../model/scores.ts';
import { addScores, attemptScores } from '../model/scores.ts';
import { countRun, noRuns, settleCounts } from '../model/settle.ts';
import { median } from '../stats/ratios.ts';
import type { SideRun } from '../model/comparison.ts';
import type { Side, SideCase } from './side.ts';
import { sideCaseKey } from './side.ts';

/** The part of a result that is compared. */
export type ComparedResult = Pick<
  ResultEvent,
  | 'case_sha'
  | 'code'
  | 'cost_usd'
  | 'duration_ms'
  | 'id'
  | 'kind'
  | 'reason'
  | 'run'
  | 'status'
  | 'test_id'
  | 'uncounted'
  | 'usage'
  | 'variables'
> & { verdicts?: readonly Scored[] };

export type SideFold = {
  add(result: ComparedResult): void;
  side(): Side;
};

export type SideOptions = {
  /** How the history writes the name of a test or a case; sides are paired by these names. */
  name?: (text: string) => string;
};

/** Attempts of a run that chose their number by itself count up to here: how many more there are depends on how they ended. */
export function countedOfAuto({ min_runs: least }: Record<string, unknown>): number {
  return typeof least === 'number' ? least : 3;
}

/** Folds the results that follow a `start` event; keeps a few numbers per attempt. */
export function createSideFold(start: StartEvent, { name = String }: SideOptions = {}): SideFold {
  const cases = new Map<string, OpenCase>();
  const run = startedRun(start);
  const { min_pass_rate: minPassRate } = start.flags;
  return {
    add(event) {
      if (event.uncounted !== undefined) return;
      if (run.is_auto && event.run > countedOfAuto(start.flags)) return;
      const identity = {
        test_id: name(event.test_id),
        case_id: name(event.id),
        variables: hasAny(event.variables) ? event.variables : null,
      };
      const key = sideCaseKey(identity);
      const known = cases.get(key) ?? { ...identity, ...noMeasurements(event) };
      cases.set(key, known);
      count(known, event);
    },
    side: () => ({
      runs: [run],
      cases: [...cases.values()].map((open) =>
        toSideCase(open, typeof minPassRate === 'number' ? minPassRate : undefined),
      ),
    }),
  };
}

/** The facts of a run from the first line of its log. */
function startedRun(start: StartEvent): SideRun {
  return {
    run_id: start.run_id,
    started_at: start.timestamp,
    commit: start.origin?.git?.commit ?? null,
    agent_id: start.agent_id,
    agent_sha256: agentHashes(start.inputs),
    connector: start.connector ?? null,
    judge_sha256: start.judge_sha256 ?? null,
    is_auto: isAuto(start.flags),
    replayed_from: replayFolder(start.flags),
    ...gradedRun(start),
  };
}

/** The hashes of all agents of a run, in one text; null if it has none. */
export function agentHashes(inputs: StartEvent['inputs']): string | null {
  const hashes = [...new Set(inputs.map((input) => input.agent_sha256))].sort();
  return hashes.length === 0 ? null : hashes.join(' ');
}

/** True if the run chose the number of repetitions by itself. */
export function isAuto(flags: Record<string, unknown>): boolean {
  return flags['runs'] === 'auto';
}

/** The folder of recordings that every answer of the run came from. */
export function replayFolder(flags: Record<string, unknown>): string | null {
  const { replay, record_missing: isRecorded } = flags;
  return typeof replay === 'string' && isRecorded !== true ? replay : null;
}

/** The run whose answers a graded run has judged. */
export function gradedRun(start: Pick<StartEvent, 'flags' | 'graded'>): Pick<SideRun, 'graded_from'> {
  const graded = gradedFrom(start);
  return graded === undefined ? {} : { graded_from: graded.run_id ?? '' };
}

type OpenCase = Pick<SideCase, 'case_id' | 'content' | 'kind' | 'test_id' | 'variables'> & {
  counts: RunCounts;
  durations: number[];
  scores?: CaseScores;
  spent: { attempts: number; cost: number | null; tokens: number };
};

function noMeasurements({
  kind,
  case_sha,
}: ComparedResult): Omit<OpenCase, 'case_id' | 'test_id' | 'variables'> {
  return {
    kind,
    content: case_sha ?? null,
    counts: noRuns(),
    durations: [],
    spent: { attempts: 0, cost: 0, tokens: 0 },
  };
}

function count(open: OpenCase, event: ComparedResult): void {
  countRun(open.counts, event);
  const scores = attemptScores(event);
  if (scores !== undefined) addScores((open.scores ??= new Map()), scores);
  if (isMeasured(event)) open.durations.push(event.duration_ms);
  const { usage, cost_usd: cost = null } = event;
  if (usage === undefined) return;
  const { spent } = open;
  spent.attempts += 1;
  spent.tokens += (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  spent.cost = cost === null || spent.cost === null ? null : spent.cost + cost;
}

function toSideCase(
  { counts, durations, spent, scores, ...identity }: OpenCase,
  minPassRate?: number,
): SideCase {
  const { passed, failed, timeout, error, unmeasured } = counts;
  const measured = passed + failed + timeout + error;
  return {
    ...identity,
    status: settleCounts(counts, minPassRate).status,
    passed,
    measured,
    unmeasured,
    duration_ms: durations.length === 0 ? null : median(durations),
    cost_usd: spent.attempts === 0 || spent.cost === null ? null : spent.cost / spent.attempts,
    tokens: spent.attempts === 0 ? null : spent.tokens / spent.attempts,
    ...(scores !== undefined && { scores }),
    flips: passed > 0 && passed < measured,
  };
}

function hasAny(variables: Record<string, unknown> | undefined): variables is Record<string, unknown> {
  return variables !== undefined && Object.keys(variables).length > 0;
}
