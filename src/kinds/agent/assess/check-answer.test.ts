import { expect, test } from 'vitest';
import { checkAnswer } from './check-answer.ts';

/** An answer as it comes over the channel. */
function check(answer: object): unknown {
  return checkAnswer({ seq: 1, took_ms: 5, ...answer });
}

const wrong = (what: string): unknown => ({
  took_ms: 5,
  failure: {
    status: 'error',
    code: 'agent',
    error: `the worker sent ${what}: code of the agent has changed what the worker itself needs`,
  },
});

test('keeps what an agent may say, in one order, and drops what only the coordinator may', () => {
  const transcript = {
    status: 'passed',
    verdicts: [],
    usage: { input_tokens: 1 },
    output: { a: 1 },
    tool_calls: [{ name: 't' }],
    duration_ms: -1,
    logs: ['one'],
  };
  const checked = check({ transcript, logs: ['two'], outcome: { status: 'passed' } });
  expect(JSON.stringify(checked)).toBe(
    JSON.stringify({
      took_ms: 5,
      logs: ['two'],
      transcript: {
        output: { a: 1 },
        tool_calls: [{ name: 't' }],
        usage: { input_tokens: 1 },
        logs: ['one'],
      },
    }),
  );
});

test('keeps a failure with its known fields', () => {
  const failure = { status: 'error', code: 'connection', error: 'refused', retry_after_ms: -1, passed: true };
  expect(check({ failure })).toEqual({
    took_ms: 5,
    failure: { status: 'error', code: 'connection', error: 'refused' },
  });
  expect(check({ failure: { status: 'timeout', error: 'late', code: 'judge' } })).toEqual({
    took_ms: 5,
    failure: { status: 'timeout', error: 'late' },
  });
});

test.each([
  [{}, 'neither an answer nor a failure'],
  [{ transcript: null }, 'neither an answer nor a failure'],
  [{ transcript: { outputs: 1 } }, 'neither an answer nor a failure'],
  [{ failure: { status: 'passed', error: 'x' } }, 'a failure without a known status'],
  [{ failure: { status: 'error', code: 'judge', error: 'x' } }, 'a failure without a known status'],
  [{ failure: null }, 'a failure without a known status'],
  [{ transcript: { output: 1, usage: { input_tokens: -1 } } }, 'a wrong "usage"'],
  [{ transcript: { output: 1, cost_usd: '1' } }, 'a wrong "cost_usd"'],
  [{ transcript: { output: 1, first_token_ms: -1 } }, 'a wrong "first_token_ms"'],
  [{ transcript: { output: 1, logs: [1] } }, 'a wrong "logs"'],
  [
    { transcript: { output: JSON.parse('['.repeat(700) + ']'.repeat(700)) as unknown } },
    'an answer that is nested too deeply',
  ],
])('an answer of the wrong shape is an error of the agent: %j', (answer, what) => {
  expect(check(answer)).toEqual(wrong(what));
});

test('a duration that is no number is zero', () => {
  expect(check({ took_ms: 'x', transcript: { output: 'a' } })).toEqual({
    took_ms: 0,
    transcript: { output: 'a' },
  });
});
