import { expect, test } from 'vitest';
import { readWholeAnswer } from './whole-answer.ts';

test('reads a chat completion', () => {
  const message = {
    role: 'assistant',
    content: 'Let me check.',
    refusal: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'find', arguments: '{"city":"Oslo"}' } },
      { id: 'b', type: 'custom', custom: { name: 'query', input: 'select 1' } },
    ],
  };
  const usage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  expect(readWholeAnswer({ id: 'x', object: 'chat.completion', model: 'm', choices, usage })).toEqual({
    output: 'Let me check.',
    tool_calls: [
      { name: 'find', arguments: { city: 'Oslo' } },
      { name: 'query', arguments: 'select 1' },
    ],
    usage: { input_tokens: 9, output_tokens: 12 },
  });
  const parts = [
    { type: 'thinking', thinking: [] },
    { type: 'text', text: 'a' },
  ];
  expect(readWholeAnswer({ object: 'chat.completion', choices: [{ message: { content: parts } }] })).toEqual({
    output: 'a',
  });
});

test('reads a response', () => {
  const output = [
    { type: 'reasoning', summary: [] },
    { type: 'message', content: [{ type: 'output_text', text: 'Let me check.' }] },
    { type: 'function_call', call_id: 'c', name: 'find', arguments: '{"city":"Oslo"}' },
    { type: 'function_call_output', call_id: 'c', output: '{"degrees":21}' },
    {
      type: 'message',
      content: [
        { type: 'output_text', text: 'It is ' },
        { type: 'output_text', text: '21.' },
      ],
    },
  ];
  const usage = { input_tokens: 36, output_tokens: 87 };
  expect(readWholeAnswer({ object: 'response', status: 'completed', error: null, output, usage })).toEqual({
    output: 'Let me check.\n\nIt is 21.',
    tool_calls: [{ name: 'find', arguments: { city: 'Oslo' }, result: { degrees: 21 } }],
    usage,
  });
  const failed = { object: 'response', status: 'failed', error: { code: 'server_error', message: 'Oops' } };
  expect(() => readWholeAnswer({ ...failed, output: [] }, 'POST URL')).toThrow(
    'POST URL sent an error: Oops',
  );
  expect(() => readWholeAnswer({ object: 'response', status: 'queued', output: [] }, 'POST URL')).toThrow(
    'POST URL answered before its response was complete: queued',
  );
});

test.each([
  [{ object: 'chat.completion', choices: [] }, 'answered a chat completion without a message'],
  [{ object: 'chat.completion', choices: [{ message: 'x' }] }, 'answered a chat completion without'],
  [{ object: 'chat.completion', choices: [{ message: { tool_calls: ['f'] } }] }, 'cannot be read: ["f"]'],
  [{ object: 'response', output: ['x'] }, 'cannot be read: ["x"]'],
  [{ type: 'message', role: 'assistant', content: ['x'] }, 'cannot be read: ["x"]'],
])('%j is an answer of a service that cannot be read', (value, problem) => {
  expect(() => readWholeAnswer(value)).toThrow(problem);
});

test('reads a message of Anthropic', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'Let me check.' },
    { type: 'tool_use', id: 'a', name: 'find', input: { city: 'Oslo' } },
  ];
  const usage = { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 };
  expect(readWholeAnswer({ id: 'm', type: 'message', role: 'assistant', content, usage })).toEqual({
    output: 'Let me check.',
    tool_calls: [{ name: 'find', arguments: { city: 'Oslo' } }],
    usage: { input_tokens: 5, output_tokens: 4 },
  });
});

test('reads answers of Ollama', () => {
  const message = {
    role: 'assistant',
    content: 'Hi',
    tool_calls: [{ function: { name: 'f', arguments: {} } }],
  };
  expect(readWholeAnswer({ model: 'm', message, done: true, prompt_eval_count: 1, eval_count: 2 })).toEqual({
    output: 'Hi',
    tool_calls: [{ name: 'f', arguments: {} }],
    usage: { input_tokens: 1, output_tokens: 2 },
  });
  expect(readWholeAnswer({ model: 'm', response: 'Hi', done: true })).toEqual({ output: 'Hi' });
  expect(() => readWholeAnswer({ model: 'm', response: 'Hi', done: false })).toThrow(
    'the agent cut its answer off: the stream ended without "done": true',
  );
});

test.each([
  [{ choices: [{ message: { content: 'x' } }] }],
  [{ object: 'chat.completion' }],
  [{ object: 'response', output: 'text' }],
  [{ type: 'message', content: [] }],
  [{ done: true, message: 'x' }],
  [[{ object: 'response', output: [] }]],
  ['text'],
])('%j is no answer of a service', (value) => {
  expect(readWholeAnswer(value)).toBeUndefined();
});
