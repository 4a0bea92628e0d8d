// Finds the earlier runs of what a run would test, and the baseline it would be compared with.

import { resolve } from 'node:path';
import { findBaseline } from '../../history/baseline.ts';
import { isSameSubject } from '../../history/store/run-subject.ts';
import type { Store, StoredRun } from '../../history/store/store.ts';
import type { LoggedInput, StartEvent } from '../../model/event.ts';
import { EXIT } from '../../model/exit-code.ts';
import { variablesKey } from '../../variables/variables-key.ts';

/** As many runs as a baseline has at most. */
const MOST_RUNS = 30;
/** How many of the newest runs to search. */
const LOOK_BACK = 200;
/** Very long runs have so many cases that a few of them say enough. */
const MOST_CASES = 100_000;

export type EarlierRuns = {
  /** Newest first. */
  runs: StoredRun[];
  /** What was named, or the runs of the version that ran last; undefined if there are none. */
  baseline: { source: 'history' | 'named'; runs: StoredRun[]; log?: string } | undefined;
};

/** What the user calls the baseline, and `--baseline-runs`. */
export type NamedBaseline = {
  against: string | undefined;
  cwd: string;
  baselineRuns?: number | undefined;
};

/** Runs of the same agents, inputs and connector as the run that would begin with this event. */
export async function findEarlierRuns(
  store: Store | undefined,
  start: StartEvent,
  { against, cwd, baselineRuns }: NamedBaseline,
): Promise<EarlierRuns> {
  if (store === undefined) return { runs: [], baseline: undefined };
  const [ofAgent, newest] = await Promise.all([
    store.runs({ agent: start.agent_id, limit: LOOK_BACK }),
    store.runs({ limit: LOOK_BACK }),
  ]);
  const all = new Map([...newest, ...ofAgent].map((run) => [run.run_id, run]));
  const isLike = likenessTo(start);
  const found = [...all.values()]
    .filter((run) => hasEnded(run) && isLike(run))
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1));
  const baseline =
    against === undefined
      ? await newestVersion(store, found, start, cwd)
      : await namedBaseline(store, against, { cwd, runs: baselineRuns });
  return { runs: withinLimits(found), baseline };
}

async function namedBaseline(
  store: Store,
  reference: string,
  options: { cwd: string; runs: number | undefined },
): Promise<NonNullable<EarlierRuns['baseline']>> {
  const named = await findBaseline(store, reference, options);
  return 'log' in named
    ? { source: 'named', runs: [], log: named.log }
    : { source: 'named', runs: withinLimits(named.runs) };
}

/** The newest run of the same subject, with earlier ones of its version. */
async function newestVersion(
  store: Store,
  found: readonly StoredRun[],
  start: StartEvent,
  cwd: string,
): Promise<EarlierRuns['baseline']> {
  const planned = {
    agent_id: start.agent_id,
    inputs: start.inputs,
    suite: start.suite === undefined ? null : { id: start.suite, name: '', sha256: '' },
    tests: (start.definitions?.tests ?? []).map(({ id, name }) => ({ id, name, sha256: '' })),
  };
  const newest = found.find((run) => isSameSubject(run, planned)) ?? found[0];
  if (newest === undefined) return undefined;
  const named = await findBaseline(store, newest.run_id, { cwd, runs: MOST_RUNS });
  return 'runs' in named ? { source: 'history', runs: withinLimits(named.runs) } : undefined;
}

function withinLimits(runs: readonly StoredRun[]): StoredRun[] {
  let cases = 0;
  return runs.slice(0, MOST_RUNS).filter((run, index) => {
    cases += run.total_cases;
    return index === 0 || cases <= MOST_CASES;
  });
}

/** True for runs that share an input with the planned one, and answered with the same model, or both from recordings. */
function likenessTo(start: StartEvent): (run: StoredRun) => boolean {
  const names = new Set(start.inputs.flatMap((input) => inputNames(input, start.cwd)));
  return (run) =>
    run.connector === (start.connector ?? null) &&
    isReplay(run.flags) === isReplay(start.flags) &&
    run.inputs.some((input) => inputNames(input, run.cwd).some((one) => names.has(one)));
}

function isReplay(flags: Record<string, unknown>): boolean {
  return typeof flags['replay'] === 'string';
}

/** An input by its agent, its test and its variables; a file by its path here, and by its path in any checkout. */
function inputNames(input: LoggedInput, cwd: string): string[] {
  const variables = variablesKey(input.resolved_variables?.values);
  const named = (name: string): string => JSON.stringify([input.agent_id, name, variables]);
  if (input.test_id !== undefined) return [named(input.test_id)];
  if (input.type === 'message') return [named(input.message)];
  if (input.type === 'script') return [named(input.script)];
  if (input.type === 'skill') return [named(input.skill)];
  if (input.type === 'file' && input.generated !== undefined) return [named(input.generated)];
  return [named(input.path), named(resolve(cwd, input.path))];
}

function hasEnded({ summary, exit_code }: StoredRun): boolean {
  return summary !== null && exit_code !== EXIT.interrupted;
}
