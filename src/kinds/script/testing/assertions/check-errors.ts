// Error, NoError, Panic and NoPanic.

import type { AssertionCheck, Failure } from './assertion.ts';
import { misuse } from './assertion.ts';
import { isStop, isThenable } from '../control.ts';
import { isError, readText, show } from './show.ts';

export const error: AssertionCheck = {
  parameters: ['error'],
  check(value) {
    if (isErrorLike(value)) return undefined;
    return { message: `expected an error, not ${show(value)}`, expected: 'an error', actual: value };
  },
};

export const noError: AssertionCheck = {
  parameters: ['error'],
  check(value) {
    if (value === null || value === undefined) return undefined;
    return { message: `expected no error, not ${show(value)}`, expected: null, actual: value };
  },
};

export const panic: AssertionCheck = {
  parameters: ['function'],
  check: (subject) =>
    call(subject, {
      returned: { message: 'expected the function to throw', expected: 'a panic', actual: 'no panic' },
      threw: () => undefined,
    }),
};

export const noPanic: AssertionCheck = {
  parameters: ['function'],
  check: (subject) =>
    call(subject, {
      returned: undefined,
      threw: (thrown) => ({
        message: `expected the function not to throw, it threw ${show(thrown)}`,
        expected: 'no panic',
        actual: thrown,
      }),
    }),
};

type Ways = { returned: Failure | undefined; threw(thrown: unknown): Failure | undefined };

/** Calls the function; a promise that it returns is followed to its end. */
function call(subject: unknown, ways: Ways): Failure | undefined | Promise<Failure | undefined> {
  if (typeof subject !== 'function') return misuse(`${show(subject)} is not a function`);
  try {
    const result: unknown = Reflect.apply(subject, undefined, []);
    return isThenable(result) ? follow(result, ways) : ways.returned;
  } catch (thrown) {
    return caught(thrown, ways);
  }
}

async function follow(result: PromiseLike<unknown>, ways: Ways): Promise<Failure | undefined> {
  try {
    await result;
    return ways.returned;
  } catch (thrown) {
    return caught(thrown, ways);
  }
}

/** `t.skip` and `t.fatal` inside of the function are meant for the test. */
function caught(thrown: unknown, { threw }: Ways): Failure | undefined {
  if (isStop(thrown)) throw thrown;
  return threw(thrown);
}

function isErrorLike(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  return isError(value) || readText(value, 'message') !== undefined;
}
