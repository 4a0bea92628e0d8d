import { expect, test } from 'vitest';
import type { Item, PoolWorker } from '../../execute/process/worker-process.ts';
import type { CheckedAnswer } from './assess/check-answer.ts';
import { isHung, markStarted, measure, restartClocks } from './measure.ts';

function item(fields: Partial<Item> = {}): Item {
  // Only these fields are read.
  return { attempt: { timeout_ms: 1000 }, ...fields } as Item;
}

function workerWith(items: Item[], fields: Partial<PoolWorker> = {}): PoolWorker {
  const held = new Map(items.map((one, index) => [index + 1, one]));
  // Only these fields are read.
  const state = { heldBytes: 0, concurrency: 2, isReady: true, canHang: true, lastHeardAt: 0 };
  return { held, ...state, ...fields } as PoolWorker;
}

const answered = (took_ms: number): CheckedAnswer => ({ took_ms, transcript: { output: 'x' } });
const failed = (took_ms: number, status: 'error' | 'timeout'): CheckedAnswer => ({
  took_ms,
  failure: { status, code: 'agent', error: 'x' },
});

test.each([
  ['a claim that agrees counts', 995, { answerMs: 995, attemptMs: 1000 }],
  ['a claim that is too short does not', 5, { answerMs: 1000, attemptMs: 1000 }],
  ['nor one that is too long', 5000, { answerMs: 1000, attemptMs: 1000 }],
  ['within the tolerance the shorter one counts', 1100, { answerMs: 1000, attemptMs: 1000 }],
])('%s', (_, claim, expected) => {
  expect(measure(item({ sentAt: 0, startedAt: 0 }), 1000, answered(claim))).toEqual(expected);
});

test('what comes before the input is no part of the answer', () => {
  expect(measure(item({ startedAt: 0, askedAt: 900 }), 1000, answered(100))).toEqual({
    answerMs: 100,
    attemptMs: 1000,
  });
});

test('an attempt that was never seen running took no longer than since it was sent', () => {
  expect(measure(item({ sentAt: 990 }), 1000, answered(3))).toEqual({ answerMs: 3, attemptMs: 3 });
  expect(measure(item({ sentAt: 990 }), 1000, answered(300))).toEqual({ answerMs: 10, attemptMs: 10 });
});

test('a timeout took its limit, even if something is cancelled after it', () => {
  const late = measure(item({ startedAt: 0 }), 2200, failed(1001, 'timeout'));
  expect(late).toEqual({ answerMs: 1001, attemptMs: 1001 });
  const early = measure(item({ startedAt: 0 }), 2200, failed(1, 'timeout'));
  expect(early).toEqual({ answerMs: 1000, attemptMs: 1000 });
  expect(measure(item({ startedAt: 0 }), 700, failed(1, 'error'))).toEqual({ answerMs: 700, attemptMs: 700 });
});

test('attempts start in order, as many as the worker runs at once', () => {
  const items = [item(), item(), item()];
  const worker = workerWith(items);
  markStarted(worker, 5);
  markStarted(worker, 9);
  expect(items.map(({ startedAt }) => startedAt)).toEqual([5, 5, undefined]);
  worker.held.delete(1);
  markStarted(worker, 9);
  expect(items.map(({ startedAt }) => startedAt)).toEqual([5, 5, 9]);
  restartClocks(worker, 20);
  expect(items.map(({ startedAt }) => startedAt)).toEqual([5, 20, 20]);
});

test.each([
  ['silent beyond the deadline', { lastHeardAt: 0 }, {}, 1300, true],
  ['silent within it', { lastHeardAt: 0 }, {}, 1200, false],
  ['alive with an attempt that is two seconds late', { lastHeardAt: 3050 }, {}, 3100, true],
  ['alive while the attempt waits for a judge', { lastHeardAt: 3050 }, { isPaused: true }, 3100, false],
  ['alive with an attempt that has not started', { lastHeardAt: 0 }, { startedAt: undefined }, 9000, false],
  ['taking in two megabytes', { lastHeardAt: 0, heldBytes: 2_000_000 }, {}, 1300, false],
  ['in the same process', { lastHeardAt: 0, canHang: false }, {}, 9000, false],
  ['not ready', { lastHeardAt: 0, isReady: false }, {}, 59_000, false],
  ['not ready after a minute', { lastHeardAt: 0, isReady: false }, {}, 61_000, true],
])('a worker that is %s', (_, worker, fields, time, hung) => {
  expect(isHung(workerWith([item({ startedAt: 0, ...fields })], worker), time)).toBe(hung);
});
