// Cases in, attempts out, in a fixed order; listens to the outcomes and decides what still has to run.

import type { Attempt, Target } from '../model/attempt.ts';
import type { LoadedCase } from '../model/case.ts';
import { caseKey } from '../model/case-key.ts';
import type { SkipReason, StopReason } from '../model/outcome.ts';
import type { Quarantine } from '../model/quarantine.ts';
import type { Counted, AutoSettling } from '../model/settle.ts';
import type { Tally } from '../model/tally.ts';
import type { PlanOptions } from './attempts.ts';
import type { Released } from './auto-cases.ts';
import { AutoCases } from './auto-cases.ts';
import { attemptOf, targetOf } from './attempts.ts';
import type { Decider } from './decider.ts';
import { MOST_IN_ROUNDS } from './decider.ts';
import type { Select } from './filter.ts';
import { FreshRuns } from './fresh-runs.ts';
import { attemptKey } from './key.ts';
import { Rounds } from './rounds.ts';

/** An attempt to execute, or, with `skip`, one to record as not run. */
type Planned = { attempt: Attempt; skip?: SkipReason };

export type Planner<O extends Counted = Counted> = {
  /** The next attempt; `wait` until `ready()` resolves; `full` until one settles; `done` when nothing more will come. */
  next(): Planned | 'wait' | 'full' | 'done';
  /** What is to be recorded now, if that is not just this outcome: those of `--runs auto` are judged in the order of runs. */
  settled(attempt: Attempt, outcome: O): readonly Released<O>[] | undefined;
  /** Everything not yet handed out is skipped for this reason. */
  stop(reason: StopReason): void;
  ready(): Promise<void>;
  /** Why nothing more is handed out. */
  readonly stopped: StopReason | undefined;
};

export type PlannerOptions = PlanOptions & {
  select: Select;
  tally: Tally;
  failFast: boolean;
  /** Outcomes of an earlier part of this run that stay, by key. */
  prior?: ReadonlyMap<string, Counted>;
  /** Hear every outcome and may stop the run. */
  deciders?: readonly Decider[];
  /** The number of cases, if it is known. */
  total?: number;
  /** Cases whose failures do not count. */
  quarantine?: Quarantine | undefined;
  /** Cases without a number of runs of their own run until they are decided. */
  auto?: AutoSettling;
};

/**
 * Cases that are repeated together. Every case runs once before any runs twice; a larger run does so block by block, because a case
 * is in memory from its first run to its last.
 */
const BLOCK = 4000;

/** Repeats every selected case `runs` times and honours skip, fail-fast and what a resumed log already holds. */
export function createPlanner<O extends Counted>(
  cases: AsyncIterable<LoadedCase[]>,
  options: PlannerOptions,
): Planner<O> {
  return new CasePlanner<O>(cases, options);
}

class CasePlanner<O extends Counted> implements Planner<O> {
  readonly #options: PlannerOptions;
  readonly #source: AsyncIterator<LoadedCase[]>;
  readonly #targets: ReadonlyMap<object | string, Target>;
  /** Attempts under way, of tests that limit them; a test may have many targets. */
  readonly #underWay = new Map<string, number>();
  /** The cases of this round: those that were read last, or a block. */
  #batch: LoadedCase[] = [];
  #position = 0;
  /** The repetition that is handed out, from 1. Cases are read in the first. */
  #round = 1;
  /** The cases that have a next round. Files of script tests stay whole, because a batch is never divided. */
  #block: LoadedCase[] = [];
  #isEnded = false;
  #stopped: StopReason | undefined;
  #loading: Promise<void> | undefined;
  /** Only if a decider wants to hear of rounds, which then have all cases. */
  readonly #rounds: Rounds | undefined;
  readonly #auto: AutoCases<O> | undefined;
  /** Only if a decider wants cases to run again. */
  readonly #fresh: FreshRuns | undefined;

