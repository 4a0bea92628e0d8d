// Judges one call of an assertion, and notes its failure.

import type { AssertionCheck, Failure } from './assertion.ts';
import { authorMessage, misuse, tooFewArguments } from './assertion.ts';
import { isStop, isThenable } from '../control.ts';
import { captureStack } from '../capture-stack.ts';
import type { Scope } from '../scope.ts';
import { show } from './show.ts';

/** True if the assertion holds. Returns a promise only if it waits for an asynchronous function; the test then waits as well. */
export function judgeAssertion(
  scope: Scope,
  name: string,
  { parameters, check }: AssertionCheck,
  args: unknown[],
): boolean | Promise<boolean> {
  countAssertion(scope, name);
  const result =
    args.length < parameters.length
      ? tooFewArguments(name, parameters, args.length)
      : findFailure(check, args);
  if (result === undefined) return true;
  const words = args.slice(parameters.length);
  if (!isThenable(result)) return settle(scope, name, result, words);
  const stack = captureStack();
  return scope.defer(Promise.resolve(result).then((failure) => settle(scope, name, failure, words, stack)));
}

/** Getters and proxies of user code may throw during the check. */
function findFailure(check: AssertionCheck['check'], args: unknown[]): ReturnType<AssertionCheck['check']> {
  try {
    return check(...args);
  } catch (thrown) {
    if (isStop(thrown)) throw thrown;
    return misuse(`the values cannot be judged: ${show(thrown)}`);
  }
}

/** Notes a failure with the author's message; returns true without a failure. */
export function settle(
  scope: Scope,
  name: string,
  failure: Failure | undefined,
  words: unknown[],
  stack?: string,
): boolean {
  if (failure === undefined) return true;
  scope.addFailure(name, failure, { author: authorMessage(words), stack });
  return false;
}

/** Counts a call. Throws if the test is over, because the result would be lost; code of an interrupted test may go on. */
export function countAssertion(scope: Scope, name: string): void {
  const { shared } = scope;
  if (shared.isOver && !shared.isInterrupted) scope.requireOpen(`t.assert.${name}`);
  shared.assertions++;
}
