// The cases of `--runs auto` that are open: which of them runs next, and in which order their outcomes are judged.

import type { Attempt, Target } from '../model/attempt.ts';
import type { LoadedCase } from '../model/case.ts';
import { isMeasured } from '../model/outcome.ts';
import type { AutoSettling, Counted } from '../model/settle.ts';

/** An outcome that waits until those of earlier runs are judged. */
type Waiting<O> = { attempt: Attempt; outcome: O };

/** A case that is not decided, or that has attempts under way. */
export type AutoCase<O> = {
  loaded: LoadedCase;
  target: Target;
  /** Numbers of runs to repeat before new ones, because a resumed run does not keep them. */
  again: number[];
  /** The number of its next new run. */
  next: number;
  /** The runs under way, in the order in which they were handed out and are judged. */
  order: number[];
  waiting: Map<number, Waiting<O>>;
  passes: number;
  measured: number;
  isDecided: boolean;
  isQueued: boolean;
};

/** Judges one outcome; true if its case needs no more runs. Of a decided case it only counts what it cost. */
type Judge<O> = (one: AutoCase<O>, attempt: Attempt, outcome: Counted, isPrior: boolean) => boolean;

/** What came out of an outcome: results to record, in the order of runs, and why one does not count. */
export type Released<O> = { attempt: Attempt; outcome: O; uncounted?: Counted['uncounted'] };

export class AutoCases<O extends Counted> {
  readonly #rule: AutoSettling;
  readonly #judge: Judge<O>;
  readonly #cases = new Map<string, AutoCase<O>>();
  /** Cases that can have another run, by the number of runs that they had. */
  readonly #queues: { cases: AutoCase<O>[]; at: number }[] = [];
  #open = 0;

  constructor(rule: AutoSettling, judge: Judge<O>) {
    this.#rule = rule;
    this.#judge = judge;
  }

  /** The number of cases that are not decided. */
  get open(): number {
    return this.#open;
  }

  get(key: string): AutoCase<O> | undefined {
    return this.#cases.get(key);
  }

  /** Opens a case with the outcomes that an earlier part of the run has of it, by run number. */
  add(key: string, loaded: LoadedCase, target: Target, prior: ReadonlyMap<number, [Attempt, Counted]>): void {
    const one: AutoCase<O> = {
      loaded,
      target,
      again: [],
      next: 1 + Math.max(0, ...prior.keys()),
      order: [],
      waiting: new Map(),
      passes: 0,
      measured: 0,
      isDecided: false,
      isQueued: false,
    };
    this.#open += 1;
    for (let run = 1; run < one.next; run += 1) {
      const kept = prior.get(run);
      if (kept === undefined) one.again.push(run);
      else this.#count(one, ...kept, true);
    }
    if (one.isDecided) return;
    this.#cases.set(key, one);
    this.#queue(one);
  }

  /** The case with the fewest runs that can have another one. */
  get first(): AutoCase<O> | undefined {
    for (const queue of this.#queues) {
      for (; queue.at < queue.cases.length; queue.at += 1) {
        const one = queue.cases[queue.at];
        // Others that were under way may have decided it while it was queued.
        if (one !== undefined && !one.isDecided) return one;
      }
      if (queue.at > 0) Object.assign(queue, { cases: [], at: 0 });
    }
    return undefined;
  }

  /** True if a case waits for its first run. */
  get hasFresh(): boolean {
    const { first } = this;
    return first !== undefined && first.next === 1;
  }

  /** Hands out the next run of `first`; gives its number. */
  begin(one: AutoCase<O>): number {
    const queue = this.#queues[runsHad(one)];
    if (queue?.cases[queue.at] !== one) throw new Error(`${one.loaded.case.id} is not next`);
    queue.at += 1;
    one.isQueued = false;
    const run = one.again.shift() ?? one.next++;
    one.order.push(run);
    this.#queue(one);
    return run;
  }

  settled(key: string, attempt: Attempt, outcome: O): Released<O>[] {
    const one = this.#cases.get(key);
    if (one === undefined) throw new Error(`no open case for ${attempt.key}`);
    one.waiting.set(attempt.run, { attempt, outcome });
    const released: Released<O>[] = [];
    for (;;) {
      const [run = 0] = one.order;
      const waiting = one.waiting.get(run);
      if (waiting === undefined) break;
      one.order.shift();
      one.waiting.delete(run);
      const isLate = one.isDecided;
      // A run that a decided case did not need leaves no trace.
      if (isLate && waiting.outcome.status === 'skipped') continue;
      this.#count(one, waiting.attempt, waiting.outcome, false);
      released.push(isLate ? { ...waiting, uncounted: 'decided' } : waiting);
    }
    if (!one.isDecided) this.#queue(one);
    else if (one.order.length === 0) this.#cases.delete(key);
    return released;
  }

  #count(one: AutoCase<O>, attempt: Attempt, outcome: Counted, isPrior: boolean): void {
    const isOver = this.#judge(one, attempt, outcome, isPrior);
    if (one.isDecided) return;
    if (isMeasured(outcome)) one.measured += 1;
    if (outcome.status === 'passed') one.passes += 1;
    if (!isOver) return;
    one.isDecided = true;
    this.#open -= 1;
  }

  /** Queues a case if another run may be needed, whatever those under way bring. */
  #queue(one: AutoCase<O>): void {
    if (one.isQueued || one.order.length >= runsToDecision(one, this.#rule)) return;
    one.isQueued = true;
    const had = runsHad(one);
    for (let at = this.#queues.length; at <= had; at += 1) this.#queues.push({ cases: [], at: 0 });
    this.#queues[had]?.cases.push(one);
  }
}

function runsHad({ next, again }: { next: number; again: readonly number[] }): number {
  return next - 1 - again.length;
}

/** The smallest number of further measured runs after which a decision is possible. */
export function runsToDecision(
  { passes, measured }: { passes: number; measured: number },
  { decide, max }: Pick<AutoSettling, 'decide' | 'max'>,
): number {
  for (let further = 1; measured + further < max; further += 1) {
    for (let more = 0; more <= further; more += 1)
      if (decide(passes + more, measured + further) !== undefined) return further;
  }
  return Math.max(1, max - measured);
}
