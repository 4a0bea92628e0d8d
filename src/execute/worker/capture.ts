// In a worker: whatever user code prints belongs to the attempt that printed it, and is bounded.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Writable } from 'node:stream';
import { format } from 'node:util';
import { groupDigits } from '../../text/group-digits.ts';

const LIMIT = 10 * 1024 * 1024;

/** The attempt that the running code belongs to. */
type AttemptScope = {
  seq: number;
  logs: LogBuffer;
  /** How many timers it has set that are still to come, where they are counted. */
  timers?: number;
};

/** Keeps the first and the last half of the limit; what is between is only counted. */
export class LogBuffer {
  /** Made with the first line: most attempts print nothing. */
  #head: string[] | undefined;
  #tail: string[] | undefined;
  #headLength = 0;
  #tailLength = 0;
  #left = 0;

  add(text: string): void {
    const line = text.endsWith('\n') ? text.slice(0, -1) : text;
    this.#head ??= [];
    if (this.#tail === undefined && this.#headLength + line.length <= LIMIT / 2) {
      this.#head.push(line);
      this.#headLength += line.length + 1;
      return;
    }
    const kept = line.length > LIMIT / 4 ? line.slice(-LIMIT / 4) : line;
    this.#left += line.length - kept.length;
    this.#tail ??= [];
    this.#tail.push(kept);
    this.#tailLength += kept.length + 1;
    if (this.#tailLength > LIMIT / 2) this.#dropOldest(this.#tail);
  }

  lines(): string[] | undefined {
    if (this.#head === undefined) return undefined;
    const tail = this.#tail ?? [];
    if (this.#left === 0) return [...this.#head, ...tail];
    return [...this.#head, `… ${groupDigits(this.#left)} characters left out …`, ...tail];
  }

  /** Drops half of the tail at once, so that endless printing costs constant time a line. */
  #dropOldest(tail: string[]): void {
    for (const line of tail.splice(0, Math.max(tail.length >> 1, 1))) {
      this.#left += line.length + 1;
      this.#tailLength -= line.length + 1;
    }
  }
}

/** Knows which attempt the running code belongs to. */
export const attemptScope = new AsyncLocalStorage<AttemptScope>();

/** From now on, console and stdout/stderr writes go to the attempt's log; outside of any attempt they are dropped. */
export function captureOutput(): void {
  const print = (...values: unknown[]): void => attemptScope.getStore()?.logs.add(format(...values));
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = print;
  // The real streams are never opened: that would make the descriptors non-blocking for code that writes to them directly.
  for (const name of ['stdout', 'stderr'] as const) {
    Object.defineProperty(process, name, { value: captureStream(), configurable: true, enumerable: true });
  }
}

function captureStream(): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      attemptScope
        .getStore()
        ?.logs.add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      done();
    },
  });
}
