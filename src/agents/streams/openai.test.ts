import { expect, test } from 'vitest';
import { failureOf, parseLines, readAll } from './read-all.fixture.ts';

const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-5',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const FINISH = chunk({}, { finish_reason: 'stop' });

test('joins chat completion chunks', () => {
  const call = (index: number, fields: object) => chunk({ tool_calls: [{ index, ...fields }] });
  const usage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 };
  expect(
    readAll([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Let me ' }),
      chunk({ content: 'check.' }),
      call(0, { id: 'a', type: 'function', function: { name: 'find', arguments: '' } }),
      call(0, { function: { arguments: '{"city":' } }),
      call(1, { id: 'b', type: 'function', function: { name: 'now', arguments: '' } }),
      call(0, { function: { arguments: '"Oslo"}' } }),
      chunk({}, { finish_reason: 'tool_calls' }),
      { ...FINISH, choices: [], usage },
      '[DONE]',
    ]),
  ).toEqual({
    output: 'Let me check.',
    tool_calls: [
      { name: 'find', arguments: { city: 'Oslo' } },
      { name: 'now', arguments: {} },
    ],
    usage: { input_tokens: 9, output_tokens: 12 },
  });
  expect(readAll([chunk({ content: null, refusal: 'I cannot.' }), FINISH])).toEqual({ output: 'I cannot.' });
  expect(readAll([chunk({ content: 'a' }), chunk({ content: 'b' }, { index: 1 }), FINISH])).toEqual({
    output: 'a',
  });
});

test('joins the chunks of several calls, one after the other', () => {
  const second = (delta: object, more: object = {}) => ({ ...chunk(delta, more), id: 'chatcmpl-2' });
  expect(
    readAll([
      chunk({ content: 'Let me check.' }),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'find', arguments: '{}' } }] }),
      { ...chunk({}, { finish_reason: 'tool_calls' }), usage: { prompt_tokens: 1, completion_tokens: 2 } },
      second({ content: 'It is 21.' }),
      second({ tool_calls: [{ index: 0, id: 'b', function: { name: 'note', arguments: '{}' } }] }),
      { ...second({}, { finish_reason: 'stop' }), usage: { prompt_tokens: 3, completion_tokens: 4 } },
    ]),
  ).toEqual({
    output: 'Let me check.\n\nIt is 21.',
    tool_calls: [
      { name: 'find', arguments: {} },
      { name: 'note', arguments: {} },
    ],
    usage: { input_tokens: 4, output_tokens: 6 },
  });
});

test('reads chunks of services that leave things out or repeat them', () => {
  const bare = (content: string) => ({ choices: [{ delta: { content } }] });
  expect(readAll([{ choices: [], prompt_filter_results: [] }, bare('a'), bare('b')])).toEqual({
    output: 'ab',
  });
  const withOwnId = (content: string, index: number) => ({ ...chunk({ content }), id: String(index) });
  expect(readAll([...['a', 'b', 'c'].map(withOwnId), FINISH])).toEqual({ output: 'abc' });
  const counted = (content: string, completion_tokens: number) => ({
    ...chunk({ content }),
    usage: { prompt_tokens: 5, completion_tokens },
  });
  expect(readAll([counted('a', 1), counted('b', 2), FINISH])).toEqual({
    output: 'ab',
    usage: { input_tokens: 5, output_tokens: 2 },
  });
});

