// testing.d.ts declares global types only, so there is nothing to import.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../../types/testing.d.ts" />
// A TestHost for unit tests: no worker, no sources, but real timers.

import type { TestEnd, TestFunction, TestHost } from './test-run.ts';
import { TestRun } from './test-run.ts';

/** A host that collects log lines; mapped stacks start with "mapped". */
export function createHost(parts: Partial<TestHost> = {}): TestHost & { lines: string[] } {
  const lines: string[] = [];
  return {
    realm: {},
    lines,
    locate: () => undefined,
    mapStack: (stack) => `mapped ${stack.split('\n')[0] ?? ''}`,
    log: (line) => void lines.push(line),
    mockModule() {
      throw new Error('no modules here');
    },
    judge: () => Promise.reject(new Error('no judge here')),
    setTimeout,
    clearTimeout,
    ...parts,
  };
}

type TypedTest = (t: testing.T, ctx: agent.Context) => unknown;

/** The cast is safe: a TestRun passes `t` and `ctx` as these types declare them. */
function untyped(test: TypedTest): TestFunction {
  return test as TestFunction;
}

/** Runs a function as the test `TestX`. */
export function runTest(
  test: TypedTest,
  { host = createHost(), before, after }: { host?: TestHost; before?: TypedTest; after?: TypedTest } = {},
): TestEnd | Promise<TestEnd> {
  return createTestRun(test, { host, before, after }).begin();
}

/** Like runTest, but the caller starts it. */
export function createTestRun(
  test: TypedTest,
  {
    host = createHost(),
    before,
    after,
  }: { host?: TestHost; before?: TypedTest | undefined; after?: TypedTest | undefined } = {},
): TestRun {
  const beforeEach = before && untyped(before);
  const afterEach = after && untyped(after);
  return new TestRun(
    { name: 'TestX', test: untyped(test), beforeEach, afterEach },
    { User: { ID: 'u' } },
    host,
  );
}
