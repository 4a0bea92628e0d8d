// The `t` of a test function. Its methods are bound: `const { assert, log } = t` works.

import { Assert } from './assertions/assert.ts';
import { formatSafely } from './assertions/assertion.ts';
import { Stop } from './control.ts';
import { createMock } from './mock/mock.ts';
import type { Scope } from './scope.ts';
import { errorText, isError, show } from './assertions/show.ts';
import { runSubtest } from './subtest.ts';
import { createTempDir } from './temp-dir.ts';
import { explainMember } from './member-hints.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import type { TestFunction } from './test-run.ts';
import { createPrototype } from './unknown-member.ts';

const PROTOTYPE = createPrototype('T', explainMember);

/** Builds the `t` of a test or subtest. */
export function createT(scope: Scope, ctx: unknown): object {
  const { host } = scope.shared;
  let assert: Assert | undefined;
  let mock: ReturnType<typeof createMock> | undefined;
  return {
    __proto__: PROTOTYPE,
    get assert() {
      return (assert ??= new Assert(scope));
    },
    get failed() {
      return scope.isFailed || scope.problem !== undefined;
    },
    get mock() {
      return (mock ??= createMock(scope));
    },
    name: scope.name,
    cleanup(undo: unknown): void {
      scope.requireOpen('t.cleanup');
      if (!isFunction(undo)) throw new TypeError(`t.cleanup takes a function, not ${show(undo)}`);
      scope.cleanups ??= [];
      scope.cleanups.push(undo);
    },
    error(...words: unknown[]): void {
      scope.requireOpen('t.error');
      host.log(`ERROR: ${formatSafely(words)}`);
      addReason(scope, 'error', words);
    },
    fail(...reason: unknown[]): void {
      scope.requireOpen('t.fail');
      addReason(scope, 'fail', reason);
    },
    fatal(...reason: unknown[]): never {
      scope.requireOpen('t.fatal');
      addReason(scope, 'fatal', reason);
      throw new Stop(scope, 't.fatal');
    },
    log(...words: unknown[]): void {
      host.log(formatSafely(words));
    },
    run(name: unknown, test: unknown): boolean | Promise<boolean> {
      scope.requireOpen('t.run');
      if (!isFunction(test)) throw new TypeError(`t.run takes a name and a function, not ${show(test)}`);
      return runSubtest(scope, String(name), { test, ctx, createT });
    },
    skip(...reason: unknown[]): never {
      scope.requireOpen('t.skip');
      const message = reasonText(reason);
      scope.skip ??= message === undefined ? {} : { message };
      throw new Stop(scope, 't.skip');
    },
    tempDir(): string {
      scope.requireOpen('t.tempDir');
      return createTempDir(scope);
    },
  };
}

function isFunction(value: unknown): value is TestFunction {
  return typeof value === 'function';
}

function addReason(scope: Scope, type: 'error' | 'fail' | 'fatal', reason: unknown[]): void {
  const message = reasonText(reason) ?? 'failed';
  scope.addFailure(type, { message }, { headline: message });
}

function reasonText(reason: unknown[]): string | undefined {
  const [first] = reason;
  if (first === undefined || first === null || first === '') return undefined;
  return boundedText(reason.length === 1 && isError(first) ? errorText(first) : formatSafely(reason));
}
