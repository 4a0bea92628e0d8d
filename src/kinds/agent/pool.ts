// In the coordinator: attempts in, outcomes out. Shares worker processes among attempts, ends workers that hang and retries
// attempts that could not be measured. Nothing an attempt does can stop the pool.

import { availableParallelism } from 'node:os';
import type { Attempt } from '../../model/attempt.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { AgentSubject } from '../../model/subject.ts';
import { isWorthAnotherTry, pauseBefore } from '../../execute/backoff.ts';
import { crashOutcome, restartOutcome, neverBegun, neverStarted } from '../../execute/lost-outcomes.ts';
import type { FromWorker, SettledAttempt } from '../../execute/process/protocol.ts';
import { isHung } from '../../execute/hung.ts';
import type { PoolOptions, Settled, TestPool, WorkerStarter } from '../../execute/pool-options.ts';
import type { Item, PoolWorker, WorkerEvents } from '../../execute/process/worker-process.ts';
import { HEAVY_BYTES, isHeavy, sizeOf } from '../../execute/weight.ts';
import { WorkerProcess } from '../../execute/process/worker-process.ts';

/** How often workers are checked. */
const TICK_MS = 100;
/** Above this load a second worker is started, if there is a core for it. */
const BUSY = 0.8;
const SCALE_AFTER_MS = 2000;
/** Below this duration the transfer of attempts is the bottleneck, and more workers do not help. */
const WORTH_MS = 2;
/** Attempts sent ahead keep a worker busy for about this long. */
const AHEAD_MS = 10;
const AHEAD_MAX = 256;
/** Attempts given to one worker before the next one is considered. */
const SHARE = 32;
/** Cap on workers blocked on synchronous I/O. */
const MAX_BLOCKED = 16;
const MAX_FAILED_STARTS = 3;
/** How often a worker may die before it begins an attempt. */
const MAX_RETURNS = 3;

