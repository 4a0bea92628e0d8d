// Notes in a file what an attempt waits for besides the agent: a judge, a hook, a script. The file outlives the worker, because a
// helper may block or kill the process at once.

import { fstatSync, readSync, writeSync } from 'node:fs';
import type { AttemptError } from '../../errors.ts';
import type { ErrorCode } from '../../model/outcome.ts';
import { parse, stringify } from './intrinsics.ts';

/** The helper that an attempt waits for; if the worker hangs, the helper is to blame, not the agent. */
export type Waiting = { seq: number; code: ErrorCode; message: string };

/** Behind the number of what has begun last. */
const START = 8;
/** One attempt has one place of this size, filled up with zeros. */
const PLACE = 1024;
const MAX_MESSAGE = 150;

/** Notes of each attempt what it waits for now. */
export class WaitingRecord {
  readonly #file: number;
  readonly #places = new Map<number, number>();
  readonly #free: number[] = [];

  constructor(file: number) {
    this.#file = file;
  }

  set(seq: number, reason: AttemptError | undefined): void {
    const known = this.#places.get(seq);
    if (known === undefined && reason === undefined) return;
    const place = known ?? this.#free.pop() ?? this.#places.size;
    if (reason === undefined) {
      this.#places.delete(seq);
      this.#free.push(place);
    } else this.#places.set(seq, place);
    const bytes = Buffer.alloc(PLACE);
    if (reason !== undefined) bytes.write(textOf(seq, reason));
    writeSync(this.#file, bytes, 0, PLACE, START + place * PLACE);
  }
}

/** Reads what the attempts of a worker wait for, or waited for when it ended. */
export function readWaiting(file: number): Waiting[] {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - START));
  readSync(file, bytes, 0, bytes.length, START);
  const waiting: Waiting[] = [];
  for (let at = 0; at < bytes.length; at += PLACE) {
    const text = bytes.toString('utf8', at, at + PLACE).replace(/\0+$/, '');
    // A cast, because this program has written it.
    if (text !== '') waiting.push(parse(text) as Waiting);
  }
  return waiting;
}

/** Short enough for its place, whatever the characters. */
function textOf(seq: number, { code, message }: AttemptError): string {
  return stringify({ seq, code, message: message.slice(0, MAX_MESSAGE) });
}