  constructor(cases: AsyncIterable<LoadedCase[]>, options: PlannerOptions) {
    const { auto, deciders = [], total = Infinity } = options;
    const wantsRounds = deciders.some((decider) => decider.roundEnded !== undefined);
    const hasRounds = auto === undefined && total <= MOST_IN_ROUNDS && wantsRounds;
    this.#options = options;
    this.#rounds = hasRounds ? new Rounds() : undefined;
    const wantsFresh = hasRounds && deciders.some((decider) => decider.confirms !== undefined);
    this.#fresh = wantsFresh ? new FreshRuns() : undefined;
    this.#auto =
      auto &&
      new AutoCases<O>(auto, ({ target, isDecided }, attempt, outcome, isPrior) => {
        const counted: Counted = isDecided ? { ...outcome, uncounted: 'decided' } : outcome;
        const known = this.#count(target, attempt, counted, isPrior);
        if (!isPrior) this.#failFast(attempt, known);
        return known !== undefined;
      });
    this.#source = cases[Symbol.asyncIterator]();
    this.#targets = new Map(options.targets.map((target) => [identityOf(target), target]));
  }

  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  next(): Planned | 'wait' | 'full' | 'done' {
    const { select, settings } = this.#options;
    const auto = this.#auto;
    for (;;) {
      if (auto?.hasFresh === true) return this.#nextAuto();
      const loaded = this.#batch[this.#position];
      if (loaded === undefined) {
        const isCrowded = auto !== undefined && auto.open >= BLOCK && !this.#isEnded;
        if (isCrowded) return this.#nextAuto();
        if (this.#beginRound()) continue;
        if (this.#isEnded) return this.#fresh === undefined ? this.#nextAuto() : this.#nextFresh(this.#fresh);
        this.#loading ??= this.#load();
        return 'wait';
      }
      const target = targetOf(loaded, this.#options);
      if (this.#round === 1 && !select(loaded.case, target)) {
        this.#position += 1;
        continue;
      }
      if (auto !== undefined && target.runs === undefined) {
        this.#position += 1;
        auto.add(keyOf(target, loaded.case.id), loaded, target, this.#priorRuns(loaded, target));
        continue;
      }
      if (this.#isFull(target)) return 'full';
      this.#position += 1;
      if (this.#round < (target.runs ?? settings.runs)) this.#block.push(loaded);
      if (this.#round === 1) this.#fresh?.keep(keyOf(target, loaded.case.id), loaded, target);
      const planned = this.#plan(loaded, target);
      if (planned !== undefined) return planned;
    }
  }

  settled(attempt: Attempt, outcome: O): readonly Released<O>[] | undefined {
    const target = this.#targets.get(attempt.variables ?? attempt.test_id);
    if (target === undefined) throw new Error(`no target for ${attempt.test_id}`);
    const running = this.#underWay.get(nameOf(target));
    if (running !== undefined) this.#underWay.set(nameOf(target), running - 1);
    if (this.#auto !== undefined && target.runs === undefined)
      return this.#auto.settled(keyOf(target, attempt.case.id), attempt, outcome);
    if (this.#fresh?.has(attempt.key) === true) {
      this.#count(target, attempt, { ...outcome, uncounted: 'confirm' }, false);
      return [{ attempt, outcome, uncounted: 'confirm' }];
    }
    const known = this.#count(target, attempt, outcome, false);
    this.#endRounds(attempt.run);
    this.#failFast(attempt, known);
    return undefined;
  }

  #failFast(attempt: Attempt, known: ReturnType<Tally['add']>): void {
    if (known === undefined || !this.#options.failFast) return;
    const { status } = known.end;
    if (status === 'passed' || status === 'skipped') return;
    if (this.#options.quarantine?.markOf(attempt) !== undefined) return;
    this.#stopped ??= 'fail_fast';
  }

  stop(reason: StopReason): void {
    this.#stopped ??= reason;
  }

  ready(): Promise<void> {
    return this.#loading ?? Promise.resolve();
  }

  /** Repeats the cases of the block, once it is full or all cases are read. */
  #beginRound(): boolean {
    const most = this.#rounds === undefined ? BLOCK : Infinity;
    if (this.#round === 1 && !this.#isEnded && this.#block.length < most) return false;
    this.#rounds?.handedOut(this.#round);
    this.#endRounds();
    const isRepeated = this.#block.length > 0;
    this.#round = isRepeated ? this.#round + 1 : 1;
    this.#batch = this.#block;
    this.#position = 0;
    this.#block = [];
    return isRepeated;
  }

  async #load(): Promise<void> {
    const { value, done } = (await this.#source.next()) as IteratorResult<LoadedCase[], undefined>;
    this.#batch = done === true ? [] : value;
    this.#position = 0;
    this.#isEnded = done === true;
    this.#loading = undefined;
  }

  /** The next attempt of a case; undefined if an earlier part of the run has settled it. */
  #plan(loaded: LoadedCase, target: Target): Planned | undefined {
    const attempt = attemptOf(loaded, this.#round, this.#options);
    const kept = this.#options.prior?.get(attempt.key);
    if (kept !== undefined) {
      // It only counts: a failure before the interruption does not stop what was asked to go on.
      this.#count(target, attempt, kept, true);
      return undefined;
    }
    this.#rounds?.begun(attempt.run);
    return this.#begun(attempt, target);
  }

  #begun(attempt: Attempt, target: Target): Planned {
    if (target.parallel !== undefined)
      this.#underWay.set(nameOf(target), (this.#underWay.get(nameOf(target)) ?? 0) + 1);
    const skip = attempt.case.skip === true ? 'skip' : this.#stopped;
    return skip === undefined ? { attempt } : { attempt, skip };
  }

  /** The next run of the case that had the fewest; `full` while runs are under way that may decide their cases. */
  #nextAuto(): Planned | 'full' | 'done' {
    const auto = this.#auto;
    const one = auto?.first;
    if (auto === undefined || one === undefined) return (auto?.open ?? 0) > 0 ? 'full' : 'done';
    if (this.#isFull(one.target)) return 'full';
    return this.#begun(attemptOf(one.loaded, auto.begin(one), this.#options), one.target);
  }

  /** The next run of a case that runs again; `full` until all rounds have ended. After a stop there is none. */
  #nextFresh(fresh: FreshRuns): Planned | 'full' | 'done' {
    const { deciders = [], prior, settings } = this.#options;
    if (this.#stopped !== undefined) return 'done';
    if (this.#rounds?.isIdle !== true) return 'full';
    if (!fresh.isAsked)
      fresh.ask(
        deciders.find(({ confirms }) => confirms !== undefined)?.confirms?.() ?? new Map(),
        settings.runs,
      );
    for (;;) {
      const one = fresh.first;
      if (one === undefined) return 'done';
      if (this.#isFull(one.target)) return 'full';
      const attempt = attemptOf(one.loaded, one.run, this.#options);
      fresh.begin(attempt.key);
      const kept = prior?.get(attempt.key);
      if (kept === undefined) return this.#begun(attempt, one.target);
      this.#count(one.target, attempt, kept, true);
    }
  }

  /** The outcomes that an earlier part of the run has of a case of `--runs auto`, by run number. */
  #priorRuns(loaded: LoadedCase, target: Target): Map<number, [Attempt, Counted]> {
    const { auto, prior } = this.#options;
    const runs = new Map<number, [Attempt, Counted]>();
    if (prior === undefined || prior.size === 0) return runs;
    // A case has at most `max` measured runs and `max` others.
    for (let run = 1; run <= 2 * (auto?.max ?? 0); run += 1) {
      const key = attemptKey(target.test_id, loaded.case.id, run, target.variables?.variant);
      const kept = prior.get(key);
      if (kept !== undefined) runs.set(run, [attemptOf(loaded, run, this.#options), kept]);
    }
    return runs;
  }

  #isFull(target: Target): boolean {
    const { parallel } = target;
    if (parallel === undefined || this.#stopped !== undefined) return false;
    return (this.#underWay.get(nameOf(target)) ?? 0) >= parallel;
  }

  #count(target: Target, attempt: Attempt, outcome: Counted, isPrior: boolean): ReturnType<Tally['add']> {
    const { deciders = [], quarantine, tally } = this.#options;
    const known = tally.add(keyOf(target, attempt.case.id), outcome, target.runs);
    for (const decider of deciders) {
      const reason = decider.heard?.(attempt, outcome, { isPrior, target });
      if (known?.complete === true) decider.caseEnded?.(attempt, known.end, { isPrior, target });
      this.#stopped ??= reason;
    }
    quarantine?.heard(attempt, outcome, known);
    return known;
  }

  /** Tells the deciders which rounds are whole now. After a stop there are none. */
  #endRounds(ended?: number): void {
    const rounds = this.#rounds;
    if (rounds === undefined) return;
    if (ended !== undefined) rounds.ended(ended);
    while (this.#stopped === undefined) {
      const round = rounds.nextWhole();
      if (round === undefined) return;
      for (const decider of this.#options.deciders ?? []) this.#stopped ??= decider.roundEnded?.(round);
    }
  }
}

/** Identifies the target of an attempt: the object of its variables, or the name of its test. */
function identityOf({ test_id, variables }: Target): object | string {
  return variables?.values ?? test_id;
}

function keyOf({ test_id, variables }: Target, caseId: string): string {
  return caseKey(test_id, caseId, variables?.variant);
}

function nameOf({ test, test_id }: Target): string {
  return test ?? test_id;
}
