import { expect, test } from 'vitest';
import { groupByCause } from './causes.ts';

test('what differs in numbers, quotes and ids is one cause; the most frequent comes first', () => {
  const failed = (error: string) => ({ status: 'failed' as const, error });
  expect(
    groupByCause([
      { status: 'timeout', error: 'timeout after 5s' },
      failed('contains: expected "a" in "x"'),
      undefined,
      { status: 'passed', error: null },
      failed('contains: expected "b\\"c" in "y"'),
      failed('contains: expected 3'),
      { status: 'error', code: 'agent', error: 'request 018f3c2a-0000-7000-8000-000000000001 failed' },
      { status: 'error', code: 'connection', error: 'request 018f3c2a-0000-7000-8000-000000000002 failed' },
    ]),
  ).toEqual([
    {
      key: 'failed  contains: expected "…" in "…"',
      message: 'contains: expected "a" in "x"',
      status: 'failed',
      cases: [1, 4],
    },
    { key: 'timeout  timeout after #s', message: 'timeout after 5s', status: 'timeout', cases: [0] },
    { key: 'failed  contains: expected #', message: 'contains: expected 3', status: 'failed', cases: [5] },
    {
      key: 'error agent request # failed',
      message: 'request 018f3c2a-0000-7000-8000-000000000001 failed',
      status: 'error',
      cases: [6],
    },
    {
      key: 'error connection request # failed',
      message: 'request 018f3c2a-0000-7000-8000-000000000002 failed',
      status: 'error',
      cases: [7],
    },
  ]);
});
