// In the coordinator: attempts in, outcomes out. Shares worker processes among attempts, ends workers that hang and retries
// attempts that could not be measured. Nothing an attempt does can stop the pool.

import { availableParallelism } from 'node:os';
import type { Attempt } from '../../model/attempt.ts';
import type { AgentSubject } from '../../model/subject.ts';
import {
  crashOutcome,
  restartOutcome,
  neverBegunOutcome,
  neverStarted,
} from '../../execute/lost-outcomes.ts';
import type { Answer, FromWorker } from '../../execute/process/protocol.ts';
import type { PoolOptions, Settled, TestPool, WorkerStarter } from '../../execute/pool-options.ts';
import type { Item, PoolWorker, WorkerEvents } from '../../execute/process/worker-process.ts';
import { HEAVY_BYTES, isHeavy, sizeOf } from '../../execute/weight.ts';
import { WorkerProcess } from '../../execute/process/worker-process.ts';
import { isThenable } from '../../platform/thenable.ts';
import { isConversation } from '../../model/case.ts';
import type { Assessed } from './assess/assess.ts';
import { Assessor } from './assess/assess.ts';
import { checkAnswer } from './assess/check-answer.ts';
import { converse } from './converse.ts';
import { isMessage } from './check-message.ts';
import { FinishingAttempts, fromStart, restarted } from './finish-attempts.ts';
import { sortLost } from './lost-attempts.ts';
import { inTime, isHung, markStarted, measure, restartClocks } from './measure.ts';
import { WorkerLoad } from './worker-load.ts';

/** How often workers are checked. */
const TICK_MS = 100;
/** Attempts given to one worker before the next one is considered. */
const SHARE = 32;
/** Cap on workers blocked on synchronous I/O. */
const MAX_BLOCKED = 16;
const MAX_FAILED_STARTS = 3;
/** Cap on secrets that workers may report in a run. */
const MAX_SECRETS = 2000;

