// Credentials in the traffic of one attempt: its tape is masked with them, and the log if the attempt shows them.

import { createRedactor } from '../secrets/redact.ts';
import { maskExchange } from './secrets.ts';
import type { Exchange } from './tape-file.ts';

/** More values in one attempt are data; the fields that hold them are masked by their names all the same. */
const MAX_OWN = 200;
/** A worker keeps this many of earlier attempts, because attempts may share a session. */
const MAX_SHARED = 500;

/** What a worker has seen of credentials in the traffic of its attempts. */
export class TrafficSecrets {
  #redactor = createRedactor([]);
  #known = new Set<string>();

  /** Masks exchanges with the secrets of an attempt and of the ones before. */
  mask(exchanges: readonly Exchange[], own: ReadonlySet<string>): Exchange[] {
    if (this.#known.size > MAX_SHARED) {
      this.#redactor = createRedactor([]);
      this.#known = new Set();
    }
    const fresh = [...own].filter((secret) => !this.#known.has(secret));
    for (const secret of fresh) this.#known.add(secret);
    this.#redactor.learn(fresh);
    return exchanges.map((exchange) => maskExchange(exchange, this.#redactor));
  }
}

/** The credentials of one attempt. A new cookie in every answer must not fill the list of the run, so only shown ones get there. */
export class AttemptSecrets {
  readonly #own = new Set<string>();
  readonly #shared: TrafficSecrets;
  readonly #learn: (secrets: string[]) => void;

  constructor(shared: TrafficSecrets, learn: (secrets: string[]) => void) {
    this.#shared = shared;
    this.#learn = learn;
  }

  /** Adds values that requests and answers hold. */
  readonly add = (secrets: readonly string[]): void => {
    for (const secret of secrets) if (this.#own.size < MAX_OWN) this.#own.add(secret);
  };

  mask(exchanges: readonly Exchange[]): Exchange[] {
    return this.#shared.mask(exchanges, this.#own);
  }

  /** Registers the secrets that a value repeats; call it before the value is sent. */
  tell(value: unknown): void {
    const own = [...this.#own];
    if (own.length === 0 || !holds(value, own)) return;
    this.#learn(own.filter((secret) => holds(value, [secret])));
  }
}

function holds(value: unknown, secrets: readonly string[]): boolean {
  return createRedactor(secrets).data(value) !== value;
}
