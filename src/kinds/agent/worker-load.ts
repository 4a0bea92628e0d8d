// Decides how many attempts are sent ahead of their turn, and when another worker is worth its start.

import { availableParallelism } from 'node:os';
import type { PoolWorker } from '../../execute/process/worker-process.ts';

/** Above this load a second worker is started, if there is a core for it. */
const BUSY = 0.8;
const SCALE_AFTER_MS = 2000;
/** Below this duration the transfer of attempts is the bottleneck, and more workers do not help. */
const WORTH_MS = 2;
/** Attempts sent ahead keep a worker busy for about this long. */
const AHEAD_MS = 10;
const AHEAD_MAX = 256;

export class WorkerLoad {
  /** As many attempts as all workers together finish in AHEAD_MS. */
  ahead = 0;
  readonly #parallel: number;
  #averageMs = 0;
  #scaleAt = performance.now() + SCALE_AFTER_MS;
  #own = performance.eventLoopUtilization();

  constructor(parallel: number) {
    this.#parallel = parallel;
  }

  /** Takes the average duration of the last attempts. */
  adapt(averageMs: number): void {
    this.#averageMs = averageMs;
    const needed = (this.#parallel * AHEAD_MS) / Math.max(averageMs, 0.02);
    this.ahead = Math.min(AHEAD_MAX, Math.floor(needed));
  }

  /** True if the workers are busy, attempts wait and this process is not the bottleneck; asked with the load of a worker. */
  isWorthAnother(load: number, workers: readonly PoolWorker[]): boolean {
    const now = performance.now();
    if (now < this.#scaleAt) return false;
    this.#scaleAt = now + SCALE_AFTER_MS;
    const utilization = performance.eventLoopUtilization();
    const own = performance.eventLoopUtilization(utilization, this.#own).utilization;
    this.#own = utilization;
    const limit = Math.min(this.#parallel, availableParallelism());
    const isQuick = this.#averageMs < WORTH_MS;
    if (isQuick || load < BUSY || own > BUSY || workers.length >= limit) return false;
    return workers.every((worker) => worker.held.size > 1);
  }
}
