// Cases that run again after all others, to confirm what one run of them seems to show.

import type { Target } from '../model/attempt.ts';
import type { LoadedCase } from '../model/case.ts';

type Known = { loaded: LoadedCase; target: Target };

export class FreshRuns {
  /** Cases that may be asked for, by `caseKey`. */
  readonly #known = new Map<string, Known>();
  /** Runs to hand out; undefined until the first round is whole. */
  #queue: (Known & { run: number })[] | undefined;
  #at = 0;
  /** Keys of attempts that were handed out. */
  readonly #handedOut = new Set<string>();

  keep(caseKey: string, loaded: LoadedCase, target: Target): void {
    this.#known.set(caseKey, { loaded, target });
  }

  get isAsked(): boolean {
    return this.#queue !== undefined;
  }

  /** Takes how often each case runs again; run numbers go on after `runs`. */
  ask(wanted: ReadonlyMap<string, number>, runs: number): void {
    const queue: (Known & { run: number })[] = [];
    const most = Math.max(0, ...wanted.values());
    // Every case once before any case twice, as in all rounds.
    for (let more = 1; more <= most; more += 1)
      for (const [key, count] of wanted) {
        const known = this.#known.get(key);
        if (known !== undefined && more <= count) queue.push({ ...known, run: runs + more });
      }
    this.#queue = queue;
    this.#known.clear();
  }

  /** The next run; it stays the next until `begin`. */
  get first(): (Known & { run: number }) | undefined {
    return this.#queue?.[this.#at];
  }

  begin(attemptKey: string): void {
    this.#at += 1;
    this.#handedOut.add(attemptKey);
  }

  has(attemptKey: string): boolean {
    return this.#handedOut.has(attemptKey);
  }
}
