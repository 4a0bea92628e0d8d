// In the coordinator: an outcome in; its `after` hook and its tape, then another try or the end of the attempt, out.

import { isWorthAnotherTry, pauseBefore } from '../../execute/backoff.ts';
import type { PoolOptions, Settled } from '../../execute/pool-options.ts';
import type { AgentFailure } from '../../execute/process/protocol.ts';
import type { Item } from '../../execute/process/worker-process.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { TapeReport } from '../../tapes/attempt-tape.ts';
import type { Assessor } from './assess/assess.ts';

type FinishOptions = Pick<PoolOptions, 'after' | 'misconfigured' | 'retries' | 'settled' | 'tapes'> & {
  assessor: Pick<Assessor, 'judgeTape'>;
  /** The attempt runs again. */
  retry(item: Item): void;
  /** An attempt has left its place. */
  freed(): void;
};

/** Finishes the attempts of a pool. */
export class FinishingAttempts {
  readonly #options: FinishOptions;
  readonly #delayed = new Map<Item, { timer: NodeJS.Timeout; outcome: Outcome }>();
  /** Attempts that are over except for their `after` hook. They keep their place. */
  finishing = 0;
  #isDropped = false;
  #isClosed = false;

  constructor(options: FinishOptions) {
    this.#options = options;
  }

  /** Attempts that wait for their hook or for another try. */
  get size(): number {
    return this.finishing + this.#delayed.size;
  }

  /** Ends an attempt: runs its `after` hook, then retries it or adds it to the settled batch. */
  end(item: Item, outcome: Outcome, batch: Settled[], mayRetry: boolean, failure?: AgentFailure): void {
    if (item.restarts > 0) outcome.restarted = item.restarts;
    if (item.attempt.case.after === undefined && item.sideTape === undefined) {
      this.#conclude(item, outcome, batch, mayRetry, failure);
      return;
    }
    this.runHook(item, outcome, (ended, judge) => {
      const late: Settled[] = [];
      // A failed hook says nothing about the agent, so the attempt is not retried.
      this.#conclude(item, ended, late, mayRetry && outcome.status !== 'passed', failure, judge);
      if (late.length > 0) this.#options.settled(late);
    });
  }

  /** Ends the tape of the judges, then runs the `after` hook. */
  runHook(item: Item, outcome: Outcome, then: (outcome: Outcome, judge?: TapeReport) => void): void {
    const { attempt, before } = item;
    const { after, assessor, freed } = this.#options;
    delete item.before;
    this.finishing += 1;
    const finish = async (): Promise<void> => {
      const judge = await assessor.judgeTape(item, outcome);
      const ended = attempt.case.after === undefined ? outcome : await after(attempt, outcome, before);
      this.finishing -= 1;
      if (this.#isClosed) return;
      then(ended, judge);
      freed();
    };
    void finish();
  }

  /** Attempts that wait for another try end as they are. */
  drop(): void {
    this.#isDropped = true;
    for (const [{ attempt }, { timer, outcome }] of this.#delayed) {
      clearTimeout(timer);
      this.#options.settled([{ attempt, outcome }]);
    }
    this.#delayed.clear();
  }

  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
  }

  #conclude(
    item: Item,
    outcome: Outcome,
    batch: Settled[],
    mayRetry: boolean,
    failure?: AgentFailure,
    judge?: TapeReport,
  ): void {
    const { attempt, problem, retries, tape: agent, times } = item;
    if (problem !== undefined) return this.#options.misconfigured(problem);
    if (mayRetry && this.#retryLater(item, outcome, failure?.retry_after_ms)) return;
    if (retries > 0) outcome.retries = retries;
    this.#options.tapes?.settled(attempt, outcome, { agent, judge, times });
    batch.push({ attempt, outcome });
  }

  #retryLater(item: Item, outcome: Outcome, retryAfterMs: number | undefined): boolean {
    // A replayed tape gives the same answer every time.
    const isReplay = this.#options.tapes?.settings.mode === 'replay';
    if (isReplay || this.#isDropped || item.retries >= this.#options.retries) return false;
    if (!isWorthAnotherTry(outcome, item.attempt, retryAfterMs)) return false;
    const again = fromStart(item);
    again.retries += 1;
    const timer = setTimeout(
      () => {
        this.#delayed.delete(again);
        this.#options.retry(again);
      },
      pauseBefore(again.retries, retryAfterMs),
    );
    this.#delayed.set(again, { timer, outcome });
    return true;
  }
}

/** The attempt before it ran: what an abandoned try still does must not change the next one. */
export function fromStart({ attempt, bytes, isJudgedHere, restarts, retries, returns }: Item): Item {
  // With all fields of a simple attempt, so that the engine need not change the shape of the object.
  const times = { sentAt: undefined, startedAt: undefined, askedAt: undefined, isDeferred: false };
  return { attempt, bytes, isJudgedHere, restarts, retries, returns, ...times };
}

/** The same, counted. */
export function restarted(item: Item): Item {
  return { ...fromStart(item), restarts: item.restarts + 1 };
}
