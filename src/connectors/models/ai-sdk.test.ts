import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelAnswer, ModelServer } from '../../../test/servers/model-server.ts';
import { startModelServer } from '../../../test/servers/model-server.ts';
import type { Message } from '../../model/case.ts';
import { ask, connectorAt, failureOf } from '../chat.fixture.ts';
import type { ChatRequest } from '../chat.ts';

let said: ModelAnswer = {};
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ answer: () => said });
});
afterAll(() => server.close());

const anthropic = () => connectorAt(server.url, { type: 'anthropic', model: 'claude-sonnet-4-20250514' });
const google = () => connectorAt(server.url, { type: 'google', model: 'gemini-2.5-flash' });

const parameters = { type: 'object', properties: { a: { type: 'number' } } };
const tools = [{ name: 'add', description: 'Adds.', parameters }];
const conversation: Message[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'see' },
      { type: 'image', source: 'data:image/png;base64,AAAA' },
      { type: 'file', source: 'data:text/plain;base64,eA==' },
    ],
  },
  {
    role: 'assistant',
    content: 'One moment.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '2' },
  { role: 'user', content: 'and?' },
];

async function answerTo(answer: ModelAnswer, connector = anthropic(), request: Partial<ChatRequest> = {}) {
  said = answer;
  const { first_token_ms: first = 0, ...rest } = await ask(connector, { request });
  return { ...rest, isTimed: first > 0 };
}

const usage = { input_tokens: 10, output_tokens: 5 };
const whole = {
  content: 'Good day, häß€😀.',
  finish_reason: 'stop',
  usage,
  isTimed: true,
  cost_usd: 0.000105,
  model: 'claude-loopback',
};

test('asks Anthropic', async () => {
  const options = { max_tokens: 100, temperature: 0.5, stop: 'END', tool_choice: 'auto' };
  const request = { messages: conversation, tools, options };
  expect(await answerTo({ text: whole.content, drip_ms: 1, drip_bytes: 37 }, anthropic(), request)).toEqual(
    whole,
  );
  const { path, headers, body } = server.requests.at(-1) ?? {};
  expect([path, headers?.['x-api-key'], body]).toEqual([
    '/v1/messages',
    'sk-12345678',
    {
      model: 'claude-sonnet-4-20250514',
      max_tokens: 100,
      temperature: 0.5,
      stop_sequences: ['END'],
      stream: true,
      system: [{ type: 'text', text: 'Be brief.' }],
      tools: [expect.objectContaining({ name: 'add', description: 'Adds.', input_schema: parameters })],
      tool_choice: { type: 'auto' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'text', text: 'x' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'One moment.' },
            { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '2' },
            { type: 'text', text: 'and?' },
          ],
        },
      ],
    },
  ]);
});

test('lets Anthropic think', async () => {
  const options = { max_tokens: 100, thinking: { type: 'enabled', budget_tokens: 1024 } };
  await answerTo({ text: 'x' }, anthropic(), { options });
  expect(server.requests.at(-1)?.body['thinking']).toEqual({ type: 'enabled', budget_tokens: 1024 });
});

test('reads calls of tools', async () => {
  const calls = [
    { id: 'c1', name: 'add', arguments: { a: 1 } },
    { id: 'c2', name: 'add', arguments: {} },
  ];
  expect(await answerTo({ text: 'Wait.', tool_calls: calls }, anthropic(), { tools })).toEqual({
    ...whole,
    content: 'Wait.',
    finish_reason: 'tool_calls',
    tool_calls: calls,
  });
});

test('asks Google', async () => {
  const { model: _model, ...rest } = whole;
  const format = { type: 'json_schema', json_schema: { name: 'n', schema: parameters } };
  const options = { max_tokens: 100, response_format: format };
  const request = { messages: conversation, options };
  expect(await answerTo({ text: whole.content }, google(), request)).toEqual({
    ...rest,
    cost_usd: 0.0000155,
  });
  const { path, headers, body } = server.requests.at(-1) ?? {};
  expect([path, headers?.['x-goog-api-key'], body]).toEqual([
    '/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    'sk-12345678',
    {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: {
        maxOutputTokens: 100,
        responseMimeType: 'application/json',
        responseSchema: parameters,
      },
      contents: [
        {
          role: 'user',
          parts: [{ text: 'see' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }, { text: 'x' }],
        },
        {
          role: 'model',
          parts: [{ text: 'One moment.' }, { functionCall: { id: 'c1', name: 'add', args: { a: 1 } } }],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'c1', name: 'add', response: { name: 'add', content: '2' } } }],
        },
        { role: 'user', parts: [{ text: 'and?' }] },
      ],
    },
  ]);
  const call = { name: 'add', arguments: { a: 1 } };
  const { tool_calls: calls } = await answerTo({ tool_calls: [call] }, google(), { tools });
  expect(calls).toEqual([{ ...call, id: expect.any(String) }]);
});

