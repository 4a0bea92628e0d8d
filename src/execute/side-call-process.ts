// One worker process that runs side calls, and what becomes of them when it hangs or dies.

import { formatGoDuration } from '../text/duration.ts';
import type { Status } from '../model/outcome.ts';
import type { TapeReport } from '../tapes/attempt-tape.ts';
import type { TapeSettings } from '../tapes/worker-tapes.ts';
import type { SideCall, SideCallDone, FromWorker } from './process/protocol.ts';
import { WorkerProcess } from './process/worker-process.ts';
import { isSideCallMessage } from './side-call-message.ts';

/** How often a process that should have answered is asked whether it is still there, and how long that may take. */
const GRACE_MS = 1000;
/** Maximum number of checks. Starting a process on a busy machine may take longer than ending a side call. */
const MAX_LOOKS = 5;
const MAX_LOOKS_AT_START = 60;

/** The options of side-call processes. */
export type SideCallSetting = {
  cwd: string;
  /** Environment besides this process's. */
  env: Record<string, string>;
  /** Further tries of a model call. */
  retries: number;
  /** The traffic of calls with a tape is recorded or replayed. */
  tapes?: TapeSettings | undefined;
  /** The hashes of compiled scripts, from before any user code. */
  bundles?: () => Record<string, string>;
  /** Told what must never be shown, before anything that may hold it. */
  learn(secrets: readonly string[]): void;
};

/** `lost`: the process hung or died; `wasAlone` if no other side call can have caused it. */
export type SideCallEnd =
  { type: 'done'; done: SideCallDone } | { type: 'lost'; why: string; isLate: boolean; wasAlone: boolean };

type Pending = { call: SideCall; timer: NodeJS.Timeout; settle(end: SideCallEnd): void };

/** Owns a worker process. */
export class SideCallProcess {
  isOver = false;
  #worker: WorkerProcess;
  #pending = new Map<number, Pending>();
  #tapes = new Map<number, (report: TapeReport) => void>();
  #isHung = false;
  #setting: SideCallSetting;

  constructor(setting: SideCallSetting) {
    this.#setting = setting;
    this.#worker = new WorkerProcess({
      message: (_worker, message) => this.#receive(message),
      exit: (_worker, how) => this.#lose(how),
    });
    const { cwd, env, retries, tapes } = setting;
    const bundles = setting.bundles?.() ?? {};
    this.#worker.send({ type: 'enter', cwd, env, retries, bundles, ...(tapes !== undefined && { tapes }) });
  }

  /** Never rejects, and ends a little after the time limit at the latest. */
  run(call: SideCall): Promise<SideCallEnd> {
    // User code in there can write messages, too: it does not know the number of another call.
    const id = Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER);
    return new Promise((settle) => {
      const timer = setTimeout(() => this.#lookAfter(id), call.timeout_ms);
      this.#pending.set(id, { call, timer, settle });
      this.#worker.send({ type: 'side-call', id, call });
    });
  }

  /** The report of a tape that side calls have used. */
  endTape(id: number, status: Status): Promise<TapeReport> {
    return new Promise((settle) => {
      const timer = setTimeout(() => end({}), GRACE_MS);
      const end = (report: TapeReport): void => {
        clearTimeout(timer);
        this.#tapes.delete(id);
        settle(report);
      };
      this.#tapes.set(id, end);
      this.#worker.send({ type: 'end-tape', id, status });
    });
  }

  /** Ends it and everything it started, now. */
  kill(): void {
    this.isOver = true;
    this.#worker.kill();
  }

  #receive(message: FromWorker): void {
    if (!isSideCallMessage(message)) return this.#worker.distrust();
    switch (message.type) {
      case 'ready':
        this.#worker.isReady = true;
        return;
      case 'late':
      case 'pong':
        return;
      case 'secrets':
        return this.#setting.learn(message.secrets);
      case 'taped':
        return this.#tapes.get(message.id)?.(message.report);
      case 'done': {
        const pending = this.#pending.get(message.id);
        if (pending === undefined) return this.#worker.distrust();
        clearTimeout(pending.timer);
        this.#pending.delete(message.id);
        pending.settle({ type: 'done', done: message });
      }
    }
  }

  /** The limit of a side call has passed. A process that still answers ends it by itself; one that does not is hung. */
  #lookAfter(id: number, looks = 1): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const askedAt = performance.now();
    this.#worker.send({ type: 'ping' });
    pending.timer = setTimeout(() => {
      const { isReady, lastHeardAt } = this.#worker;
      const isAlive = lastHeardAt >= askedAt || !isReady;
      // One that answers, but not with the end of the call, will never give it.
      if (isAlive && looks < (isReady ? MAX_LOOKS : MAX_LOOKS_AT_START))
        return this.#lookAfter(id, looks + 1);
      this.#isHung = true;
      this.kill();
    }, GRACE_MS);
  }

  #lose(how: string): void {
    this.isOver = true;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const end of this.#tapes.values()) end({});
    const words = this.#isHung ? '' : this.#worker.stderrTail();
    for (const { call, timer, settle } of lost) {
      clearTimeout(timer);
      const why = this.#isHung
        ? `timed out after ${formatGoDuration(call.timeout_ms)}`
        : `its process ${how}${words === '' ? '' : `: ${words}`}`;
      settle({ type: 'lost', why, isLate: this.#isHung, wasAlone: lost.length === 1 });
    }
  }
}
