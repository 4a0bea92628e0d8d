import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelAnswer, ModelServer } from '../../../test/servers/model-server.ts';
import { startModelServer } from '../../../test/servers/model-server.ts';
import { ask, connectorAt, failureOf } from '../chat.fixture.ts';

let said: ModelAnswer = {};
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ answer: () => said });
});
afterAll(() => server.close());

const typed = (type: string, body: string): ModelAnswer => ({ body, headers: { 'content-type': type } });
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const choice = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const end = event(choice({}, { finish_reason: 'stop' }));
const hello = event(choice({ content: 'Hello ' })) + event(choice({ content: 'world' }));
const done = 'data: [DONE]\n\n';
const message = { role: 'assistant', content: 'Hello world' };

async function contentOf(answer: ModelAnswer): Promise<string> {
  said = answer;
  return (await ask(connectorAt(server.url))).content;
}

test.each<[string, ModelAnswer]>([
  ['a byte order mark', { body: `\uFEFF${hello}${end}` }],
  ['a byte order mark that arrives in pieces', { body: `\uFEFF${hello}${end}`, drip_ms: 1, drip_bytes: 20 }],
  ['events without data', { body: `data:\n\n${hello}data: \n\ndata\n\n${end}${done}` }],
  ['white space around the end', { body: `${hello}data:  [DONE] \n\n` }],
  ['events called text', typed('text/plain', `${hello}${end}`)],
  ['events called text that end as events do', typed('text/plain', `${hello}${done}`)],
  ['the news that there is no error', { body: `${hello}${end}${event({ error: false })}` }],
  ['a time to connect again first', typed('text/plain', `retry: 5\n${hello}${end}`)],
  ['events after a byte order mark called text', typed('text/plain', `\uFEFF${hello}${end}`)],
  ['JSON called events', { body: JSON.stringify({ choices: [{ message }] }) }],
  ['JSON called events, after white space', { body: `\n ${JSON.stringify({ choices: [{ message }] })}` }],
  ['JSON called events, in pieces', { body: `\n${JSON.stringify({ choices: [{ message }] })}`, drip_ms: 1 }],
  ['JSON after a byte order mark', typed('text/x', `\uFEFF${JSON.stringify({ choices: [{ message }] })}`)],
  [
    'further choices',
    {
      body:
        event({ choices: [{ index: 1, delta: { content: 'No' } }] }) +
        event({
          choices: [
            { index: 1, delta: { content: 'XX' } },
            { index: 0, delta: { content: 'Hello ' } },
          ],
        }) +
        event({ choices: [{ index: 1, delta: { content: 'YY' }, finish_reason: 'stop' }] }) +
        event(choice({ content: 'world' })) +
        end,
    },
  ],
])('understands %s', async (_what, answer) => {
  expect(await contentOf(answer)).toBe('Hello world');
});

const otherEnd = event({ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] });
const half = `${hello}data: {"choices":[{"delta":{"content":"wor`;
const died = { code: 502, message: 'provider died' };

test.each<[string, ModelAnswer, code: string, message: string]>([
  [
    'content that is a number',
    { body: `${event(choice({ content: 42 }))}${end}` },
    'protocol',
    'sent content that is no text: 42',
  ],
  [
    'content that is an object',
    typed('application/json', JSON.stringify({ choices: [{ message: { content: { a: 1 } } }] })),
    'protocol',
    'sent content that is no text: {"a":1}',
  ],
  [
    'events called text that stop before their end',
    typed('text/plain', hello),
    'connection',
    `the response was cut off after ${String(hello.length)} characters`,
  ],
  [
    'an event called text that stops in the middle',
    typed('text/plain', half),
    'connection',
    `the response was cut off after ${String(half.length)} characters`,
  ],
  [
    'an event that stops in the middle',
    { body: half },
    'connection',
    `the response was cut off after ${String(half.length)} characters`,
  ],
  [
    'another choice alone that has ended',
    { body: hello + otherEnd },
    'connection',
    `the response was cut off after ${String(hello.length + otherEnd.length)} characters`,
  ],
  [
    'an error in a choice',
    { body: `${hello}${event(choice({}, { finish_reason: 'error', error: died }))}${done}` },
    'connection',
    'answered 502: provider died',
  ],
  [
    'an error in a choice of one body',
    typed('application/json', JSON.stringify({ choices: [{ message, error: { ...died, code: 429 } }] })),
    'rate_limit',
    'answered 429: provider died',
  ],
  [
    'an error as the reason for the end',
    { body: `${hello}${event(choice({}, { finish_reason: 'error' }))}${done}` },
    'connection',
    'answered 500: the model stopped with an error',
  ],
  [
    'an event of the name error',
    { body: `${hello}event: error\ndata: {"message":"engine died","code":500}\n\n${done}` },
    'connection',
    'answered 500: engine died',
  ],
  [
    'an event of the name error with an error inside',
    { body: `${hello}event:error\ndata: {"error":{"message":"slow","type":"rate_limit_error"}}\n\n` },
    'rate_limit',
    'answered 429: slow',
  ],
  [
    'an event of the name error that is no JSON',
    { body: `${hello}event: error\ndata: engine died\n\n${done}` },
    'connection',
    'answered 500: engine died',
  ],
  [
    'an object that says it is an error',
    { body: `${hello}${event({ object: 'error', message: 'too long', code: 400 })}${done}` },
    'protocol',
    'answered 400: too long',
  ],
  [
    'a body that says it is an error',
    typed('application/json', '{"object":"error","message":"busy","type":"overloaded"}'),
    'connection',
    'answered 529: busy',
  ],
  [
    'an error as JSON called events',
    { body: '{"error":{"message":"bad key","code":401}}' },
    'auth',
    'answered 401: bad key',
  ],
  [
    'JSON called events that was cut off',
    { body: '{"choices":[{"mess', cut_after: 18 },
    'connection',
    'the response was cut off after 18 characters',
  ],
])('%s is no answer', async (_what, answer, code, text) => {
  said = answer;
  const connector = connectorAt(server.url);
  expect(await failureOf(ask(connector), connector)).toEqual({ code, message: text, isFinal: true });
});