const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'abc' } };
const unfinished = { candidates: [{ content: { role: 'model', parts: [{ text: 'abc' }] } }] };
const stream = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const started = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'x',
  content: [],
  usage: { input_tokens: 1 },
};
const begun = stream({ type: 'message_start', message: started }) + stream(block);
const failed = (type: string, message: string) => stream({ type: 'error', error: { type, message } });
const closed = 'the other side closed the connection (UND_ERR_SOCKET)';

test.each<[string, ModelAnswer, code: string, message: unknown]>([
  ['anthropic', { status: 401, text: 'bad key sk-12345678' }, 'auth', 'answered 401: bad key ***'],
  ['anthropic', { status: 404, text: 'no such model' }, 'protocol', 'answered 404: no such model'],
  ['anthropic', { status: 429, text: 'slow' }, 'rate_limit', 'answered 429: slow'],
  ['anthropic', { status: 500, body: '<html>' }, 'connection', 'answered 500: Internal Server Error'],
  ['anthropic', { status: 529, text: 'overloaded' }, 'connection', 'answered 529: overloaded'],
  ['anthropic', { text: 'a longer answer', cut_after: 500 }, 'connection', closed],
  ['anthropic', { body: stream(block) }, 'connection', 'the answer was cut off'],
  [
    'anthropic',
    { body: stream({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }) },
    'connection',
    'answered 529: busy',
  ],
  ['anthropic', { body: begun + failed('overloaded_error', 'busy') }, 'connection', 'answered 529: busy'],
  ['anthropic', { body: begun + failed('rate_limit_error', 'slow') }, 'rate_limit', 'answered 429: slow'],
  [
    'anthropic',
    { body: begun + failed('api_error', 'key sk-12345678') },
    'connection',
    'answered 500: key ***',
  ],
  [
    'anthropic',
    { status: 307, body: '', headers: { location: 'http://x.test/v1' } },
    'protocol',
    'answered 307: go to http://x.test/v1',
  ],
  ['google', { status: 301, body: '', headers: { location: '/x' } }, 'protocol', 'answered 301: go to /x'],
  [
    'google',
    { body: stream(unfinished) + stream({ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }) },
    'connection',
    'answered 503: busy',
  ],
  [
    'google',
    { body: stream(unfinished) + stream({ error: { code: 429, message: 'slow' } }) },
    'rate_limit',
    'answered 429: slow',
  ],
  ['google', { status: 403, text: 'no' }, 'auth', 'answered 403: no'],
  ['google', { status: 400, text: 'bad' }, 'protocol', 'answered 400: bad'],
  ['google', { text: 'a longer answer', cut_after: 50 }, 'connection', closed],
  ['google', { body: stream(unfinished) }, 'connection', 'the answer was cut off'],
  [
    'google',
    { body: stream({ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }) },
    'connection',
    'answered 503: busy',
  ],
  [
    'google',
    { body: 'data: {"a\n\n' },
    'protocol',
    expect.stringMatching(/^JSON parsing failed: .* Error message: /),
  ],
])('%s: %o is %s', async (type, answer, code, message) => {
  said = answer;
  const connector = type === 'google' ? google() : anthropic();
  expect(await failureOf(ask(connector), connector)).toEqual({ code, message, isFinal: true });
});

test('waits as long as it is told, and tries again', async () => {
  let count = 0;
  const own = await startModelServer({
    answer: () => {
      count += 1;
      return count === 1 ? { status: 429, headers: { 'retry-after': '0.05' } } : { text: 'at last' };
    },
  });
  const lines: string[] = [];
  const connector = { ...anthropic(), url: `${own.url}/v1` };
  const { content } = await ask(connector, { retries: 1, log: (line) => lines.push(line) });
  expect([content, lines.map((line) => line.replace(/.*;/, ''))]).toEqual([
    'at last',
    [' trying again in 50ms'],
  ]);
  await own.close();
});

test.each<[string, ModelAnswer]>([
  ['before the answer', { hang: true }],
  ['in the middle of it', { text: 'a long answer', drip_ms: 1000 }],
])('is given up as soon as the signal aborts, %s', async (_when, answer) => {
  said = answer;
  const controller = new AbortController();
  const reason = new Error('too late');
  setTimeout(() => controller.abort(reason), 30);
  expect(await failureOf(ask(anthropic(), { signal: controller.signal, retries: 2 }))).toBe(reason);
});

test.each(['anthropic', 'google'] as const)('keys of %s are not taken to another address', async (type) => {
  const other = await startModelServer();
  for (const status of [301, 302, 303, 307, 308]) {
    said = { status, body: '', headers: { location: `${other.url}/v1/messages` } };
    await failureOf(ask(connectorAt(server.url, { type })));
  }
  expect(other.requests).toEqual([]);
  await other.close();
});
