import { expect, test } from 'vitest';
import { failureOf, parseLines, readAll } from './read-all.fixture.ts';

test('joins the lines of a chat', () => {
  const lines = parseLines(`
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"Hm."},"done":false}
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Let me "},"done":false}
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"check."},"done":false}
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"find","arguments":{"city":"Oslo"}}}]},"done":false}
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"find","arguments":{"city":"Bergen"}}}]},"done":false}
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"total_duration":1,"prompt_eval_count":26,"eval_count":298}`);
  expect(readAll(lines)).toEqual({
    output: 'Let me check.',
    tool_calls: [
      { name: 'find', arguments: { city: 'Oslo' } },
      { name: 'find', arguments: { city: 'Bergen' } },
    ],
    usage: { input_tokens: 26, output_tokens: 298 },
  });
});

test('joins the lines of a generation', () => {
  const lines = parseLines(`
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","response":"It is ","done":false}
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","response":"21.","done":false}
    {"model":"qwen3","created_at":"2026-01-01T00:00:00Z","response":"","done":true,"context":[1,2],"eval_count":3}`);
  expect(readAll(lines)).toEqual({ output: 'It is 21.', usage: { output_tokens: 3 } });
  expect([
    failureOf(lines.slice(0, -1)),
    failureOf([lines[0], { error: 'model runner has stopped' }]),
  ]).toEqual([
    { code: 'protocol', message: 'the agent cut its answer off: the stream ended without "done": true' },
    { code: 'agent', message: 'the agent sent an error: model runner has stopped' },
  ]);
});

test('fields of the wrong type', () => {
  const line = (fields: object) => ({ model: 'qwen3', ...fields, done: false });
  const [start, end] = [line({ response: '' }), { ...line({ response: '' }), done: true }];
  const unreadable = [
    line({ response: 7 }),
    line({ message: 'a' }),
    line({ message: { content: 7 } }),
    line({ message: { content: '', tool_calls: {} } }),
  ];
  expect(unreadable.map((event) => failureOf([start, event, end]))).toEqual(
    unreadable.map((event) => ({
      code: 'protocol',
      message: `the agent sent an event that cannot be read: ${JSON.stringify(event)}`,
    })),
  );
});
