// A test's surroundings for unit tests: no worker, no sources, but real timers.

import type { TestEnd, TestFunction, TestHost, TestParts } from './test-run.ts';
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

/** Runs a function as the test `TestX`. */
export function runTest(
  test: TestFunction,
  host: TestHost = hostWith(),
  parts: Partial<TestParts> = {},
): TestEnd | Promise<TestEnd> {
  return new TestRun({ name: 'TestX', test, ...parts }, { User: { ID: 'u' } }, host).begin();
}
