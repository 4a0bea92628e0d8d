// Error, NoError, Panic and NoPanic.

import type { AssertionCheck, Failure } from './assertion.ts';
import { misuse } from './assertion.ts';
import { adopt, isStop, isThenable } from '../control.ts';
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

type PanicRule = { returned: Failure | undefined; threw(thrown: unknown): Failure | undefined };

/** Calls the function, and awaits its promise if it returns one. */
function call(subject: unknown, rule: PanicRule): Failure | undefined | Promise<Failure | undefined> {
  if (typeof subject !== 'function') return misuse(`${show(subject)} is not a function`);
  try {
    const result: unknown = Reflect.apply(subject, undefined, []);
    return isThenable(result) ? awaitResult(result, rule) : rule.returned;
  } catch (thrown) {
    return caught(thrown, rule);
  }
}

async function awaitResult(result: PromiseLike<unknown>, rule: PanicRule): Promise<Failure | undefined> {
  try {
    await adopt(result);
    return rule.returned;
  } catch (thrown) {
    return caught(thrown, rule);
  }
}

/** Lets `t.skip` and `t.fatal` inside the function leave the test. */
function caught(thrown: unknown, { threw }: PanicRule): Failure | undefined {
  if (isStop(thrown)) throw thrown;
  return threw(thrown);
}

function isErrorLike(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  return isError(value) || readText(value, 'message') !== undefined;
}
