// `t.run`: a named part of a test.

import type { Subtest } from '../../../model/script.ts';
import type { Steps } from './control.ts';
import { runSteps } from './control.ts';
import { lifecycle } from './lifecycle.ts';
import { Scope } from './scope.ts';
import { ellipsize } from '../../../text/cut-text.ts';
import type { TestFunction } from './test-run.ts';

type SubtestParts = {
  test: TestFunction;
  ctx: unknown;
  createT(scope: Scope, ctx: unknown): object;
};

const MAX_SUBTESTS = 10_000;
const MAX_NAME = 200;
// Users may replace the clock.
const now = performance.now.bind(performance);

/** Runs a subtest: true if it did not fail. Returns a promise only if its function is asynchronous. */
export function runSubtest(parent: Scope, name: string, parts: SubtestParts): boolean | Promise<boolean> {
  const { shared } = parent;
  const scope = new Scope(parent.childName(ellipsize(name, MAX_NAME)), shared, parent);
  const subtest: Subtest = { name: scope.name, status: 'passed', duration_ms: 0 };
  if (shared.subtests.length < MAX_SUBTESTS) shared.subtests.push(subtest);

  const result = runSteps(subtestSteps(scope, subtest, parts));
  if (!(result instanceof Promise)) return result;
  parent.addChild(scope, result);
  return result;
}

function* subtestSteps(scope: Scope, subtest: Subtest, { test, ctx, createT }: SubtestParts): Steps<boolean> {
  const started = now();
  yield* lifecycle(scope, { test }, [createT(scope, ctx), ctx]);

  const status = subtestStatus(scope);
  subtest.status = status;
  subtest.duration_ms = Math.round(now() - started);
  const message = status === 'skipped' ? scope.skip?.message : errorMessage(scope);
  if (message !== undefined) subtest.error = message;

  // Code in here stopped an enclosing test: leave that one, too.
  if (scope.outerStop !== undefined) throw scope.outerStop;
  return status === 'passed' || status === 'skipped';
}

/** A subtest has no deadline of its own. */
function subtestStatus({ status }: Scope): Subtest['status'] {
  return status === 'timeout' ? 'error' : status;
}

function errorMessage({ status, problem, headline }: Scope): string | undefined {
  if (status === 'failed') return headline;
  return status === 'error' || status === 'timeout' ? problem?.message : undefined;
}
