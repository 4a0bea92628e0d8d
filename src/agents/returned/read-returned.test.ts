import { expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { readReturned } from './read-returned.ts';

const given = [{ role: 'user', content: 'How warm is it in Oslo?' }];
const signal = new AbortController().signal;
const read = (value: unknown) => readReturned(value, { given, signal });

async function failureOf(value: unknown) {
  try {
    return await read(value);
  } catch (error) {
    if (!(error instanceof AttemptError)) return error;
    return { code: error.code, message: error.message, isFinal: error.isFinal };
  }
}

function wireCall(id: string, city: string) {
  return { id, type: 'function', function: { name: 'weather', arguments: JSON.stringify({ city }) } };
}

function completion(message: object, more: object = {}) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_763_000_000,
    model: 'gpt-4o-mini-2024-07-18',
    choices: [{ index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 10,
      total_tokens: 1010,
      prompt_tokens_details: { cached_tokens: 400 },
    },
    ...more,
  };
}

// 600 fresh tokens at $0.15 a million, 400 from the cache at half of that, 10 of the answer at $0.60.
const SPENT = { usage: { input_tokens: 1000, output_tokens: 10 }, cost_usd: 0.000_126 };

test('a chat completion of OpenAI', async () => {
  expect(await read(completion({ content: 'It is 5 degrees.' }))).toEqual({
    output: 'It is 5 degrees.',
    tool_calls: [],
    messages: [...given, { role: 'assistant', content: 'It is 5 degrees.' }],
    ...SPENT,
  });
});

test('an answer with tool calls and without text has an empty text', async () => {
  expect(await read(completion({ content: null, tool_calls: [wireCall('call_1', 'Oslo')] }))).toEqual({
    output: '',
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
    messages: [...given, { role: 'assistant', content: null, tool_calls: [wireCall('call_1', 'Oslo')] }],
    ...SPENT,
  });
});

test('other calls, a refusal, an answer that is cut off, and one that the SDK has parsed', async () => {
  const custom = { id: 'c', type: 'custom', custom: { name: 'sql', input: '12' } };
  expect(await read(completion({ content: '', tool_calls: [custom] }))).toMatchObject({
    output: '',
    tool_calls: [{ name: 'sql', arguments: '12' }],
  });
  const old = { name: 'weather', arguments: '{"city":"Oslo"}' };
  expect(await read(completion({ content: null, function_call: old }))).toMatchObject({
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
  });
  expect(await read(completion({ content: null, refusal: 'I cannot say.' }))).toMatchObject({
    output: 'I cannot say.',
    tool_calls: [],
  });
  const cut = { choices: [{ message: { role: 'assistant', content: 'It is' }, finish_reason: 'length' }] };
  expect(await read(completion({}, { ...cut, usage: undefined }))).toEqual({
    output: 'It is',
    tool_calls: [],
    messages: [...given, { role: 'assistant', content: 'It is' }],
    cost_usd: null,
  });
  expect(await read(completion({ content: '{"degrees":5}', parsed: { degrees: 5 } }))).toMatchObject({
    output: { degrees: 5 },
    messages: [...given, { role: 'assistant', content: '{"degrees":5}' }],
  });
  expect(await failureOf(completion({}, { choices: [] }))).toEqual({
    code: 'protocol',
    message: 'the agent returned a chat completion that cannot be read: it has no choices',
    isFinal: false,
  });
});

test('a helper of OpenAI that ran tools', async () => {
  const messages = [
    ...given,
    { role: 'assistant', content: null, tool_calls: [wireCall('call_1', 'Oslo')] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"degrees":5}' },
    { role: 'assistant', content: 'It is 5 degrees.' },
  ];
  const runner = {
    messages,
    finalChatCompletion: () => Promise.resolve(),
    allChatCompletions: () => [
      completion({ content: null, tool_calls: [wireCall('call_1', 'Oslo')] }),
      completion({ content: 'It is 5 degrees.' }),
    ],
  };
  expect(await read(runner)).toEqual({
    output: 'It is 5 degrees.',
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' }, result: '{"degrees":5}' }],
    messages,
    usage: { input_tokens: 2000, output_tokens: 20 },
    cost_usd: 0.000_252,
  });
});

