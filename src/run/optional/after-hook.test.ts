import { expect, test } from 'vitest';
import type { Attempt } from '../../model/attempt.ts';
import type { Outcome } from '../../model/outcome.ts';
import { contextWith } from '../../model/context.fixture.ts';
import { runAfterHook } from './after-hook.ts';
import { SideCallError } from '../../execute/side-calls.ts';
import type { FunctionCall } from '../../execute/process/protocol.ts';

const context = contextWith({ chat_id: 'c', assistant_id: 'a', authorized: { user_id: 'eve' } });

const attempt: Attempt = {
  key: 'k',
  test_id: 't',
  case: { id: 'one', input: 'x', after: 'env_test.After' },
  run: 1,
  subject: { kind: 'agent-eval', id: 'a', run: { type: 'module', file: '/app/agent.ts' } },
  context,
  timeout_ms: 1000,
  base: '/app/tests',
  root: '/app',
};
const passed: Outcome = { status: 'passed', duration_ms: 5, output: 'y', verdicts: [], logs: ['agent'] };

test('calls the hook with the case, its result and what before returned; its lines join the logs', async () => {
  const calls: FunctionCall[] = [];
  const call = (call: FunctionCall): Promise<{ value: unknown; logs: string[] }> => {
    calls.push(call);
    return Promise.resolve({ value: 'ignored', logs: ['hook'] });
  };
  expect(await runAfterHook(call, attempt, passed, { made: 1 })).toEqual({
    ...passed,
    logs: ['agent', 'hook'],
  });
  expect(calls).toEqual([
    {
      type: 'call',
      reference: 'env_test.After',
      args: [
        attempt.case,
        { id: 'one', status: 'passed', output: 'y', error: undefined, duration_ms: 5, verdicts: [] },
        { made: 1 },
      ],
      context_at: 'start',
      context,
      root: '/app',
      folder: '/app/tests',
      timeout_ms: 30_000,
    },
  ]);
});

test('a hook that fails makes a pass unproven and leaves everything else as it is', async () => {
  const call = (): Promise<never> => Promise.reject(new SideCallError('boom', { logs: ['last words'] }));
  const after_error = 'after env_test.After: boom';
  expect(await runAfterHook(call, attempt, passed, undefined)).toEqual({
    ...passed,
    status: 'error',
    code: 'harness',
    error: after_error,
    after_error,
    logs: ['agent', 'last words'],
  });
  const timeout: Outcome = { status: 'timeout', duration_ms: 5, error: 'timeout after 1s' };
  expect(await runAfterHook(call, attempt, timeout, undefined)).toEqual({
    ...timeout,
    after_error,
    logs: ['last words'],
  });
});
