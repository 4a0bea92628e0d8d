// Knows which rounds are whole: all of their attempts were handed out and have ended.

export class Rounds {
  /** Attempts under way, by round. */
  readonly #open: number[] = [];
  /** Rounds up to this one are handed out completely. */
  #handedOut = 0;
  #whole = 0;

  begun(round: number): void {
    this.#open[round] = (this.#open[round] ?? 0) + 1;
  }

  ended(round: number): void {
    this.#open[round] = (this.#open[round] ?? 0) - 1;
  }

  /** True if nothing is under way. */
  get isIdle(): boolean {
    return this.#open.every((count) => count <= 0);
  }

  /** Nothing more of this round will begin. */
  handedOut(round: number): void {
    this.#handedOut = Math.max(this.#handedOut, round);
  }

  /** The next round that has become whole, in order; undefined if there is none. */
  nextWhole(): number | undefined {
    const next = this.#whole + 1;
    if (next > this.#handedOut || (this.#open[next] ?? 0) > 0) return undefined;
    this.#whole = next;
    return next;
  }
}