function response(output: object[], more: object = {}) {
  return {
    id: 'resp_1',
    object: 'response',
    model: 'gpt-4o-mini',
    status: 'completed',
    error: null,
    output,
    usage: {
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 400 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1010,
    },
    ...more,
  };
}

function said(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

test('a response of OpenAI, with every kind of call', async () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'Oslo' } },
    {
      type: 'mcp_call',
      id: 'm_1',
      server_label: 'crm',
      name: 'find',
      arguments: '{}',
      output: 'Ada',
      error: null,
    },
    {
      type: 'mcp_call',
      id: 'm_2',
      server_label: 'crm',
      name: 'drop',
      arguments: '{}',
      output: null,
      error: 'no',
    },
    said('It is 5 degrees.'),
  ];
  expect(await read(response(output))).toEqual({
    output: 'It is 5 degrees.',
    tool_calls: [
      { name: 'weather', arguments: { city: 'Oslo' } },
      { name: 'web_search_call', arguments: { type: 'search', query: 'Oslo' } },
      { name: 'find', arguments: {}, result: 'Ada' },
      { name: 'drop', arguments: {}, error: 'no' },
    ],
    messages: [
      ...given,
      {
        role: 'assistant',
        content: 'It is 5 degrees.',
        tool_calls: [
          wireCall('call_1', 'Oslo'),
          {
            id: 'ws_1',
            type: 'function',
            function: { name: 'web_search_call', arguments: '{"type":"search","query":"Oslo"}' },
          },
          { id: 'm_1', type: 'function', function: { name: 'find', arguments: '{}' } },
          { id: 'm_2', type: 'function', function: { name: 'drop', arguments: '{}' } },
        ],
      },
    ],
    ...SPENT,
  });
});

test('a response that refuses, is cut off, failed or is not finished', async () => {
  const refused = { ...said(''), content: [{ type: 'refusal', refusal: 'I cannot say.' }] };
  expect(await read(response([refused]))).toMatchObject({ output: 'I cannot say.', tool_calls: [] });
  const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  expect(await read(response([said('It is')], cut))).toMatchObject({ output: 'It is' });
  expect(await read(response([said('{"a":1}')], { output_parsed: { a: 1 } }))).toMatchObject({
    output: { a: 1 },
  });
  const limited = { code: 'rate_limit_exceeded', message: 'slow down' };
  expect(await failureOf(response([], { status: 'failed', error: limited }))).toEqual({
    code: 'rate_limit',
    message: 'the model failed: slow down',
    isFinal: false,
  });
  expect(await failureOf(response([], { status: 'queued' }))).toEqual({
    code: 'protocol',
    message: 'the agent returned a response that cannot be read: it is still queued',
    isFinal: false,
  });
});

function message(content: object[], more: object = {}) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 800,
      cache_creation_input_tokens: 100,
      output_tokens: 10,
    },
    ...more,
  };
}

// Per million tokens: $3 fresh, $0.30 from the cache, $3.75 into it, $15 of the answer.
const ANTHROPIC = { usage: { input_tokens: 1000, output_tokens: 10 }, cost_usd: 0.001_065 };

