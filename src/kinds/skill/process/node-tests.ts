// Runs the tests that a file declares with node:test, in this process, and counts them.
//
// Node gives the events of its tests to a reporter, which is set up when node:test is first used. The runner uses it before
// the test file can: the reporter and its events are then out of reach of the file.

import { isAbsolute } from 'node:path';
import type { Answer } from '../messages.ts';
import { NODE_REPORTER } from '../node-reporter.ts';
import { describeThrown } from './describe-thrown.ts';
import type { TestTally } from './test-tally.ts';
import { createTally } from './test-tally.ts';

type TestEvent = { type: string; data: EventData };

type EventData = {
  name?: string;
  nesting?: number;
  skip?: unknown;
  todo?: unknown;
  details?: { type?: string; error?: { failureType?: string; message?: string; cause?: unknown } };
};

export type NodeTests = {
  answer: Promise<Answer>;
  /** The answer of a process that exits after its last test. */
  answerNow(): Answer | undefined;
  listing(): string;
};

/** Node calls the failure of a hook outside of suites by the path of the file. */
const FILE_HOOK = 'a hook of the file';
/** How long tests may still be declared after the last known one has ended, while something keeps the process alive. */
const SETTLE_MS = 250;

/** Runs the tests that `importFile` declares. An error of the import is thrown. */
export function startNodeTests(importFile: () => Promise<unknown>): NodeTests {
  const tally = createTally();
  const marker = `assay ${String(Math.random())}`;
  const state = { open: 0, isDone: false };
  const ended = deferred<void>();
  const run = async (): Promise<Answer> => {
    const { setTimeout } = globalThis;
    const { describe, events } = await openReporter();
    void readEvents(events, { tally, marker, state, markerEnded }).then(() => ended.resolve());
    await importFile();
    // Tests run in the order in which they are declared, so an empty suite ends after all of them.
    const declareMarker = (): void => void describe(marker, () => undefined);
    declareMarker();
    await ended.promise;
    return tally.answer();

    function markerEnded(): void {
      state.isDone = state.open === 0;
      setTimeout(() => {
        if (state.open === 0) ended.resolve();
        else declareMarker();
      }, SETTLE_MS).unref();
    }
  };
  return {
    answer: run(),
    answerNow: () => (state.isDone ? tally.answer() : undefined),
    listing: tally.listing,
  };
}

type Describe = (name: string, declare: () => void) => unknown;

/** Uses node:test for the first time, so that Node connects its reporter. */
async function openReporter(): Promise<{ describe: Describe; events: AsyncIterable<TestEvent> }> {
  // Set if Assay itself runs below `node --test`; Node would then report to that process.
  delete process.env['NODE_TEST_CONTEXT'];
  process.execArgv = process.execArgv.filter((argument) => !argument.startsWith('--test-reporter'));
  const opened = deferred<AsyncIterable<TestEvent>>();
  const holder = globalThis as Record<string, unknown>;
  holder[NODE_REPORTER] = opened.resolve;
  const { after, describe } = await import('node:test');
  after(() => undefined);
  const events = await opened.promise;
  Reflect.deleteProperty(holder, NODE_REPORTER);
  return { describe, events };
}

type Reading = {
  tally: TestTally;
  marker: string;
  state: { open: number; isDone: boolean };
  markerEnded: () => void;
};

/** Events of tests arrive in the order of their declaration: a test, then those inside of it, then its result. */
async function readEvents(events: AsyncIterable<TestEvent>, reading: Reading): Promise<void> {
  const { tally, marker, state, markerEnded } = reading;
  const names: string[] = [];
  for await (const { type, data } of events) {
    const { name = '', nesting = 0 } = data;
    const isResult = type === 'test:pass' || type === 'test:fail';
    if (name === marker) {
      if (isResult) markerEnded();
      continue;
    }
    if (type === 'test:enqueue' && nesting === 0) state.open += 1;
    if (type === 'test:start') names.splice(nesting, Infinity, name);
    if (!isResult) continue;
    if (nesting === 0) state.open = Math.max(0, state.open - 1);
    count(tally, type === 'test:pass', [...names.slice(0, nesting), name].join(' > '), data);
  }
}

function count(tally: TestTally, isPassed: boolean, test: string, { skip, todo, details }: EventData): void {
  const { type, error } = details ?? {};
  // Suites are no tests, and the failure of a test inside is counted there.
  if (error?.failureType === 'subtestsFailed' || (type === 'suite' && isPassed)) return;
  if (isSet(skip) || isSet(todo)) tally.skip(test);
  else if (isPassed) tally.pass(test);
  else
    tally.fail(
      error?.failureType === 'hookFailed' && isAbsolute(test) ? FILE_HOOK : test,
      describeFailure(error),
    );
}

/** Node sets a reason, or true. */
function isSet(mark: unknown): boolean {
  return mark !== undefined && mark !== false;
}

function describeFailure(error: { message?: string; cause?: unknown } | undefined) {
  const { cause, message = 'the test failed' } = error ?? {};
  return typeof cause === 'object' && cause !== null ? describeThrown(cause) : { message };
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
