// Cases in, attempts out, in a fixed order; listens to the outcomes and decides what still has to run.

import type { Attempt, Target } from '../model/attempt.ts';
import type { LoadedCase } from '../model/case.ts';
import { caseKey } from '../model/case-key.ts';
import type { SkipReason } from '../model/outcome.ts';
import type { Counted } from '../model/settle.ts';
import type { Tally } from '../model/tally.ts';
import type { PlanOptions } from './attempts.ts';
import { attemptOf, targetOf } from './attempts.ts';
import type { Select } from './filter.ts';

/** An attempt to execute, or, with `skip`, one to record as not run. */
type Planned = { attempt: Attempt; skip?: SkipReason };

export type Planner = {
  /** The next attempt; `wait` until `ready()` resolves; `full` until one settles; `done` when nothing more will come. */
  next(): Planned | 'wait' | 'full' | 'done';
  settled(attempt: Attempt, outcome: Counted): void;
  /** Everything not yet handed out is skipped for this reason. */
  stop(reason: 'fail_fast' | 'interrupted'): void;
  ready(): Promise<void>;
  /** Why nothing more is handed out. */
  readonly stopped: 'fail_fast' | 'interrupted' | undefined;
};

export type PlannerOptions = PlanOptions & {
  select: Select;
  tally: Tally;
  failFast: boolean;
  /** Outcomes of an earlier part of this run that stay, by key. */
  prior?: ReadonlyMap<string, Counted>;
};

/** Repeats every selected case `runs` times and honours skip, fail-fast and what a resumed log already holds. */
export function createPlanner(cases: AsyncIterable<LoadedCase[]>, options: PlannerOptions): Planner {
  const { select, tally, failFast, prior } = options;
  const targets = new Map(options.targets.map((target) => [identityOf(target), target]));
  /** How many attempts are under way, of tests that limit it; a test may have many targets. */
  const underWay = new Map<string, number>();
  const source = cases[Symbol.asyncIterator]();
  let batch: LoadedCase[] = [];
  let position = 0;
  let run = 0;
  let ended = false;
  let stopped: 'fail_fast' | 'interrupted' | undefined;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const { value, done } = await source.next();
    batch = done === true ? [] : value;
    position = 0;
    ended = done === true;
    loading = undefined;
  }

  function settled(attempt: Attempt, outcome: Counted): void {
    const target = targets.get(attempt.variables ?? attempt.test_id);
    if (target === undefined) throw new Error(`no target for ${attempt.test_id}`);
    const running = underWay.get(nameOf(target));
    if (running !== undefined) underWay.set(nameOf(target), running - 1);
    const known = count(target, attempt, outcome);
    if (known === undefined) return;
    const { status } = known.end;
    if (!failFast || status === 'passed' || status === 'skipped') return;
    stopped ??= 'fail_fast';
  }

  function count(target: Target, { case: { id } }: Attempt, outcome: Counted): ReturnType<Tally['add']> {
    return tally.add(caseKey(target.test_id, id, target.variables?.variant), outcome, target.runs);
  }

  function skipReason(loaded: LoadedCase): SkipReason | undefined {
    if (loaded.case.skip === true) return 'skip';
    return stopped;
  }

  function next(): Planned | 'wait' | 'full' | 'done' {
    for (;;) {
      const loaded = batch[position];
      if (loaded === undefined) {
        if (ended) return 'done';
        loading ??= load();
        return 'wait';
      }
      const target = targetOf(loaded, options);
      if (run >= (target.runs ?? options.settings.runs) || !select(loaded.case, target)) {
        position += 1;
        run = 0;
        continue;
      }
      const { parallel } = target;
      const isFull = parallel !== undefined && (underWay.get(nameOf(target)) ?? 0) >= parallel;
      if (isFull && stopped === undefined) return 'full';
      run += 1;
      const attempt = attemptOf(loaded, run, options);
      const kept = prior?.get(attempt.key);
      if (kept !== undefined) {
        // It only counts: a failure before the interruption does not stop what was asked to go on.
        count(target, attempt, kept);
        continue;
      }
      if (parallel !== undefined) underWay.set(nameOf(target), (underWay.get(nameOf(target)) ?? 0) + 1);
      const skip = skipReason(loaded);
      return skip === undefined ? { attempt } : { attempt, skip };
    }
  }

  return {
    next,
    settled,
    stop(reason) {
      stopped ??= reason;
    },
    ready: () => loading ?? Promise.resolve(),
    get stopped() {
      return stopped;
    },
  };
}

/** What the attempts of a target have in common, and no others: an object of its own, or a name. */
function identityOf({ test_id, variables }: Target): object | string {
  return variables?.values ?? test_id;
}

function nameOf({ test, test_id }: Target): string {
  return test ?? test_id;
}
