// How many calls a connector may have under way, as far as this process is concerned.

import { clearTimeout, setTimeout } from 'node:timers';
import { MAX_DURATION_MS } from '../text/duration.ts';

type Waiter = { begin(): void };

/** After a success, so many refusals are needed until the server counts as one that refuses everything. */
const DOUBTS = 6;

/** A place that a call holds; it must be left exactly once. */
export type Place = { readonly epoch: number };

/**
 * Lets calls in, at most `limit` at a time. A server that says "too many" halves what was under way and closes the
 * door for a while; successes open it again, one place at a time, up to the maximum.
 */
export class Limiter {
  readonly #maximum: number;
  #limit: number;
  #active = 0;
  #successes = 0;
  /** Counts the times the limit was lowered: calls that began before the last time say nothing new. */
  #epoch = 0;
  #severity = 0;
  #closedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Those who were let in before and sent away come first. */
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

  /** Waits for a place, in the order of arrival; an abort ends the waiting and takes no place. */
  enter(signal: AbortSignal, { isReturning = false } = {}): Place | Promise<Place> {
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
        this.#watchTheDoor();
        // The reason is thrown as it is, because its giver recognises it.
        reject(signal.reason as Error);
      };
      queue.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
      this.#watchTheDoor();
    });
  }

  /** Leaves without saying anything about the limit. */
  leave(): void {
    this.#active -= 1;
    this.#letIn();
  }

  /** Leaves after a success. */
  succeed(): void {
    this.#severity = -DOUBTS;
    this.#successes += 1;
    if (this.#limit < this.#maximum && this.#successes >= this.#limit) {
      this.#limit += 1;
      this.#successes = 0;
    }
    this.leave();
  }

  /**
   * How serious a refusal is: 0 and more if the server has refused everything for a while, so many times more since;
   * less if others were answered just now. A burst is one refusal.
   */
  severityOf(place: Place): number {
    return place.epoch === this.#epoch ? this.#severity : this.#severity - 1;
  }

  /** Leaves because the server had too many calls; nobody begins before the pause is over. */
  slowDown(place: Place, pauseMs: number): void {
    if (place.epoch === this.#epoch) {
      this.#epoch += 1;
      this.#severity += 1;
      this.#limit = Math.max(1, Math.floor(Math.min(this.#active, this.#limit) / 2));
      this.#successes = 0;
    }
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + pauseMs);
    this.leave();
  }

  #take(): Place {
    this.#active += 1;
    return { epoch: this.#epoch };
  }

  #isOpen(): boolean {
    return this.#active < this.#limit && performance.now() >= this.#closedUntil;
  }

  #letIn(): void {
    while (this.#isOpen()) {
      const [next] = this.#returning.size > 0 ? this.#returning : this.#waiting;
      if (next === undefined) break;
      next.begin();
    }
    this.#watchTheDoor();
  }

  /** Keeps a timer exactly while somebody waits for the end of a pause, also for one that has ended just now. */
  #watchTheDoor(): void {
    const pauseMs = Math.max(0, this.#closedUntil - performance.now());
    const isNeeded = this.#active < this.#limit && this.#returning.size + this.#waiting.size > 0;
    if (!isNeeded && this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!isNeeded) return;
    const onTime = (): void => {
      this.#timer = undefined;
      this.#letIn();
    };
    this.#timer = setTimeout(onTime, Math.min(MAX_DURATION_MS, Math.ceil(pauseMs)));
  }
}