/** Owns the worker processes of a run. */
export class AgentPool implements TestPool<AgentSubject> {
  #options: PoolOptions;
  #shared: PoolWorker[] = [];
  #solo: PoolWorker[] = [];
  #queue: Item[] = [];
  #quarantined: Item[] = [];
  /** Attempts are not sent ahead: one would begin before the `after` hook of another has ended. */
  #isExact: boolean;
  #first: WorkerStarter | undefined;
  #timer: NodeJS.Timeout;
  #scheduled = false;
  #closed = false;
  #isDropped = false;
  #failedStarts = 0;
  #secrets = 0;
  /** Attempts that have their answer and wait for a judge. */
  #judging = 0;
  #load: WorkerLoad;
  #finishing: FinishingAttempts;
  #assessor: Assessor;
  /** The agents that have answered. */
  #answering = new Set<string>();
  /** Workers that were asked to give back what has not begun. */
  #dropping = new WeakSet<PoolWorker>();
  #events: WorkerEvents = {
    message: (worker, message) => this.#receive(worker, message),
    exit: (worker, how) => this.#onExit(worker, how),
  };

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#isExact = options.exact;
    this.#load = new WorkerLoad(options.parallel);
    const { tapes: runTapes } = options;
    this.#assessor = new Assessor({ ...options, tapes: runTapes?.settings, runTapes });
    this.#finishing = new FinishingAttempts({
      ...options,
      assessor: this.#assessor,
      retry: (item) => this.#requeue([item]),
      freed: () => this.#schedule(),
    });
    this.#first = options.first?.role === 'agents' ? options.first : undefined;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Attempts submitted and not settled. */
  get size(): number {
    const held = [...this.#shared, ...this.#solo].reduce((sum, worker) => sum + worker.held.size, 0);
    return held + this.#queue.length + this.#quarantined.length + this.#finishing.size + this.#judging;
  }

  /** How many more attempts the pool can use now. */
  get room(): number {
    return this.#options.parallel + this.#aheadNow() - this.size;
  }

  submit(attempt: Attempt<AgentSubject>): void {
    if (this.#options.tapes !== undefined) attempt.tape = this.#options.tapes.tapePath(attempt);
    // An attempt must not begin while the `after` hook or the judge of another has its place.
    const isJudgedHere = this.#assessor.prepare(attempt);
    if (!isJudgedHere || attempt.case.after !== undefined) this.#isExact = true;
    this.#queue.push(
      fromStart({ attempt, isJudgedHere, restarts: 0, retries: 0, returns: 0, bytes: sizeOf(attempt) }),
    );
    this.#schedule();
  }

  /** Returns every attempt that has not begun; running attempts go on. */
  drop(): void {
    this.#isDropped = true;
    const waiting = [...this.#queue.splice(0), ...this.#quarantined.splice(0)];
    for (const { attempt } of waiting) this.#options.dropped(attempt);
    this.#finishing.drop();
    for (const worker of this.#shared) this.#dropWaiting(worker);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#finishing.close();
    for (const worker of [...this.#shared, ...this.#solo]) worker.kill();
    this.#first?.attach({ message: () => undefined, exit: () => undefined }).kill();
    this.#assessor.close();
  }

  /** Heavy attempts are not sent ahead, however quick they are. */
  #aheadNow(): number {
    const isHeavy = [...this.#shared, ...this.#solo].some((worker) => worker.heldBytes > HEAVY_BYTES);
    return isHeavy || this.#isExact || this.#options.isolate === true ? 0 : this.#load.ahead;
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
    for (let [item] = this.#quarantined; item !== undefined; [item] = this.#quarantined) {
      const worker = this.#soloWorker();
      if (worker === undefined) break;
      this.#quarantined.shift();
      worker.add(item);
      worker.flush();
      markStarted(worker, performance.now());
    }
    // 2. all others, to the worker with the most room
    while (this.#queue.length > 0) {
      const { worker, room } = this.#roomiest();
      if (worker === undefined) break;
      for (const item of this.#queue.splice(0, Math.min(room, isHeavy(this.#queue[0], SHARE) ? 1 : SHARE)))
        worker.add(item);
    }
    for (const worker of this.#shared) {
      worker.flush();
      markStarted(worker, performance.now());
    }
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
    const { parallel, isolate = false } = this.#options;
    const isBlocking = this.#options.isBlocking || isolate;
    const busy = this.#solo.filter((worker) => worker.held.size > 0).length;
    const later = this.#finishing.finishing + this.#judging;
    const slots = parallel - busy - later;
    if (slots <= 0 && later > 0) return { worker: undefined, room: 0 };
    const usable = this.#shared.filter((worker) => !worker.isRetiring);
    const isShort = isBlocking && usable.length < Math.min(slots, isolate ? parallel : MAX_BLOCKED);
    if (usable.length === 0 || (isShort && usable.every((worker) => worker.held.size > 0))) {
      const worker = this.#start();
      this.#shared.push(worker);
      usable.push(worker);
    }
    let best: PoolWorker | undefined;
    let bestRoom = 0;
    for (const worker of usable) {
      worker.concurrency = isBlocking ? 1 : Math.max(1, Math.ceil(slots / usable.length));
      const ahead =
        isBlocking || worker.heldBytes > HEAVY_BYTES ? 0 : Math.ceil(this.#aheadNow() / usable.length);
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
    if (!isMessage(message)) return worker.distrust();
    switch (message.type) {
      case 'ready':
        if (worker.isReady) return;
        worker.isReady = true;
        this.#failedStarts = 0;
        restartClocks(worker, performance.now());
        return;
      case 'answered':
        if (message.stuck > 0) this.#retire(worker);
        this.#takeAnswers(worker, message.answers);
        return;
      case 'prepared':
        this.#prepared(worker, message.seq);
        return;
      case 'ended':
        worker.held.get(message.seq)?.ended?.(message);
        return;
      case 'dropped':
        if (!this.#dropping.delete(worker)) return;
        this.#requeue(message.seqs.map((seq) => worker.release(seq)).filter((item) => item !== undefined));
        killIfIdle(worker);
        return;
      case 'pong':
        if (this.#load.isWorthAnother(message.load, this.#shared)) this.#shared.push(this.#start());
        return;
      case 'before':
        Object.assign(worker.held.get(message.seq) ?? {}, { before: message.data });
        return;
      case 'secrets':
        if ((this.#secrets += message.secrets.length) > MAX_SECRETS) return worker.distrust();
        this.#options.learn(message.secrets);
        return;
      case 'late':
        this.#options.tapes?.late(message.name);
        return;
      // Answers to questions that this pool does not ask.
      case 'closed':
      case 'done':
      case 'evaluated':
      case 'more':
      case 'progress':
      case 'settled':
      case 'taped':
        return;
    }
  }

  /** Everything before the input is done: the agent gets it now, and its time begins. */
  #prepared(worker: PoolWorker, seq: number): void {
    const item = worker.held.get(seq);
    const { case: testCase } = item?.attempt ?? {};
    // Once for an attempt that waits for its input.
    if (item?.isDeferred !== true || testCase === undefined) return worker.distrust();
    item.isDeferred = false;
    item.askedAt = performance.now();
    if (!isConversation(testCase)) return worker.send({ type: 'go', seq, input: testCase.input });
    void converse(this.#assessor, worker, seq, item).then((assessed) => {
      // Its worker may have ended in the meantime.
      if (this.#closed || assessed === undefined || worker.release(seq) !== item) return;
      this.#settled(worker, [{ item, ...assessed }]);
    });
  }

  #takeAnswers(worker: PoolWorker, answers: readonly Answer[]): void {
    const time = performance.now();
    const settled: (Assessed & { item: Item })[] = [];
    let spent = 0;
    for (const answer of answers) {
      const item = worker.held.get(answer.seq);
      if (item?.askedAt !== undefined && isConversation(item.attempt.case)) {
        item.answered?.(answer);
        continue;
      }
      const checked = checkAnswer(answer);
      const isAnswer = !('failure' in checked);
      // A worker answers once, and only what it was asked.
      if (item === undefined || (isAnswer && item.isDeferred === true)) {
        worker.distrust();
        break;
      }
      if (isAnswer) {
        this.#answering.add(item.attempt.subject.id);
        worker.loaded.add(item.attempt.subject.id);
        // A failure may cost the agent its process, which the next attempt then loads again.
      } else worker.loaded.delete(item.attempt.subject.id);
      worker.release(answer.seq);
      const measured = measure(item, time, checked);
      spent += Math.min(measured.answerMs, measured.attemptMs);
      item.tape = checked.tape;
      const assessed = this.#assessor.assess(item, inTime(item, checked, measured.attemptMs), measured);
      if (isThenable(assessed)) this.#judge(worker, item, assessed);
      else settled.push({ item, ...assessed });
    }
    if (answers.length > 0) this.#load.adapt(spent / answers.length);
    this.#settled(worker, settled);
  }

  /** Waits for the judges of an attempt, which keeps its place. */
  #judge(worker: PoolWorker, item: Item, work: Promise<Assessed>): void {
    this.#judging += 1;
    void work.then((assessed) => {
      this.#judging -= 1;
      if (!this.#closed) this.#settled(worker, [{ item, ...assessed }]);
    });
  }

  #settled(worker: PoolWorker, settled: readonly (Assessed & { item: Item })[]): void {
    const batch: Settled[] = [];
    worker.settledCount += settled.length;
    for (const { item, outcome, failure } of settled) {
      // An agent that has answered before is not set up wrongly.
      const { problem } = failure ?? {};
      if (problem !== undefined && !this.#answering.has(item.attempt.subject.id)) item.problem = problem;
      this.#finishing.end(item, outcome, batch, failure?.is_final !== true, failure);
    }
    if (this.#options.isolate === true) this.#retire(worker);
    killIfIdle(worker);
    markStarted(worker, performance.now());
    this.#schedule();
    if (batch.length > 0) this.#options.settled(batch);
  }

  #retire(worker: PoolWorker): void {
    if (worker.isRetiring) return;
    worker.isRetiring = true;
    this.#dropWaiting(worker);
    killIfIdle(worker);
  }

  #dropWaiting(worker: PoolWorker): void {
    this.#dropping.add(worker);
    worker.send({ type: 'drop' });
  }

  /** Attempts that had not begun return to the front of the queue, in order. */
  #requeue(items: Item[]): void {
    if (!this.#isDropped) this.#queue.unshift(...items);
    else for (const item of items) this.#options.dropped(item.attempt);
    this.#schedule();
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

  /** A worker has ended. The attempt that was alone in it is to blame; the others run again. */
  #onExit(worker: PoolWorker, how: string): void {
    this.#shared = this.#shared.filter((other) => other !== worker);
    this.#solo = this.#solo.filter((other) => other !== worker);
    if (this.#closed || worker.held.size === 0) return;
    if (!worker.isReady) this.#failedStarts += 1;

    const { culprit, suspects, returned, neverBegun } = sortLost(worker);
    const batch: Settled[] = neverBegun.map(({ attempt }) => ({ attempt, outcome: neverBegunOutcome(how) }));
    if (culprit !== undefined) this.#finishing.end(culprit, crashOutcome(worker, culprit, how), batch, false);
    for (const item of suspects) this.#quarantine(item, how);
    this.#requeue(returned);
    if (this.#failedStarts >= MAX_FAILED_STARTS)
      batch.push(
        ...this.#queue.splice(0).map(({ attempt }) => ({ attempt, outcome: neverStarted(worker, how) })),
      );
    this.#schedule();
    if (batch.length > 0) this.#options.settled(batch);
  }

  /** The attempt runs again alone, after its `after` hook has cleaned up the first try. */
  #quarantine(item: Item, how: string): void {
    const again = (): void => {
      if (this.#isDropped) this.#options.dropped(item.attempt);
      else this.#quarantined.push(restarted(item));
      this.#schedule();
    };
    if (item.attempt.case.after === undefined) again();
    else this.#finishing.runHook(item, restartOutcome(how), again);
  }
}

function killIfIdle(worker: PoolWorker): void {
  if (worker.isRetiring && worker.held.size === 0) worker.kill();
}
