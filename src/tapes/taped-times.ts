// The measurements of one attempt: recorded as they are, or replayed as they were.

/** Measurements by name, each a list in the order in which they began. */
export type Times = Record<string, number[]>;

export class TapedTimes {
  readonly #recorded: Times | undefined;
  readonly #times: Times = {};
  readonly #counts = new Map<string, number>();

  /** `recorded`: what to replay; a name that is missing there is measured. */
  constructor(recorded: Times | undefined) {
    this.#recorded = recorded;
  }

  /** The time to report for a measured one. */
  time(name: string, ms: number): number {
    return this.#keep(name, this.#count(name), ms);
  }

  /** A stopwatch over `elapsed`, for several readings: the first has the name, the others are "later". */
  stopwatch(name: string, elapsed: () => number): () => number {
    const count = this.#count(name);
    let isRead = false;
    return () => {
      if (isRead) return this.time(`${name} (later)`, elapsed());
      isRead = true;
      return this.#keep(name, count, elapsed());
    };
  }

  /** Without the holes of stopwatches that were never read. */
  all(): Times {
    return Object.fromEntries(
      Object.entries(this.#times).map(([name, values]) => [name, Array.from(values, (value) => value ?? 0)]),
    );
  }

  /** How often this name was measured before. */
  #count(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }

  #keep(name: string, count: number, measured: number): number {
    const ms = this.#recorded?.[name]?.[count] ?? Math.round(measured * 10) / 10;
    (this.#times[name] ??= [])[count] = ms;
    return ms;
  }
}
