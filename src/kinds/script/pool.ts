// Script tests in, outcomes out: every file goes to one worker as a whole, several files at the same time.

import { randomUUID } from 'node:crypto';
import type { Attempt } from '../../model/attempt.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ScriptSubject } from '../../model/script.ts';
import {
  crashOutcome,
  neverBegunOutcome,
  neverStarted,
  unreportedOutcome,
} from '../../execute/lost-outcomes.ts';
import { isHung } from '../../execute/hung.ts';
import type { PoolOptions, TestPool, WorkerStarter } from '../../execute/pool-options.ts';
import type { FromWorker, SettledAttempt } from '../../execute/process/protocol.ts';
import { sizeOf } from '../../execute/weight.ts';
import type { Item, PoolWorker, WorkerEvents } from '../../execute/process/worker-process.ts';
import { WorkerProcess } from '../../execute/process/worker-process.ts';
import { checkedOutcome, isMessage } from './check-message.ts';

const TICK_MS = 100;
const MAX_FAILED_STARTS = 3;
const MAX_RETURNS = 3;
/** A file has half a minute to tear down, and then some. */
const MAX_TEAR_DOWN_MS = 65_000;
/** Nothing that a worker does between two tests takes longer than this and three times the limit of a test. */
const MAX_PAUSE_MS = 70_000;

export type ScriptPoolOptions = Pick<
  PoolOptions,
  'coverage' | 'cwd' | 'dropped' | 'env' | 'exact' | 'first' | 'learn' | 'parallel' | 'settled'
>;

/** The tests of one file in one run, in order. */
type Group = { key: string; items: Item[]; isAlone: boolean };
/** A worker and the file it is busy with. */
type Seat = {
  worker: PoolWorker;
  group: Group | undefined;
  /** It has had a file to itself and ends with it. */
  isSpent: boolean;
  /** Since when it has been tearing down without a test. */
  idleSince?: number | undefined;
  /** When it last settled or began a test, as far as is known, and which. */
  movedAt: number;
  begun: number;
};
type Batch = { attempt: Attempt; outcome: Outcome }[];

