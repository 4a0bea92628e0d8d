// A test from set-up to tear-down, in steps that wait only if user code is asynchronous.

import type { Limit, Steps } from './control.ts';
import { isThenable } from './control.ts';
import type { Scope } from './scope.ts';
import type { TestFunction, TestParts } from './test-run.ts';

/** Runs a test or subtest, and notes failures and exceptions in its scope. */
export function* lifecycle(
  scope: Scope,
  { beforeEach, test, afterEach }: Omit<TestParts, 'name'>,
  args: Parameters<TestFunction>,
): Steps<void> {
  const { body, shared } = scope;

  // 1. Set up and run.
  const isReady = beforeEach === undefined || (yield* call(scope, 'BeforeEach', beforeEach, args, body));
  if (isReady) yield* call(scope, '', test, args, body);
  yield* waitForPending(scope, body);

  // 2. Tear down, also after a failure.
  if (afterEach !== undefined) yield* call(scope, 'AfterEach', afterEach, args, shared.tearDown);
  for (let cleanup = scope.cleanups?.pop(); cleanup !== undefined; cleanup = scope.cleanups?.pop()) {
    yield* call(scope, 'cleanup', cleanup, args, shared.tearDown);
  }
  yield* waitForPending(scope, shared.tearDown);

  // 3. Undo mocks and remove temporary folders.
  scope.isEnded = true;
  for (let undo = scope.undos?.pop(); undo !== undefined; undo = scope.undos?.pop()) {
    try {
      undo();
    } catch (error) {
      scope.addThrown(error, 'cleanup');
    }
  }
}

/** Calls a function of the user; false if it threw or was interrupted. */
function* call(
  scope: Scope,
  label: string,
  subject: TestFunction,
  [t, ctx]: Parameters<TestFunction>,
  limit: Limit,
): Steps<boolean> {
  try {
    const result = subject(t, ctx);
    if (!isThenable(result)) return true;
    yield limit.wait(result);
    return !limit.isReached;
  } catch (thrown) {
    scope.addThrown(thrown, label);
    return false;
  }
}

/** Waits for promises that the test did not await. Always waits for subtests: they are interrupted with their parent. */
function* waitForPending(scope: Scope, limit: Limit): Steps<void> {
  for (;;) {
    if (limit.isReached) scope.pending = undefined;
    const [work] = scope.pending ?? [];
    const [subtest] = scope.children?.values() ?? [];
    if (work === undefined && subtest === undefined) return;
    if (work !== undefined) yield limit.wait(work);
    else if (subtest !== undefined) yield subtest;
  }
}
