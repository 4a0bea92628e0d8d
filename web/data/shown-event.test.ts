import { expect, test } from 'vitest';
import type { ResultEvent } from '../../src/model/event.ts';
import { resultEvent } from '../../test/fixtures/logs/agent-log.ts';
import { shownEvent } from './shown-event.ts';

test('what agents made of messages, calls and verdicts is shown as it is, and nothing of it is trusted', () => {
  const odd = {
    messages: [{ role: 5, content: 5 }, null, 'hi', { role: 'user', content: 'yes', extra: 1 }],
    tool_calls: [{ name: 5, error: { a: 1 }, duration_ms: 'x' }, null, 'a'],
    verdicts: ['no', { status: 'passed', score: 'high', message: null }],
    logs: 'one line',
    stack: null,
    cost_usd: null,
  } as unknown as Partial<ResultEvent>;
  expect(shownEvent(resultEvent('T001', odd))).toEqual({
    ...resultEvent('T001'),
    messages: [
      { role: '5', content: 5 },
      { role: 'message', content: 'null' },
      { role: 'message', content: 'hi' },
      { role: 'user', content: 'yes', extra: 1 },
    ],
    tool_calls: [{ name: '5', error: '{"a":1}' }, { name: 'null' }, { name: 'a' }],
    verdicts: [{ type: 'assertion', status: 'passed' }],
    logs: ['one line'],
    cost_usd: null,
  });
});