/** Owns the worker processes of a run. */
export class AgentPool implements TestPool<AgentSubject> {
  #options: PoolOptions;
  #shared: PoolWorker[] = [];
  #solo: PoolWorker[] = [];
  #queue: Item[] = [];
  #quarantined: Item[] = [];
  #delayed = new Map<Item, { timer: NodeJS.Timeout; outcome: Outcome }>();
  /** Attempts that are over except for their `after` hook. */
  #finishing = 0;
  /** Attempts are not sent ahead: one would begin before the `after` hook of another has ended. */
  #isExact: boolean;
  #first: WorkerStarter | undefined;
  #timer: NodeJS.Timeout;
  #scheduled = false;
  #closed = false;
  #isDropped = false;
  #failedStarts = 0;
  #ahead = 0;
  #averageMs = 0;
  #scaleAt = performance.now() + SCALE_AFTER_MS;
  #own = performance.eventLoopUtilization();
  #events: WorkerEvents = {
    message: (worker, message) => this.#receive(worker, message),
    exit: (worker, how) => this.#onExit(worker, how),
  };

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#isExact = options.exact;
    this.#first = options.first?.role === 'agents' ? options.first : undefined;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Attempts submitted and not settled. */
  get size(): number {
    const held = [...this.#shared, ...this.#solo].reduce((sum, worker) => sum + worker.held.size, 0);
    return held + this.#queue.length + this.#quarantined.length + this.#delayed.size + this.#finishing;
  }

  /** How many more attempts the pool can use now. */
  get room(): number {
    return this.#options.parallel + this.#aheadNow() - this.size;
  }

  submit(attempt: Attempt<AgentSubject>): void {
    if (this.#options.tapes !== undefined) attempt.tape = this.#options.tapes.tapePath(attempt);
    if (attempt.case.after !== undefined) this.#beExact();
    this.#queue.push({ attempt, restarted: false, retries: 0, returns: 0, bytes: sizeOf(attempt) });
    this.#schedule();
  }

  /** Returns every attempt that has not begun; running attempts go on. */
  drop(): void {
    this.#isDropped = true;
    for (const item of this.#queue.splice(0)) this.#options.dropped(item.attempt);
    for (const item of this.#quarantined.splice(0)) this.#options.dropped(item.attempt);
    for (const [item, { timer, outcome }] of this.#delayed) {
      clearTimeout(timer);
      this.#options.settled([{ attempt: item.attempt, outcome }]);
    }
    this.#delayed.clear();
    for (const worker of this.#shared) worker.send({ type: 'drop' });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    for (const worker of [...this.#shared, ...this.#solo]) worker.kill();
    this.#first?.attach({ message: () => undefined, exit: () => undefined }).kill();
  }

  #beExact(): void {
    this.#isExact = true;
    this.#ahead = 0;
  }

  /** Heavy attempts are not sent ahead, however quick they are. */
  #aheadNow(): number {
    const isHeavy = [...this.#shared, ...this.#solo].some((worker) => worker.heldBytes > HEAVY_BYTES);
    return isHeavy ? 0 : this.#ahead;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (!this.#closed) this.#assign();
    });
  }

  /** Gives waiting attempts to workers. */
  #assign(): void {
    // 1. quarantined attempts, each alone in a worker
    while (this.#quarantined.length > 0) {
      const worker = this.#soloWorker();
      if (worker === undefined) break;
      worker.add(this.#take(this.#quarantined));
      worker.flush();
    }
    // 2. all others, to the worker with the most room
    while (this.#queue.length > 0) {
      const { worker, room } = this.#roomiest();
      if (worker === undefined) break;
      for (const item of this.#queue.splice(0, Math.min(room, isHeavy(this.#queue[0], SHARE) ? 1 : SHARE)))
        worker.add(item);
    }
    for (const worker of this.#shared) worker.flush();
  }

  #take(items: Item[]): Item {
    const item = items.shift();
    if (item === undefined) throw new Error('nothing to take');
    return item;
  }

  #soloWorker(): PoolWorker | undefined {
    const idle = this.#solo.find((worker) => worker.held.size === 0 && !worker.isRetiring);
    if (idle !== undefined) return idle;
    if (this.#solo.length >= Math.min(this.#options.parallel, availableParallelism())) return undefined;
    const worker = this.#start();
    this.#solo.push(worker);
    return worker;
  }

  #roomiest(): { worker: PoolWorker | undefined; room: number } {
    const { isBlocking, parallel } = this.#options;
    const slots = parallel - this.#solo.filter((worker) => worker.held.size > 0).length - this.#finishing;
    if (slots <= 0 && this.#finishing > 0) return { worker: undefined, room: 0 };
    const usable = this.#shared.filter((worker) => !worker.isRetiring);
    const isShort = isBlocking && usable.length < Math.min(parallel, MAX_BLOCKED);
    if (usable.length === 0 || (isShort && usable.every((worker) => worker.held.size > 0))) {
      const worker = this.#start();
      this.#shared.push(worker);
      usable.push(worker);
    }
    let best: PoolWorker | undefined;
    let bestRoom = 0;
    for (const worker of usable) {
      worker.concurrency = isBlocking ? 1 : Math.max(1, Math.ceil(slots / usable.length));
      const ahead = isBlocking || worker.heldBytes > HEAVY_BYTES ? 0 : Math.ceil(this.#ahead / usable.length);
      const room = worker.concurrency + ahead - worker.held.size;
      if (room <= bestRoom) continue;
      best = worker;
      bestRoom = room;
    }
    return { worker: best, room: bestRoom };
  }

  #start(): PoolWorker {
    const start = this.#options.startWorker ?? ((events) => new WorkerProcess(events));
    const worker = this.#first?.attach(this.#events) ?? start(this.#events);
    this.#first = undefined;
    const { cwd, env, retries, tapes } = this.#options;
    worker.send({ type: 'enter', cwd, env, retries, ...(tapes !== undefined && { tapes: tapes.settings }) });
    return worker;
  }

  #receive(worker: PoolWorker, message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        worker.isReady = true;
        this.#failedStarts = 0;
        return;
      case 'settled':
        if (message.stuck > 0) this.#retire(worker);
        this.#settle(worker, message.settled);
        return;
      case 'dropped':
        this.#requeue(message.seqs.map((seq) => worker.release(seq)).filter((item) => item !== undefined));
        if (worker.isRetiring && worker.held.size === 0) worker.kill();
        this.#schedule();
        return;
      case 'pong':
        this.#scale(message.load);
        return;
      case 'before': {
        const item = worker.held.get(message.seq);
        if (item !== undefined) item.before = message.data;
        return;
      }
      case 'note': {
        const item = worker.held.get(message.seq);
        if (item !== undefined) item.partial = message.partial;
        return;
      }
      case 'secrets':
        this.#options.learn(message.secrets);
        return;
      case 'late':
        this.#options.tapes?.late(message.name);
        return;
      case 'done':
      case 'evaluated':
      case 'closed':
      case 'more':
      case 'progress':
        return;
    }
  }

  #settle(worker: PoolWorker, settled: readonly SettledAttempt[]): void {
    const batch: Settled[] = [];
    let spent = 0;
    for (const { seq, outcome, retry_after_ms, is_final, tape, took_ms } of settled) {
      const item = worker.release(seq);
      if (item === undefined) continue;
      worker.settledCount += 1;
      spent += took_ms ?? outcome.duration_ms;
      item.tape = tape;
      this.#end(item, outcome, batch, is_final !== true, retry_after_ms);
    }
    if (settled.length > 0) this.#adapt(spent / settled.length);
    if (worker.isRetiring && worker.held.size === 0) worker.kill();
    this.#schedule();
    if (batch.length > 0) this.#options.settled(batch);
  }

  /** Ends an attempt: runs its `after` hook, then retries it or adds it to the settled batch. */
  #end(item: Item, outcome: Outcome, batch: Settled[], mayRetry: boolean, retryAfterMs?: number): void {
    if (item.restarted) outcome.restarted = 1;
    if (item.attempt.case.after === undefined) {
      this.#conclude(item, outcome, batch, mayRetry, retryAfterMs);
      return;
    }
    this.#finish(item, outcome, (ended) => {
      const late: Settled[] = [];
      // A failed hook says nothing about the agent, so the attempt is not retried.
      this.#conclude(item, ended, late, mayRetry && outcome.status !== 'passed', retryAfterMs);
      if (late.length > 0) this.#options.settled(late);
    });
  }

  #conclude(item: Item, outcome: Outcome, batch: Settled[], mayRetry: boolean, retryAfterMs?: number): void {
    if (mayRetry && this.#retryLater(item, outcome, retryAfterMs)) return;
    if (item.retries > 0) outcome.retries = item.retries;
    this.#options.tapes?.settled(item.attempt, outcome, item.tape);
    batch.push({ attempt: item.attempt, outcome });
  }

  #finish(item: Item, outcome: Outcome, then: (outcome: Outcome) => void): void {
    const { before } = item;
    delete item.before;
    this.#finishing += 1;
    void this.#options.after(item.attempt, outcome, before).then((ended) => {
      this.#finishing -= 1;
      if (this.#closed) return;
      then(ended);
      this.#schedule();
    });
  }

  /** Sends as many attempts ahead as all workers together finish in AHEAD_MS. */
  #adapt(averageMs: number): void {
    this.#averageMs = averageMs;
    if (this.#isExact) return;
    const needed = (this.#options.parallel * AHEAD_MS) / Math.max(averageMs, 0.02);
    this.#ahead = Math.min(AHEAD_MAX, Math.floor(needed));
  }

  #retryLater(item: Item, outcome: Outcome, retryAfterMs: number | undefined): boolean {
    // A replayed tape gives the same answer every time.
    const isReplay = this.#options.tapes?.settings.mode === 'replay';
    if (isReplay || this.#isDropped || item.retries >= this.#options.retries) return false;
    if (!isWorthAnotherTry(outcome, item.attempt, retryAfterMs)) return false;
    item.retries += 1;
    const timer = setTimeout(
      () => {
        this.#delayed.delete(item);
        this.#queue.unshift(item);
        this.#schedule();
      },
      pauseBefore(item.retries, retryAfterMs),
    );
    this.#delayed.set(item, { timer, outcome });
    return true;
  }

  #retire(worker: PoolWorker): void {
    if (worker.isRetiring) return;
    worker.isRetiring = true;
    worker.send({ type: 'drop' });
    if (worker.held.size === 0) worker.kill();
  }

  /** Attempts that had not begun return to the front of the queue, in order. */
  #requeue(items: Item[]): void {
    if (!this.#isDropped) this.#queue.unshift(...items);
    else for (const item of items) this.#options.dropped(item.attempt);
  }

  #tick(): void {
    const now = performance.now();
    for (const worker of [...this.#shared, ...this.#solo]) {
      if (worker.held.size === 0 || worker.isHung) continue;
      if (isHung(worker, now)) {
        worker.isHung = true;
        worker.kill();
      } else worker.send({ type: 'ping' });
    }
  }

  /** Starts another worker if the workers are busy, attempts wait and this process is not the bottleneck. */
  #scale(load: number): void {
    const now = performance.now();
    if (now < this.#scaleAt) return;
    this.#scaleAt = now + SCALE_AFTER_MS;
    const utilization = performance.eventLoopUtilization();
    const own = performance.eventLoopUtilization(utilization, this.#own).utilization;
    this.#own = utilization;
    const limit = Math.min(this.#options.parallel, availableParallelism());
    const isQuick = this.#averageMs < WORTH_MS;
    if (isQuick || load < BUSY || own > BUSY || this.#shared.length >= limit) return;
    if (this.#shared.every((worker) => worker.held.size > 1)) this.#shared.push(this.#start());
  }

  /** A worker has ended. The attempt that was alone in it is to blame; the others run again. */
  #onExit(worker: PoolWorker, how: string): void {
    this.#shared = this.#shared.filter((other) => other !== worker);
    this.#solo = this.#solo.filter((other) => other !== worker);
    if (this.#closed || worker.held.size === 0) return;
    if (!worker.isReady) this.#failedStarts += 1;

    const { begun, waiting, last } = worker.unsettled();
    const solo = worker.concurrency === 1 ? last : begun.length === 1 ? begun[0] : undefined;
    // An earlier attempt may have caused the crash, so a second try in a clean worker decides. A hang is not tried twice: that costs
    // a whole timeout.
    const isSure = worker.isHung || worker.settledCount === 0 || solo?.restarted === true;
    const culprit = isSure ? solo : undefined;
    const batch: Settled[] = [];
    const returned: Item[] = [];
    for (const item of begun) {
      if (item === culprit) this.#end(item, crashOutcome(worker, item, how), batch, false);
      else if (worker.concurrency === 1 && item !== solo) returned.push(item);
      else this.#quarantine(item, how);
    }
    for (const item of waiting) {
      // No attempt had begun, so another try brings none of them closer to its end.
      if (begun.length === 0) item.returns += 1;
      if (item.returns > MAX_RETURNS) batch.push({ attempt: item.attempt, outcome: neverBegun(how) });
      else returned.push(item);
    }
    this.#requeue(returned);
    if (this.#failedStarts >= MAX_FAILED_STARTS) {
      const outcome = neverStarted(worker, how);
      batch.push(...this.#queue.splice(0).map(({ attempt }) => ({ attempt, outcome: { ...outcome } })));
    }
    this.#schedule();
    if (batch.length > 0) this.#options.settled(batch);
  }

  /** The attempt runs again alone, after its `after` hook has cleaned up the first try. */
  #quarantine(item: Item, how: string): void {
    const again = (): void => {
      if (this.#isDropped) this.#options.dropped(item.attempt);
      else this.#quarantined.push({ ...item, partial: undefined, restarted: true });
      this.#schedule();
    };
    if (item.attempt.case.after === undefined) again();
    else this.#finish(item, restartOutcome(how), again);
  }
}