test('a message of Anthropic', async () => {
  const content = [
    { type: 'thinking', thinking: 'Oslo is in Norway.', signature: 'x' },
    { type: 'text', text: 'I look. ' },
    { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'Oslo' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srv_1',
      content: [{ type: 'web_search_result', title: 'Oslo' }],
    },
    { type: 'server_tool_use', id: 'srv_2', name: 'web_search', input: { query: 'Bergen' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srv_2',
      content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
  ];
  expect(await read(message(content, { stop_reason: 'tool_use' }))).toEqual({
    output: 'I look. ',
    tool_calls: [
      {
        name: 'web_search',
        arguments: { query: 'Oslo' },
        result: [{ type: 'web_search_result', title: 'Oslo' }],
      },
      { name: 'web_search', arguments: { query: 'Bergen' }, error: 'max_uses_exceeded' },
      { name: 'weather', arguments: { city: 'Oslo' } },
    ],
    messages: [
      ...given,
      {
        role: 'assistant',
        content: 'I look. ',
        tool_calls: [
          { id: 'srv_1', type: 'function', function: { name: 'web_search', arguments: '{"query":"Oslo"}' } },
          {
            id: 'srv_2',
            type: 'function',
            function: { name: 'web_search', arguments: '{"query":"Bergen"}' },
          },
          wireCall('toolu_1', 'Oslo'),
        ],
      },
    ],
    ...ANTHROPIC,
  });
  const helper = {
    finalText: () => '',
    finalMessage: () => Promise.resolve(message([{ type: 'text', text: 'Hi' }])),
  };
  expect(await read(helper)).toMatchObject({ output: 'Hi', tool_calls: [], ...ANTHROPIC });
});

test('an answer of Google Gen AI, with functions that the SDK ran itself', async () => {
  const answer = {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ text: 'hm', thought: true }, { text: 'It is ' }, { text: '5 degrees.' }],
        },
        finishReason: 'STOP',
      },
    ],
    modelVersion: 'gemini-2.5-flash',
    usageMetadata: {
      promptTokenCount: 100,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 5,
      totalTokenCount: 110,
    },
    automaticFunctionCallingHistory: [
      { role: 'user', parts: [{ text: 'How warm is it in Oslo?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'weather', response: { output: { degrees: 5 } } } }],
      },
    ],
  };
  expect(await read(answer)).toMatchObject({
    output: 'It is 5 degrees.',
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' }, result: { degrees: 5 } }],
    usage: { input_tokens: 100, output_tokens: 10 },
  });
  const pieces = [
    { candidates: [{ content: { parts: [{ text: 'It is ' }] } }], modelVersion: 'gemini-2.5-flash' },
    {
      ...answer,
      candidates: [{ content: { parts: [{ text: '5.' }] } }],
      automaticFunctionCallingHistory: [],
    },
  ];
  expect(await read(pieces.values())).toMatchObject({
    output: 'It is 5.',
    tool_calls: [],
    usage: { input_tokens: 100, output_tokens: 10 },
  });
  const blocked = { promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'gemini-2.5-flash' };
  expect(await read(blocked)).toMatchObject({ output: '', tool_calls: [] });
});

test('a Response is read as the answer of an HTTP agent', async () => {
  expect(await read(Response.json({ output: 'x', tool_calls: [{ name: 't' }] }))).toEqual({
    output: 'x',
    tool_calls: [{ name: 't' }],
  });
  expect(await read(new Response('plain'))).toEqual({ output: 'plain' });
  const events = 'data: {"text":"a"}\n\ndata: {"text":"b"}\n\ndata: [DONE]\n\n';
  const headers = { 'content-type': 'text/event-stream' };
  expect(await read(new Response(events, { headers }))).toEqual({ output: 'ab' });
  expect(await failureOf(new Response('busy', { status: 429 }))).toEqual({
    code: 'rate_limit',
    message: 'the Response that the agent returned answered 429: busy',
    isFinal: false,
  });
  const used = new Response('x');
  await used.text();
  expect(await failureOf(used)).toEqual({
    code: 'protocol',
    message:
      'the agent returned a Response whose body is already read, which cannot be judged; return the text or the value that was read',
    isFinal: true,
  });
});

test('the calls are not known if an answer has the result of another one', async () => {
  const found = { type: 'web_search_tool_result', tool_use_id: 'c9', content: [] };
  const answered = { functionResponse: { name: 'weather', response: {} } };
  const problem = (what: string, id: string) => ({
    code: 'protocol',
    message: `the agent returned a ${what} that cannot be read: it has the result of a tool call "${id}", but not the call`,
    isFinal: false,
  });
  expect([
    await failureOf({ type: 'message', role: 'assistant', content: [found], stop_reason: 'end_turn' }),
    await failureOf({ candidates: [{ content: { parts: [answered] } }], modelVersion: 'gemini-2.5-flash' }),
    await failureOf([{ getType: () => 'tool', tool_call_id: 'c9', content: 'warm' }]),
  ]).toEqual([problem('message', 'c9'), problem('content', 'weather'), problem('list of messages', 'c9')]);
});