/** Owns the worker processes for script tests. */
export class ScriptPool implements TestPool<ScriptSubject> {
  readonly takesWholeFiles = true;
  readonly room = Infinity;
  #options: ScriptPoolOptions;
  #waiting: Group[] = [];
  #seats: Seat[] = [];
  #first: WorkerStarter | undefined;
  #timer: NodeJS.Timeout;
  #isScheduled = false;
  #isClosed = false;
  #isDropped = false;
  #failedStarts = 0;
  /** How many are about to be settled without having run. */
  #refused = 0;
  #events: WorkerEvents = {
    message: (worker, message) => this.#receive(worker, message),
    exit: (worker, how) => this.#onExit(worker, how),
  };

  constructor(options: ScriptPoolOptions) {
    this.#options = options;
    this.#first = options.first?.role === 'scripts' ? options.first : undefined;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** How many tests it has been given and not settled. */
  get size(): number {
    const waiting = this.#waiting.reduce((sum, { items }) => sum + items.length, this.#refused);
    // A file that is not torn down yet is not over, although all of its tests are.
    const open = this.#seats.filter(({ group }) => group !== undefined).length;
    return this.#seats.reduce(
      (sum, { worker, group }) => sum + worker.held.size + (group?.items.length ?? 0),
      waiting + open,
    );
  }

  /** Tests of a file that are submitted one after the other run together. */
  submit(attempt: Attempt<ScriptSubject>): void {
    const { problem, isolation } = attempt.subject;
    if (problem !== undefined) return this.#refuse(attempt, problem);
    const variant = attempt.variables === undefined ? '' : JSON.stringify(attempt.variables);
    const key = `${attempt.test_id}\n${String(attempt.run)}\n${variant}`;
    const known = this.#waiting.findLast((group) => group.key === key);
    const item: Item = {
      attempt,
      isJudgedHere: true,
      restarts: 0,
      retries: 0,
      returns: 0,
      bytes: sizeOf(attempt),
    };
    if (known === undefined) this.#waiting.push({ key, items: [item], isAlone: isolation === 'process' });
    else known.items.push(item);
    this.#schedule();
  }

  /** A file that could not be compiled has one thing to say, and no worker is needed for it. */
  #refuse(attempt: Attempt, problem: string): void {
    const outcome: Outcome = { status: 'error', code: 'agent', duration_ms: 0, error: problem };
    this.#refused += 1;
    queueMicrotask(() => {
      this.#refused -= 1;
      if (!this.#isClosed) this.#options.settled([{ attempt, outcome }]);
    });
  }

  /** Gives back everything that has not begun; files that have begun are torn down. */
  drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    for (const { items } of this.#waiting.splice(0))
      for (const { attempt } of items) this.#options.dropped(attempt);
    for (const { worker, group } of this.#seats) {
      if (group === undefined) continue;
      for (const { attempt } of group.items.splice(0)) this.#options.dropped(attempt);
      worker.send({ type: 'drop' });
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { worker } of this.#seats) worker.kill();
    this.#first?.attach({ message: () => undefined, exit: () => undefined }).kill();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#isClosed) this.#assign();
    });
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const seat = this.#freeSeat(this.#waiting[0]?.isAlone === true);
      const group = seat === undefined ? undefined : this.#waiting.shift();
      if (seat === undefined || group === undefined) return;
      seat.group = group;
      seat.isSpent = group.isAlone;
      seat.movedAt = performance.now();
      this.#send(seat);
    }
  }

  /** A worker that does nothing; one that has run a file before is no place for a file that wants a process of its own. */
  #freeSeat(isAlone: boolean): Seat | undefined {
    const idle = this.#seats.find(({ worker, group, isSpent }) => {
      return group === undefined && !isSpent && (!isAlone || worker.settledCount === 0);
    });
    if (idle !== undefined) return idle;
    const busy = this.#seats.filter(({ group }) => group !== undefined).length;
    if (busy >= this.#options.parallel) return undefined;
    const seat: Seat = { worker: this.#start(), group: undefined, isSpent: false, movedAt: 0, begun: 0 };
    this.#seats.push(seat);
    return seat;
  }

  #start(): PoolWorker {
    const worker = this.#first?.attach(this.#events) ?? new WorkerProcess(this.#events, 'scripts');
    this.#first = undefined;
    const { cwd, env, coverage } = this.#options;
    const token = randomUUID();
    worker.token = token;
    worker.send({ type: 'enter', cwd, env, retries: 0, token, ...(coverage !== undefined && { coverage }) });
    return worker;
  }

  /** All tests at once; to stop exactly at a failure, one after the other. */
  #send({ worker, group }: Seat): void {
    if (group === undefined) return;
    const count = this.#options.exact ? 1 : group.items.length;
    for (const item of group.items.splice(0, count)) worker.add(item);
    worker.flush({ isWhole: group.items.length === 0 });
  }

  #receive(worker: PoolWorker, message: FromWorker): void {
    const isAsked = message.type !== 'dropped' || this.#isDropped;
    if (!isAsked || !isMessage(message, worker.token)) worker.distrust();
    else if (message.type === 'ready') {
      worker.isReady = true;
      this.#failedStarts = 0;
    } else if (message.type === 'secrets') this.#options.learn(message.secrets);
    else if (message.type === 'settled') this.#settle(worker, message.settled);
    else if (message.type === 'closed') this.#free(worker, message.isSpent === true);
    else if (message.type === 'more') this.#sendMore(worker);
    else if (message.type === 'dropped') {
      for (const seq of message.seqs) {
        const item = worker.release(seq);
        if (item !== undefined) this.#options.dropped(item.attempt);
      }
    }
  }

  #settle(worker: PoolWorker, settled: readonly SettledAttempt[]): void {
    const batch: Batch = [];
    for (const { seq, outcome } of settled) {
      const item = worker.release(seq);
      if (item === undefined) continue;
      worker.settledCount += 1;
      batch.push({ attempt: item.attempt, outcome: reportedOutcome(item, outcome) });
    }
    const seat = this.#seats.find((other) => other.worker === worker);
    if (seat !== undefined) seat.movedAt = performance.now();
    if (batch.length > 0) this.#options.settled(batch);
    // One after the other: the next one depends on how these ended.
    if (worker.held.size === 0) this.#sendMore(worker);
  }

  #sendMore(worker: PoolWorker): void {
    const seat = this.#seats.find((other) => other.worker === worker);
    if (seat?.group !== undefined && seat.group.items.length > 0) this.#send(seat);
  }

  /** Its file is over. */
  #free(worker: PoolWorker, isSpent: boolean): void {
    const seat = this.#seats.find((other) => other.worker === worker);
    if (seat === undefined) return;
    const lost = [...worker.held.values(), ...(seat.group?.items ?? [])];
    worker.held.clear();
    seat.group = undefined;
    if (seat.isSpent || isSpent) {
      this.#seats = this.#seats.filter((other) => other !== seat);
      worker.kill();
    }
    this.#schedule();
    // Usually nothing is left to settle, but the run may be over.
    this.#options.settled(lost.map(({ attempt }) => ({ attempt, outcome: unreportedOutcome() })));
  }

  #tick(): void {
    const now = performance.now();
    for (const seat of this.#seats) {
      const { worker, group } = seat;
      if (group === undefined || worker.isHung) continue;
      seat.idleSince = worker.held.size > 0 ? undefined : (seat.idleSince ?? now);
      const isTearingDown = seat.idleSince !== undefined && now - seat.idleSince > MAX_TEAR_DOWN_MS;
      if (isTearingDown || (worker.held.size > 0 && (isHung(worker, now) || isStalled(seat, now)))) {
        worker.isHung = true;
        worker.kill();
      } else worker.send({ type: 'ping' });
    }
  }

  /** A worker is gone: the test that had begun did it, and those behind it run in another worker, with the file loaded anew. */
  #onExit(worker: PoolWorker, how: string): void {
    const seat = this.#seats.find((other) => other.worker === worker);
    this.#seats = this.#seats.filter((other) => other !== seat);
    if (this.#isClosed || seat?.group === undefined) return;
    if (!worker.isReady) this.#failedStarts += 1;
    const { settled, logs, isClosing } = worker.readRecovery();
    // Without a word about what it had begun, a test that was alone in a worker that hung is the one.
    const [only] = worker.held.size === 1 && worker.isHung ? worker.held.values() : [];
    const last = worker.unsettled().last ?? only;
    const batch: Batch = [];
    for (const { seq, outcome } of settled) {
      const item = worker.release(seq);
      if (item === undefined) continue;
      const isLast = isClosing && item === last;
      const reported = reportedOutcome(item, outcome);
      const known = isLast ? withTearDown(reported, crashOutcome(worker, item, how, 'test')) : reported;
      batch.push({ attempt: item.attempt, outcome: known });
    }
    const rest: Item[] = [];
    for (const item of worker.held.values()) {
      if (item === last)
        batch.push({
          attempt: item.attempt,
          outcome: withReturns(item, withLogs(crashOutcome(worker, item, how, 'test'), logs)),
        });
      else if (last === undefined && (item.returns += 1) > MAX_RETURNS)
        batch.push({ attempt: item.attempt, outcome: { ...neverBegunOutcome(how), restarted: MAX_RETURNS } });
      else rest.push(item);
    }
    // If it is not known which of them ended the worker, each runs in a worker of its own.
    const isUnknown = last === undefined && worker.isReady;
    const { group } = seat;
    const groups = isUnknown ? rest.map((item) => ({ ...group, items: [item], isAlone: true })) : [];
    groups.push({ ...group, items: [...(isUnknown ? [] : rest), ...group.items] });
    for (const one of groups.reverse()) this.#takeBack(one, worker, how, batch);
    this.#schedule();
    this.#options.settled(batch);
  }

  #takeBack(group: Group, worker: PoolWorker, how: string, batch: Batch): void {
    const isHopeless = this.#failedStarts >= MAX_FAILED_STARTS;
    const groups = isHopeless ? [group, ...this.#waiting.splice(0)] : [group];
    for (const { items } of this.#isDropped || isHopeless ? groups : []) {
      for (const { attempt } of items.splice(0)) {
        if (isHopeless) batch.push({ attempt, outcome: neverStarted(worker, how) });
        else this.#options.dropped(attempt);
      }
    }
    if (group.items.length > 0) this.#waiting.unshift(group);
  }
}

