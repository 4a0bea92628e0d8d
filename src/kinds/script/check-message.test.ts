import { expect, test } from 'vitest';
import type { FromWorker } from '../../execute/process/protocol.ts';
import { checkedOutcome, isMessage } from './check-message.ts';

const wrong = (field: string): object => ({
  status: 'error',
  code: 'harness',
  duration_ms: 0,
  error: `the worker reported a result that cannot be read: ${field}`,
});

test.each([
  [null, 'it is no object'],
  [[], 'it is no object'],
  [{}, '"status" is missing'],
  [{ duration_ms: 1 }, '"status" is missing'],
  [{ status: 'skiped', duration_ms: 1 }, '"status" is wrong'],
  [{ status: 'passed' }, '"duration_ms" is missing'],
  [{ status: 'passed', duration_ms: null }, '"duration_ms" is wrong'],
  [{ status: 'passed', duration_ms: -1 }, '"duration_ms" is wrong'],
  [{ status: 'passed', duration_ms: Infinity }, '"duration_ms" is wrong'],
  [{ status: 'passed', duration_ms: Number.NaN }, '"duration_ms" is wrong'],
  [{ status: 'passed', duration_ms: '1' }, '"duration_ms" is wrong'],
  [{ status: 'error', duration_ms: 1, code: 'none' }, '"code" is wrong'],
  [{ status: 'passed', duration_ms: 1, assertions: 0.5 }, '"assertions" is wrong'],
  [{ status: 'passed', duration_ms: 1, logs: [1] }, '"logs" is wrong'],
  [{ status: 'failed', duration_ms: 1, verdicts: [{ type: 'Equal' }] }, '"verdicts" is wrong'],
  [{ status: 'failed', duration_ms: 1, subtests: [{ name: 'a', status: 'passed' }] }, '"subtests" is wrong'],
])('%j is no result', (reported, problem) => {
  expect(checkedOutcome(reported, 1000)).toEqual(wrong(problem));
});

test('a result has known fields only, and no times beyond the clock of the coordinator', () => {
  const subtests = [{ name: 'TestA/b', status: 'passed', duration_ms: 1e9 }];
  const reported = { status: 'passed', duration_ms: 1e12, assertions: 3, retries: 7, cost_usd: -1, subtests };
  expect(checkedOutcome(reported, 12.3)).toEqual({
    status: 'passed',
    duration_ms: 13,
    assertions: 3,
    subtests: [{ name: 'TestA/b', status: 'passed', duration_ms: 13 }],
  });
});

test.each<[unknown, boolean]>([
  [{ type: 'ready' }, true],
  [{ type: 'pong', token: 'own' }, true],
  [{ type: 'pong' }, false],
  [{ type: 'pong', token: 'other' }, false],
  [{ type: 'closed', token: 'own', isSpent: 1 }, false],
  [{ type: 'settled', token: 'own', settled: [{ seq: 1 }] }, true],
  [{ type: 'settled', token: 'own', settled: [{ seq: '1' }] }, false],
  [{ type: 'settled', token: 'own', settled: {} }, false],
  [{ type: 'dropped', token: 'own', seqs: [null] }, false],
  [{ type: 'secrets', token: 'own', secrets: [1] }, false],
  [{ type: 'evaluated', token: 'own' }, false],
  [{ type: 'constructor', token: 'own' }, false],
  [{ type: 1, token: 'own' }, false],
])('%j', (message, isValid) => {
  // Anything can come over the channel.
  expect(isMessage(message as FromWorker, 'own')).toBe(isValid);
});
