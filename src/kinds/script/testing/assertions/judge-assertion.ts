// One call of an assertion: judged, and noted if it failed.

import type { AssertionCheck, Failure } from './assertion.ts';
import { authorMessage, misuse, tooFewArguments } from './assertion.ts';
import { isStop, isThenable } from '../control.ts';
import { captureStack } from '../capture-stack.ts';
import type { Scope } from '../scope.ts';
import { show } from './show.ts';

/** True if the assertion holds. A promise only if it has to wait for a function; the test waits for that in any case. */
export function judgeAssertion(
  scope: Scope,
  name: string,
  { parameters, check }: AssertionCheck,
  args: unknown[],
): boolean | Promise<boolean> {
  countAssertion(scope, name);
  const found =
    args.length < parameters.length
      ? tooFewArguments(name, parameters, args.length)
      : findFailure(check, args);
  if (found === undefined) return true;
  const words = args.slice(parameters.length);
  if (!isThenable(found)) return settle(scope, name, found, words);
  const stack = captureStack();
  return scope.defer(Promise.resolve(found).then((failure) => settle(scope, name, failure, words, stack)));
}

/** A getter or a proxy of user code may throw while it is looked at. */
function findFailure(check: AssertionCheck['check'], args: unknown[]): ReturnType<AssertionCheck['check']> {
  try {
    return check(...args);
  } catch (thrown) {
    if (isStop(thrown)) throw thrown;
    return misuse(`the values cannot be judged: ${show(thrown)}`);
  }
}

/** Notes a failure with its author's words; true if there is none. */
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

/** What an assertion finds after the end of its test would be lost; a test that was interrupted is told nothing. */
export function countAssertion(scope: Scope, name: string): void {
  const { record } = scope;
  if (record.isOver && !record.isInterrupted) scope.requireOpen(`t.assert.${name}`);
  record.assertions++;
}
