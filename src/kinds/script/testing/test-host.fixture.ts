// The file declares global types only, and has nothing to import.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../../types/testing.d.ts" />
// A test's surroundings for unit tests: no worker, no sources, but real timers.

import type { TestEnd, TestFunction, TestHost } from './test-run.ts';
import { TestRun } from './test-run.ts';

/** A host that keeps what is logged; places and stacks say that they were mapped. */
export function hostWith(parts: Partial<TestHost> = {}): TestHost & { lines: string[] } {
  const lines: string[] = [];
  return {
    realm: {},
    lines,
    placeOf: () => undefined,
    mapStack: (stack) => `mapped ${stack.split('\n')[0] ?? ''}`,
    log: (line) => void lines.push(line),
    mockModule() {
      throw new Error('no modules here');
    },
    judge: () => Promise.reject(new Error('nobody judges here')),
    setTimeout,
    clearTimeout,
    ...parts,
  };
}

type TypedTest = (t: testing.T, ctx: agent.Context) => unknown;

/** A function with the types that users see. */
function typed(test: TypedTest): TestFunction {
  // A test run gives what these types promise.
  return test as TestFunction;
}

/** Runs a function as the test `TestX`. */
export function runTest(
  test: TypedTest,
  { host = hostWith(), before, after }: { host?: TestHost; before?: TypedTest; after?: TypedTest } = {},
): TestEnd | Promise<TestEnd> {
  return runOf(test, { host, before, after }).begin();
}

/** The same, not yet begun. */
export function runOf(
  test: TypedTest,
  {
    host = hostWith(),
    before,
    after,
  }: { host?: TestHost; before?: TypedTest | undefined; after?: TypedTest | undefined } = {},
): TestRun {
  const beforeEach = before && typed(before);
  const afterEach = after && typed(after);
  return new TestRun(
    { name: 'TestX', test: typed(test), beforeEach, afterEach },
    { User: { ID: 'u' } },
    host,
  );
}
