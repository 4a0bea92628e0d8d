// One worker process that runs side calls, and what becomes of them when it hangs or dies.

import { formatGoDuration } from '../text/duration.ts';
import type { SideCall, SideCallDone, FromWorker } from './process/protocol.ts';
import { WorkerProcess } from './process/worker-process.ts';

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
  /** Told what must never be shown, before anything that may hold it. */
  learn(secrets: readonly string[]): void;
};

/** `lost`: the process hung or died; `wasAlone` if no other side call can have caused it. */
export type SideCallEnd =
  { type: 'done'; done: SideCallDone } | { type: 'lost'; why: string; wasAlone: boolean };

type Pending = { call: SideCall; timer: NodeJS.Timeout; settle(end: SideCallEnd): void };

/** Owns a worker process. */
export class SideCallProcess {
  isOver = false;
  #worker: WorkerProcess;
  #pending = new Map<number, Pending>();
  #count = 0;
  #isHung = false;
  #setting: SideCallSetting;

  constructor(setting: SideCallSetting) {
    this.#setting = setting;
    this.#worker = new WorkerProcess({
      message: (_worker, message) => this.#receive(message),
      exit: (_worker, how) => this.#lose(how),
    });
    const { cwd, env, retries } = setting;
    this.#worker.send({ type: 'enter', cwd, env, retries });
  }

  /** Never rejects, and ends a little after the time limit at the latest. */
  run(call: SideCall): Promise<SideCallEnd> {
    const id = (this.#count += 1);
    return new Promise((settle) => {
      const timer = setTimeout(() => this.#lookAfter(id), call.timeout_ms);
      this.#pending.set(id, { call, timer, settle });
      this.#worker.send({ type: 'side-call', id, call });
    });
  }

  /** Ends it and everything it started, now. */
  kill(): void {
    this.isOver = true;
    this.#worker.kill();
  }

  #receive(message: FromWorker): void {
    if (message.type === 'ready') this.#worker.isReady = true;
    if (message.type === 'secrets') this.#setting.learn(message.secrets);
    if (message.type !== 'done') return;
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    this.#pending.delete(message.id);
    pending.settle({ type: 'done', done: message });
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
    const words = this.#isHung ? '' : this.#worker.stderrTail();
    for (const { call, timer, settle } of lost) {
      clearTimeout(timer);
      const why = this.#isHung
        ? `timed out after ${formatGoDuration(call.timeout_ms)}`
        : `its process ${how}${words === '' ? '' : `: ${words}`}`;
      settle({ type: 'lost', why, wasAlone: lost.length === 1 });
    }
  }
}