/** It goes on without coming to an end: it says that it makes progress, but neither settles nor begins a test. */
function isStalled(seat: Seat, now: number): boolean {
  const pause = now - seat.movedAt - MAX_PAUSE_MS;
  if (pause < 0) return false;
  for (const { attempt } of seat.worker.held.values()) if (pause < 3 * attempt.timeout_ms) return false;
  const { begun } = seat.worker.readRecovery();
  const isSame = begun === seat.begun;
  Object.assign(seat, { begun, movedAt: now });
  return isSame;
}

/** An outcome that a worker reports, checked. */
function reportedOutcome(item: Item, outcome: unknown): Outcome {
  return withReturns(item, checkedOutcome(outcome, performance.now() - (item.sentAt ?? 0)));
}

/** Tells how often it may have run before, in workers that ended. */
function withReturns({ returns }: Item, outcome: Outcome): Outcome {
  return returns === 0 ? outcome : { ...outcome, restarted: returns };
}

function withLogs(outcome: Outcome, logs: string[]): Outcome {
  return logs.length === 0 ? outcome : { ...outcome, logs };
}

/** Of the last test of a file whose tear-down hung or crashed. */
function withTearDown(outcome: Outcome, crash: Outcome): Outcome {
  const error = `AfterAll: ${crash.error ?? ''}`;
  const isFine = outcome.status === 'passed' || outcome.status === 'skipped';
  return isFine ? { ...crash, error } : { ...outcome, after_error: error };
}
