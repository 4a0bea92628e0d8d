// Limits how many calls of a connector this process has under way.

import { clearTimeout, setTimeout } from 'node:timers';
import { MAX_DURATION_MS } from '../text/duration.ts';

type Waiter = { begin(): void };

/** Refusals after a success until the server counts as one that refuses everything. */
const REFUSALS_TO_CLOSE = 6;

/** A slot that a call holds; each must be given back exactly once. */
export type Slot = { readonly epoch: number };

/**
 * Admits at most `limit` calls at a time. When the server says "too many", the limit becomes half of the calls under way
 * and no call starts during a pause; then successes raise the limit again, one by one, up to the maximum.
 */
export class Limiter {
  readonly #maximum: number;
  #limit: number;
  #active = 0;
  #successes = 0;
  /** How often the limit was lowered. A refusal of a call from before the last time changes nothing. */
  #epoch = 0;
  #severity = 0;
  #closedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Calls that were refused and try again; they go first. */
  readonly #returning = new Set<Waiter>();
  readonly #waiting = new Set<Waiter>();

  constructor(maximum: number = Number.POSITIVE_INFINITY) {
    this.#maximum = maximum;
    this.#limit = maximum;
  }

  /** For messages and tests. */
  get state(): { limit: number; active: number; waiting: number } {
    const waiting = this.#returning.size + this.#waiting.size;
    return { limit: this.#limit, active: this.#active, waiting };
  }

  /** Waits for a slot in the order of arrival; an abort ends the wait. */
  enter(signal: AbortSignal, { isReturning = false } = {}): Slot | Promise<Slot> {
    signal.throwIfAborted();
    if (this.#isOpen() && this.#returning.size + this.#waiting.size === 0) return this.#take();
    const queue = isReturning ? this.#returning : this.#waiting;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        begin: () => {
          queue.delete(waiter);
          signal.removeEventListener('abort', leave);
          resolve(this.#take());
        },
      };
      const leave = (): void => {
        queue.delete(waiter);
        this.#scheduleWakeUp();
        // Callers compare the reason by identity, so it is not wrapped.
        reject(signal.reason as Error);
      };
      queue.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
      this.#scheduleWakeUp();
    });
  }

  /** Gives the slot back and leaves the limit as it is. */
  leave(): void {
    this.#active -= 1;
    this.#admit();
  }

  /** Gives the slot back after a success. */
  succeed(): void {
    this.#severity = -REFUSALS_TO_CLOSE;
    this.#successes += 1;
    if (this.#limit < this.#maximum && this.#successes >= this.#limit) {
      this.#limit += 1;
      this.#successes = 0;
    }
    this.leave();
  }

  /**
   * How serious a refusal is: negative if other calls were answered recently; from 0 the server refuses everything, and the
   * number counts the refusals since. A burst of refusals counts once.
   */
  severity(slot: Slot): number {
    return slot.epoch === this.#epoch ? this.#severity : this.#severity - 1;
  }

  /** Gives the slot back after a refusal; no call starts before the pause is over. */
  slowDown(slot: Slot, pauseMs: number): void {
    if (slot.epoch === this.#epoch) {
      this.#epoch += 1;
      this.#severity += 1;
      this.#limit = Math.max(1, Math.floor(Math.min(this.#active, this.#limit) / 2));
      this.#successes = 0;
    }
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + pauseMs);
    this.leave();
  }

  #take(): Slot {
    this.#active += 1;
    return { epoch: this.#epoch };
  }

  #isOpen(): boolean {
    return this.#active < this.#limit && performance.now() >= this.#closedUntil;
  }

  #admit(): void {
    while (this.#isOpen()) {
      const [next] = this.#returning.size > 0 ? this.#returning : this.#waiting;
      if (next === undefined) break;
      next.begin();
    }
    this.#scheduleWakeUp();
  }

  /** Keeps a timer exactly while a call waits for the end of a pause, even if that has just ended. */
  #scheduleWakeUp(): void {
    const pauseMs = Math.max(0, this.#closedUntil - performance.now());
    const isNeeded = this.#active < this.#limit && this.#returning.size + this.#waiting.size > 0;
    if (!isNeeded && this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!isNeeded) return;
    const onTime = (): void => {
      this.#timer = undefined;
      this.#admit();
    };
    this.#timer = setTimeout(onTime, Math.min(MAX_DURATION_MS, Math.ceil(pauseMs)));
  }
}