test('errors and missing ends of chat completions', () => {
  const begun = chunk({ content: 'The refund is ' });
  expect([
    failureOf([begun]),
    failureOf([begun, { error: { message: 'Overloaded', type: 'overloaded_error' } }]),
    failureOf([begun, { error: { message: 'Slow down', code: 429 } }]),
    failureOf([begun, { error: { message: 'No funds', code: 'insufficient_quota' } }]),
    failureOf([begun, { error: { message: 'Wrong key', code: 'invalid_api_key' } }]),
    failureOf([begun, { error: { message: 'Too long', type: 'invalid_request_error' } }]),
    failureOf([begun, chunk({ content: [1] })]),
    failureOf([begun, chunk({}, { finish_reason: 'error' })]),
  ]).toEqual([
    {
      code: 'protocol',
      message: 'the agent cut its answer off: the stream ended without a finish_reason and [DONE]',
    },
    { code: 'connection', message: 'the agent sent an error: Overloaded' },
    { code: 'rate_limit', message: 'the agent sent an error: Slow down' },
    { code: 'rate_limit', message: 'the agent sent an error: No funds', isFinal: true },
    { code: 'auth', message: 'the agent sent an error: Wrong key', isFinal: true },
    { code: 'agent', message: 'the agent sent an error: Too long' },
    {
      code: 'protocol',
      message: expect.stringMatching(/^the agent sent an event that cannot be read: \{"id"/),
    },
    { code: 'agent', message: 'the agent sent an error: the model call failed' },
  ]);
});

const RESPONSE = parseLines(String.raw`
{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[],"error":null,"usage":null},"sequence_number":0}
{"type":"response.in_progress","response":{"id":"r","status":"in_progress","output":[]},"sequence_number":1}
{"type":"response.output_item.added","output_index":0,"item":{"id":"rs","type":"reasoning","summary":[]}}
{"type":"response.reasoning_summary_text.delta","item_id":"rs","delta":"The user wants the weather."}
{"type":"response.output_item.done","output_index":0,"item":{"id":"rs","type":"reasoning","summary":[]}}
{"type":"response.output_item.added","output_index":1,"item":{"id":"m","type":"message","role":"assistant","content":[]}}
{"type":"response.content_part.added","item_id":"m","part":{"type":"output_text","text":""}}
{"type":"response.output_text.delta","item_id":"m","output_index":1,"content_index":0,"delta":"Let me "}
{"type":"response.output_text.delta","item_id":"m","output_index":1,"content_index":0,"delta":"check."}
{"type":"response.output_text.done","item_id":"m","text":"Let me check."}
{"type":"response.output_item.done","output_index":1,"item":{"id":"m","type":"message","role":"assistant","content":[{"type":"output_text","text":"Let me check."}]}}
{"type":"response.output_item.added","output_index":2,"item":{"id":"fc","type":"function_call","call_id":"c1","name":"forecast","arguments":""}}
{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":2,"delta":"{\"city\":"}
{"type":"response.function_call_arguments.done","item_id":"fc","arguments":"{\"city\":\"Oslo\"}"}
{"type":"response.output_item.done","output_index":2,"item":{"id":"fc","type":"function_call","call_id":"c1","name":"forecast","arguments":"{\"city\":\"Oslo\"}"}}
{"type":"response.output_item.done","output_index":3,"item":{"id":"ws","type":"web_search_call","status":"completed","action":{"type":"search","query":"Oslo"}}}
{"type":"response.output_item.done","output_index":4,"item":{"id":"mcp","type":"mcp_call","name":"roll","arguments":"{\"dice\":\"1d6\"}","output":"4","error":null}}
{"type":"response.output_item.done","output_index":5,"item":{"id":"m2","type":"message","role":"assistant","content":[{"type":"output_text","text":"It is 21."}]}}
{"type":"response.completed","response":{"id":"r","status":"completed","error":null,"output":[],"usage":{"input_tokens":36,"output_tokens":87,"total_tokens":123}}}
`);

test('joins the events of a response', () => {
  expect(readAll(RESPONSE)).toEqual({
    output: 'Let me check.\n\nIt is 21.',
    tool_calls: [
      { name: 'forecast', arguments: { city: 'Oslo' } },
      { name: 'web_search', arguments: { type: 'search', query: 'Oslo' } },
      { name: 'roll', arguments: { dice: '1d6' }, result: '4' },
    ],
    usage: { input_tokens: 36, output_tokens: 87 },
  });
});

test('fields of the wrong type', () => {
  const bad = [
    { ...FINISH, choices: {} },
    { ...FINISH, choices: ['a'] },
    chunk({ content: 7 }),
    chunk({ content: [{ text: 'a' }] }),
    chunk({ tool_calls: {} }),
    chunk({ tool_calls: ['find'] }),
    { ...FINISH, choices: [{ index: 0, delta: 'a' }] },
  ];
  const wrong = { code: 'protocol', message: expect.stringMatching(/^the agent sent an event that cannot/) };
  expect(bad.map((event) => failureOf([chunk({ content: 'a' }), event, FINISH]))).toEqual(
    bad.map(() => wrong),
  );
  const item = (value: unknown) => ({ type: 'response.output_item.done', item: value });
  const items = [
    item('a'),
    item({ type: 'message', content: 'a' }),
    item({ type: 'message', content: [{ type: 'output_text', text: 7 }] }),
    item({ type: 'message', content: [{ type: 'output_text' }] }),
    { delta: 'a' },
  ];
  expect(items.map((event) => failureOf([RESPONSE[0], event, RESPONSE.at(-1)]))).toEqual(
    items.map(() => wrong),
  );
  const output = item({ type: 'function_call_output', call_id: 'c9', output: 'a' });
  expect(failureOf([RESPONSE[0], output, RESPONSE.at(-1)])).toEqual({
    code: 'protocol',
    message: 'the agent sent the result of a tool call "c9" that it had not sent',
  });
});

test('a response may have its answer only in its end', () => {
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'It is 21.' }] }];
  expect(readAll([RESPONSE[0], { type: 'response.completed', response: { output } }])).toEqual({
    output: 'It is 21.',
  });
});

test('errors and missing ends of responses', () => {
  const [created] = RESPONSE;
  const failed = (error: object) => ({ type: 'response.failed', response: { status: 'failed', error } });
  expect([
    failureOf(RESPONSE.slice(0, -1)),
    failureOf([created, failed({ code: 'rate_limit_exceeded', message: 'Slow down' })]),
    failureOf([created, failed({ code: 'server_error', message: 'Oops' })]),
    failureOf([created, { type: 'error', code: 'invalid_api_key', message: 'Wrong key', param: null }]),
  ]).toEqual([
    {
      code: 'protocol',
      message: 'the agent cut its answer off: the stream ended without response.completed',
    },
    { code: 'rate_limit', message: 'the agent sent an error: Slow down' },
    { code: 'agent', message: 'the agent sent an error: Oops' },
    { code: 'auth', message: 'the agent sent an error: Wrong key', isFinal: true },
  ]);
  expect(
    readAll([
      created,
      { type: 'response.output_text.delta', delta: 'cut at the lim' },
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
    ]),
  ).toEqual({ output: 'cut at the lim' });
});