test('only events of the name error are errors', async () => {
  const ping = 'event: ping\ndata: {"message":"still here"}\n\n';
  expect(await contentOf({ body: `event: error\n\n${ping}${hello}${end}` })).toBe('Hello world');
});

type Piece = [index: unknown, id: unknown, name: unknown, text: unknown];

/** What a server's pieces of calls mean, each list sent as one event. */
async function callsOf(...lists: Piece[][]): Promise<unknown[]> {
  const events = lists.map((pieces) => {
    const calls = pieces.map(([index, id, name, text]) => ({
      index,
      id,
      function: { name, arguments: text },
    }));
    return event(choice({ tool_calls: calls }));
  });
  said = { body: `${events.join('')}${end}` };
  const { tool_calls: calls = [] } = await ask(connectorAt(server.url));
  return calls.map(({ id, name, arguments: given }) => [id.replace(/^call_\d+$/, 'made'), name, given]);
}

test.each([
  ['0', 0],
  ['null', null],
  ['nothing', undefined],
])('tells calls apart that are all numbered %s', async (_what, index) => {
  const none = undefined;
  expect([
    await callsOf([[index, none, 'find', '{"x":1}']], [[index, none, 'find', '{"x":2}']]),
    await callsOf(
      [[index, none, 'find', '{"x":1}']],
      [[index, none, 'find', '']],
      [[index, none, none, '{"x":2}']],
    ),
    await callsOf([
      [index, none, 'now', ''],
      [index, none, 'then', ''],
    ]),
    await callsOf([
      [index, 'a', 'find', '{"x":1}'],
      [index, 'a', 'find', '{"x":2}'],
    ]),
    await callsOf([[index, 'a', 'find', '{"x":1}']], [[index, 'a', 'find', '{"x":2}']]),
    await callsOf([[index, 'a', 'find', '{"x":1}']], [[index, 'a', 'seek', '{"x":2}']]),
    await callsOf([[index, 'a', 'find', '{"x":1}']], [[index, 'b', 'find', '{"x":2}']]),
  ]).toEqual([
    [
      ['made', 'find', { x: 1 }],
      ['made', 'find', { x: 2 }],
    ],
    [
      ['made', 'find', { x: 1 }],
      ['made', 'find', { x: 2 }],
    ],
    [
      ['made', 'now', {}],
      ['made', 'then', {}],
    ],
    [
      ['a', 'find', { x: 1 }],
      ['a', 'find', { x: 2 }],
    ],
    [
      ['a', 'find', { x: 1 }],
      ['a', 'find', { x: 2 }],
    ],
    [
      ['a', 'find', { x: 1 }],
      ['a', 'seek', { x: 2 }],
    ],
    [
      ['a', 'find', { x: 1 }],
      ['b', 'find', { x: 2 }],
    ],
  ]);
});

test('puts a call together whose name is repeated, or comes in pieces', async () => {
  const none = undefined;
  expect([
    await callsOf([[0, 'a', 'find', '{"x":']], [[0, 'a', 'find', '1}']], [[0, 'a', 'find', '']]),
    await callsOf([[0, 'a', 'find', '']], [[0, 'a', 'find', '{"x":1}']]),
    await callsOf([[0, 'a', 'agents_', '']], [[0, none, 'find', '{"x":']], [[0, '', '', '1}']]),
    await callsOf([[0, 'a', 'agents_', '']], [[0, 'a', 'find', '']], [[0, 'a', none, '{"x":1}']]),
    await callsOf([[0, none, 'find', '{"x":1}']], [[0, 'a', none, '']]),
    await callsOf([[0, 'a', 'find', '{"x":']], [[0, 'b', none, '1}']]),
  ]).toEqual([
    [['a', 'find', { x: 1 }]],
    [['a', 'find', { x: 1 }]],
    [['a', 'agents_find', { x: 1 }]],
    [['a', 'agents_find', { x: 1 }]],
    [['a', 'find', { x: 1 }]],
    [['a', 'find', { x: 1 }]],
  ]);
});
