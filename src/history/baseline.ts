// What a user names as a baseline in, the runs it stands for out.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { didYouMeanFile } from '../platform/nearest-file.ts';
import { canonicalJson } from '../stats/canonical.ts';
import { hasEnded, hasReachedAll, isOfAllCases, isOfTags, isSameSelection } from './complete-runs.ts';
import { didYouMean } from '../text/nearest.ts';
import { isSameSubject } from './store/run-subject.ts';
import type { Store, StoredRun } from './store/store.ts';
import { programName } from '../platform/how-started.ts';

/** The name of a baseline that was given none. */
export const DEFAULT_BASELINE = 'default';

/** How many runs a baseline has at most, unless the user says otherwise. */
const MAX_RUNS = 30;
/** How many earlier runs to search for runs of the same version. */
const LOOK_BACK = 200;

export type BaselineOptions = {
  cwd: string;
  /** `--baseline-runs`. */
  runs?: number | undefined;
  /** Ids of runs that are compared with it: a run is no baseline of itself. */
  without?: readonly string[];
};

/** A run log, or runs of the history, newest first, that tested one version. */
export type FoundBaseline = { log: string } | { runs: StoredRun[] };

/**
 * A name, a run (id, beginning of an id, `latest`), a log file, or `branch:<branch>`. A name and a branch stand for up to 30
 * runs of the same version, a run and a log for themselves.
 */
export async function findBaseline(
  store: Store,
  reference: string,
  { cwd, runs, without = [] }: BaselineOptions,
): Promise<FoundBaseline> {
  const found = await findRuns(store, reference, { cwd, runs });
  if ('log' in found || without.length === 0) return found;
  const others = found.runs.filter(({ run_id }) => !without.includes(run_id));
  if (others.length > 0) return { runs: others };
  // The same run twice, by its own id, is a question with an answer.
  if (found.runs.length === 1 && !reference.startsWith('branch:')) return found;
  throw new ConfigError(`${JSON.stringify(reference)} has no other run than the one to compare with it`, {
    hint: 'name another run, or run the tests once more',
  });
}

async function findRuns(
  store: Store,
  reference: string,
  { cwd, runs }: Pick<BaselineOptions, 'cwd' | 'runs'>,
): Promise<FoundBaseline> {
  const branch = /^branch:(.*)$/s.exec(reference)?.[1];
  if (branch !== undefined) return { runs: await runsOfBranch(store, branch, runs ?? MAX_RUNS) };
  const names = await store.baselines();
  const named = names.find(({ name }) => name === reference);
  if (named !== undefined)
    return { runs: await sameVersion(store, await namedRun(store, named), runs ?? MAX_RUNS) };
  const file = resolve(cwd, reference);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return { log: file };
  if (reference.endsWith('.jsonl'))
    throw new ConfigError(`there is no log ${reference}`, {
      hint: didYouMeanFile(file, cwd) ?? 'check the path',
    });
  const known = ['latest', ...names.map(({ name }) => name)];
  if (reference === DEFAULT_BASELINE) throw noBaseline(reference, []);
  const found = await store.run(reference).catch((error: unknown) => {
    throw error instanceof ConfigError && error.message.startsWith('there is no run')
      ? noBaseline(reference, known, cwd)
      : error;
  });
  return { runs: await sameVersion(store, found, runs ?? 1) };
}

/** The path of a reference that can only be a log, so that no history is needed for it. */
export function findLogFile(reference: string, cwd: string): string | undefined {
  const file = resolve(cwd, reference);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && /[./\\]/.test(reference) ? file : undefined;
}

async function namedRun(
  store: Store,
  { name, run_id }: { name: string; run_id: string },
): Promise<StoredRun> {
  return store.run(run_id).catch((cause: unknown) => {
    throw new ConfigError(`the run ${run_id} of the baseline ${JSON.stringify(name)} is gone`, {
      hint: `${programName()} baseline set <run> ${name} names another one`,
      cause,
    });
  });
}

async function runsOfBranch(store: Store, branch: string, limit: number): Promise<StoredRun[]> {
  const all = await store.runs({ branch, limit: LOOK_BACK });
  const ended = all.filter(hasEnded);
  const complete = completeAmong(ended.filter(isOfAllCases));
  const [newest] = complete.length > 0 ? complete : completeAmong(ended.filter(isOfTags));
  if (newest !== undefined)
    return completeAmong(ended.filter((run) => isSameRun(run, newest))).slice(0, limit);
  if (all.length > 0)
    throw new ConfigError(`no run of the branch ${branch} in ${store.place} is complete`, {
      hint: 'a run counts that ended, reached every case and had all of them (no --failed, --run or budget that stopped it); name another run by its id',
    });
  throw new ConfigError(`there are no runs of the branch ${branch} in ${store.place}`, {
    hint: `runs keep the branch of their checkout: run ${programName()} test there with the same --store, or import its logs`,
  });
}

/** The run itself, whatever it is, and the newest complete ones before it that tested the same version. */
async function sameVersion(store: Store, run: StoredRun, limit: number): Promise<StoredRun[]> {
  if (limit <= 1) return [run];
  const earlier = await store.runs({ before: run.run_id, agent: run.agent_id, limit: LOOK_BACK });
  const same = earlier.filter(
    (one) => hasEnded(one) && isSameVersion(one, run) && (isOfAllCases(one) || isSameSelection(one, run)),
  );
  const others = completeAmong([run, ...same]).filter((one) => one !== run);
  return [run, ...others].slice(0, limit);
}

/** Those that have reached every case. */
function completeAmong(runs: readonly StoredRun[]): StoredRun[] {
  return runs.filter((run) => hasReachedAll(run, () => runs.filter((one) => isSameRun(one, run))));
}

/** True if both ran the same cases of the same version. */
function isSameRun(a: StoredRun, b: StoredRun): boolean {
  return isSameSelection(a, b) && isSameVersion(a, b);
}

/** True if both ran the same tests of the same agent with the same judges, connector and variables. */
function isSameVersion(a: StoredRun, b: StoredRun): boolean {
  const fingerprint = (run: StoredRun): string =>
    canonicalJson([
      run.agent_sha256,
      run.judge_sha256,
      run.connector,
      run.resolved_variables?.values ?? null,
      typeof run.flags['replay'] === 'string',
    ]);
  return fingerprint(a) === fingerprint(b) && isSameSubject(a, b);
}

/** Says that a reference names nothing; `known` are the names that it may have been meant to be. */
export function noBaseline(reference: string, known: readonly string[], cwd?: string): ConfigError {
  const similar =
    didYouMean(reference, known) ??
    (cwd !== undefined && reference.includes('.') ? didYouMeanFile(resolve(cwd, reference), cwd) : undefined);
  return new ConfigError(`there is no baseline ${JSON.stringify(reference)}`, {
    hint:
      similar ??
      `name one with ${programName()} baseline set <run> [name], or give a run, a log file or branch:<branch>`,
  });
}
