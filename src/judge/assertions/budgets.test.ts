import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

test('latency compares the duration with a duration or milliseconds', () => {
  const passed = { type: 'latency', status: 'passed' };
  expect(verdictOn('x', { type: 'latency', value: '1.5s' })).toEqual(passed);
  expect(verdictOn('x', { type: 'latency', value: 1500 })).toEqual(passed);
  expect(verdictOn('x', { type: 'latency', value: '1s' })).toEqual({
    type: 'latency',
    status: 'failed',
    message: 'the answer took 1.5s, longer than 1s',
    expected: '1s',
    actual: 1500,
  });
});

test('tokens compares each limit that is given', () => {
  const usage = { input_tokens: 100, output_tokens: 20 };
  const passed = { type: 'tokens', status: 'passed' };
  expect(verdictOn('x', { type: 'tokens', value: 120 }, { usage })).toEqual(passed);
  expect(
    verdictOn('x', { type: 'tokens', value: { input: 100, output: 20, total: 120 } }, { usage }),
  ).toEqual(passed);
  expect(verdictOn('x', { type: 'tokens', value: { output: 20 } }, { usage: { output_tokens: 3 } })).toEqual(
    passed,
  );
  expect(verdictOn('x', { type: 'tokens', value: { input: 1, output: 30, total: 50 } }, { usage })).toEqual({
    type: 'tokens',
    status: 'failed',
    message: 'the answer took 100 input tokens, more than 1, and 120 total tokens, more than 50',
    expected: { input: 1, output: 30, total: 50 },
    actual: usage,
  });
});

test('cost compares US dollars', () => {
  expect(verdictOn('x', { type: 'cost', value: 0.01 }, { cost_usd: 0.01 })).toEqual({
    type: 'cost',
    status: 'passed',
  });
  expect(verdictOn('x', { type: 'cost', value: 0.01 }, { cost_usd: 0.02 })).toEqual({
    type: 'cost',
    status: 'failed',
    message: 'the answer cost $0.02, more than $0.01',
    expected: 0.01,
    actual: 0.02,
  });
});

test.each([
  [{ type: 'tokens', value: 1 }, {}, 'the agent does not report its token usage'],
  [{ type: 'tokens', value: 1 }, { usage: { input_tokens: 1 } }, 'the agent does not report its token usage'],
  [{ type: 'cost', value: 1 }, {}, 'the cost of the answer is not known'],
  [{ type: 'cost', value: 1 }, { cost_usd: null }, 'the cost of the answer is not known'],
])('%j on %j cannot be judged, negated or not', (assertion, transcript, message) => {
  const { type } = assertion;
  expect(verdictOn('x', assertion, transcript)).toEqual({ type, status: 'error', message });
  expect(verdictOn('x', { ...assertion, negate: true }, transcript)).toEqual({
    type,
    status: 'error',
    message,
    negate: true,
  });
});
