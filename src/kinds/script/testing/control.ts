// Leaving a test function early, and running its steps: synchronously unless one of them has to wait.

import { types } from 'node:util';

/** Thrown by `t.skip` and `t.fatal` to leave the function. The scope notes the skip or failure first, in case user code catches this. */
export class Stop extends Error {
  override readonly name = 'Stop';
  /** The test or subtest to leave. */
  readonly scope: object;

  constructor(scope: object, caller: string) {
    super(`the test was stopped by ${caller}`);
    this.scope = scope;
  }
}

/** A generator that yields the promises it has to wait for. */
export type Steps<T> = Generator<PromiseLike<unknown>, T, unknown>;

/** Runs the steps; the result is a promise only if one of them had to wait. */
export function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  const first = steps.next();
  return first.done === true ? first.value : resume(steps, first.value);
}

async function resume<T>(steps: Steps<T>, awaited: PromiseLike<unknown>): Promise<T> {
  let work = awaited;
  for (;;) {
    const next = await settle(steps, work);
    if (next.done === true) return next.value;
    work = next.value;
  }
}

async function settle<T>(
  steps: Steps<T>,
  work: PromiseLike<unknown>,
): Promise<IteratorResult<PromiseLike<unknown>, T>> {
  let value: unknown;
  try {
    value = await work;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}

/** Ends waiting from outside: at a deadline, or after an uncaught exception. */
export class Limit {
  isReached = false;
  #waiting: Set<() => void> | undefined;

  /** The result of the work, or undefined as soon as the limit is reached; a later result is ignored. */
  wait(work: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const release = (): void => resolve(undefined);
      this.#waiting ??= new Set();
      this.#waiting.add(release);
      const forget = (): boolean | undefined => this.#waiting?.delete(release);
      const settled = (value: unknown): void => {
        forget();
        resolve(value);
      };
      const failed = (error: unknown): void => {
        forget();
        reject(error);
      };
      void adopt(work).then(settled, failed);
      if (this.isReached) release();
    });
  }

  reach(): void {
    this.isReached = true;
    for (const release of this.#waiting ?? []) release();
  }
}

const { then } = Promise.prototype;

/** A promise of what user code returned: calls its `then`, or that of the language if it has no other, because tests may patch it. */
export function adopt(work: PromiseLike<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (isOrdinaryPromise(work)) void Reflect.apply(then, work, [resolve, reject]);
    else work.then(resolve, reject);
  });
}

/** True for a promise of any realm without a class of its own. */
function isOrdinaryPromise(work: PromiseLike<unknown>): work is Promise<unknown> {
  if (!types.isPromise(work) || Object.hasOwn(work, 'then')) return false;
  // The prototype of Promise inherits from that of Object, those of its subclasses from that of Promise.
  const grandparent: unknown = Object.getPrototypeOf(Object.getPrototypeOf(work));
  return (
    typeof grandparent === 'object' && grandparent !== null && Object.getPrototypeOf(grandparent) === null
  );
}

/** True for a promise of any realm, and for any other thenable. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof Reflect.get(value, 'then') === 'function';
}

/** True if `t.skip` or `t.fatal` threw it. User code may throw anything, even a proxy that breaks `instanceof`. */
export function isStop(thrown: unknown): thrown is Stop {
  try {
    return thrown instanceof Stop;
  } catch {
    return false;
  }
}
