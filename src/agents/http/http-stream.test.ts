import { expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import type { AnswerPaths } from './http-answer.ts';
import { readAnswer } from './http-answer.ts';

const UI = { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' };
const DATA = { 'content-type': 'text/plain; charset=utf-8', 'x-vercel-ai-data-stream': 'v1' };
const LINES = { 'content-type': 'application/x-ndjson' };

const UI_STREAM = [
  '{"type":"start"}',
  '{"type":"start-step"}',
  '{"type":"text-delta","id":"0","delta":"Über "}',
  '{"type":"text-delta","id":"0","delta":"Oslo 😀"}',
  '{"type":"tool-input-available","toolCallId":"c1","toolName":"forecast","input":{"city":"Oslo"}}',
  '{"type":"tool-output-available","toolCallId":"c1","output":{"degrees":21}}',
  '{"type":"finish-step"}',
  '{"type":"start-step"}',
  '{"type":"text-delta","id":"0","delta":"It is 21."}',
  '{"type":"finish-step"}',
  '{"type":"finish","finishReason":"stop"}',
];
const UI_TRANSCRIPT = {
  output: 'Über Oslo 😀\n\nIt is 21.',
  tool_calls: [{ name: 'forecast', arguments: { city: 'Oslo' }, result: { degrees: 21 } }],
};

/** A response whose body arrives in pieces of `size` bytes. */
function inPieces(headers: Record<string, string>, text: string, size = 1): Response {
  const bytes = Buffer.from(text);
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(sent, (sent += size))));
    },
  });
  return new Response(body, { headers });
}

const events = (...lines: string[]): string => lines.map((line) => `data: ${line}\n\n`).join('');

async function ask(response: Response, paths: AnswerPaths = {}): Promise<Transcript> {
  return readAnswer(response, 'POST URL', paths);
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof AttemptError ? { code: error.code, message: error.message } : error;
}

test.each([1, 2, 3, 7, 64, 5000])('a UI message stream in pieces of %i bytes', async (size) => {
  const body = events(...UI_STREAM, '[DONE]');
  expect(await ask(inPieces(UI, body, size))).toEqual(UI_TRANSCRIPT);
  expect(await ask(inPieces({ 'content-type': 'text/event-stream' }, body, size))).toEqual(UI_TRANSCRIPT);
});

test.each([1, 3, 5000])('a data stream and lines of JSON in pieces of %i bytes', async (size) => {
  const data = [
    'f:{"messageId":"m"}',
    '0:"Über "',
    '0:"Oslo 😀"',
    '9:{"toolCallId":"c1","toolName":"forecast","args":{"city":"Oslo"}}',
    'a:{"toolCallId":"c1","result":{"degrees":21}}',
    'e:{"finishReason":"tool-calls","isContinued":false}',
    'f:{"messageId":"n"}',
    '0:"It is 21."',
    'd:{"finishReason":"stop","usage":{"promptTokens":null,"completionTokens":null}}',
  ].join('\n');
  expect(await ask(inPieces(DATA, data, size))).toEqual(UI_TRANSCRIPT);
  const line = (fields: object) => JSON.stringify({ model: 'm', ...fields });
  const ollama = [
    line({ message: { role: 'assistant', content: 'Über ' }, done: false }),
    line({ message: { role: 'assistant', content: 'Oslo 😀' }, done: false }),
    line({ message: { role: 'assistant', content: '' }, done: true, prompt_eval_count: 1, eval_count: 2 }),
  ];
  expect(await ask(inPieces(LINES, `${ollama.join('\r\n')}\r\n`, size))).toEqual({
    output: 'Über Oslo 😀',
    usage: { input_tokens: 1, output_tokens: 2 },
  });
  expect(
    await ask(inPieces({ 'content-type': 'application/jsonl' }, '{"text":"a"}\n\n{"text":"b"}')),
  ).toEqual({
    output: 'ab',
  });
});

test('paths of the definition win over the reader, each for its part', async () => {
  const body = events(...UI_STREAM, '[DONE]');
  expect(await ask(inPieces(UI, body, 100), { output: '$.delta' })).toEqual({
    output: 'Über Oslo 😀It is 21.',
  });
  expect(await ask(inPieces(UI, body, 100), { tool_calls: '$.no' })).toEqual({
    output: UI_TRANSCRIPT.output,
    tool_calls: [],
  });
  expect(
    await ask(inPieces(DATA, '0:"a"\nd:{"finishReason":"stop","n":{"input_tokens":1}}'), { usage: '$.n' }),
  ).toEqual({ output: 'a', tool_calls: [], usage: { input_tokens: 1 } });
  expect(await ask(inPieces(LINES, '{"a":{"b":"x"}}\n{"a":{"b":"y"}}\n'), { output: '$.a.b' })).toEqual({
    output: 'xy',
  });
});

test('streams that are cut off, or are not what they say', async () => {
  const failures = [
    await failureOf(ask(inPieces(UI, events(...UI_STREAM.slice(0, 4)), 100))),
    await failureOf(ask(inPieces(UI, events(...UI_STREAM, '[DONE]').slice(0, 66), 100))),
    await failureOf(ask(inPieces(UI, events(...UI_STREAM.slice(0, 4), 'keep going'), 100))),
    await failureOf(ask(inPieces(DATA, 'f:{"messageId":"m"}\n0:"The refund"\n0:" is den', 100))),
    await failureOf(ask(inPieces(DATA, 'f:{"messageId":"m"}\n0:"The refund"\n', 100))),
    await failureOf(ask(inPieces(DATA, '0:"The refund"\n', 100))),
    await failureOf(ask(inPieces(UI, events('{"type":"text-delta","id":"0","delta":"The refund"}'), 100))),
    await failureOf(ask(inPieces(DATA, 'hello\nd:{}', 100))),
    await failureOf(ask(inPieces(LINES, '{"text":"a"}\nhello\n{"text":"b"}\n', 100))),
    await failureOf(ask(inPieces(LINES, '{"text":"a"}\n{"te', 100))),
    await failureOf(ask(inPieces(LINES, '{"a":1}\n{"b":2}\n', 100))),
    await failureOf(ask(inPieces(LINES, '', 100))),
    await failureOf(ask(inPieces({ 'content-type': 'application/vnd.ag-ui.event+proto' }, 'x'))),
  ];
  const protocol = (text: string) => ({ code: 'protocol', message: `POST URL ${text}` });
  expect(failures).toEqual([
    protocol('cut its answer off: the stream ended without "finish"'),
    protocol('cut its answer off inside an event: {"type"'),
    protocol('sent an event that cannot be read: keep going'),
    protocol('cut its answer off inside an event: 0:" is den'),
    protocol('cut its answer off: the stream ended without a line with the code d'),
    protocol('cut its answer off: the stream ended without a line with the code d'),
    protocol('cut its answer off: the stream ended without "finish"'),
    protocol('sent an event that cannot be read: hello'),
    protocol('sent an event that cannot be read: hello'),
    protocol('cut its answer off inside an event: {"te'),
    protocol(
      'sent events without a recognised text; the first is {"a":1}; say where it is in package.yao, such as "output": "$.delta.text"',
    ),
    protocol('sent a stream without an event that has a text'),
    protocol(
      'answered in the binary form of AG-UI, which cannot be read; add "format": "ag-ui" to the agent\'s package.yao to ask for text',
    ),
  ]);
});

test('an event that cannot be read is no part of the answer, wherever it is', async () => {
  const sse = { 'content-type': 'text/event-stream' };
  const [start = '', finish = ''] = [UI_STREAM[0], UI_STREAM.at(-1)];
  const text = '{"type":"text-delta","id":"0","delta":"a"}';
  const broken = '{"type":"text-delta","delta":';
  const chunk = '{"choices":[{"delta":{"content":"a"}}]}';
  const run = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}';
  const unread = (event: string) => ({
    code: 'protocol',
    message: `POST URL sent an event that cannot be read: ${event}`,
  });
  const sent: [string, ...string[]][] = [
    [broken, start, broken, finish],
    [broken, start, broken, '[DONE]'],
    [broken, start, text, broken, finish],
    [broken, broken, start, text, finish],
    ['hello', start, 'hello', text, finish],
    ['"hello"', start, '"hello"', text, finish],
    ['a number', start, text, '7', finish],
    ['{"type":"text-delta","delta":7}', start, '{"type":"text-delta","delta":7}', finish],
    [broken, chunk, broken, '[DONE]'],
    [broken, broken, chunk, '[DONE]'],
    [broken, run, broken, '{"type":"RUN_FINISHED"}'],
    [broken, '{"text":"a"}', broken, '{"text":"b"}'],
  ];
  for (const [unreadable, ...stream] of sent)
    expect(await failureOf(ask(inPieces(sse, events(...stream), 100)))).toEqual(unread(unreadable));
  expect(await failureOf(ask(inPieces(UI, events('hello', start, text, finish), 100)))).toEqual(
    unread('hello'),
  );
  expect(
    await failureOf(ask(inPieces(sse, events('{"a":"x"}', '{"a":', '{"a":"y"}'), 100), { output: '$.a' })),
  ).toEqual(unread('{"a":'));
  // Text that is sent in pieces may itself be JSON.
  expect(await ask(inPieces(sse, events('{"a":', '1}', '[DONE]'), 100))).toEqual({ output: '{"a":1}' });
});

test('a stream that only begins like a known one is read as a simple one', async () => {
  const sse = { 'content-type': 'text/event-stream' };
  expect(
    await ask(inPieces(sse, events('{"type":"start"}', '{"type":"token","text":"a"}', '{"type":"end"}'))),
  ).toEqual({ output: 'a' });
  expect(await ask(inPieces(sse, events('{"status":"thinking"}', ...UI_STREAM), 100))).toEqual(UI_TRANSCRIPT);
});

test('neither results of tools nor thoughts are answers, whoever sends them', async () => {
  const sse = { 'content-type': 'text/event-stream' };
  const stream = [
    '{"type":"thinking","text":"Hm."}',
    '{"type":"text","text":"It is 21."}',
    '{"type":"tool_result","output":{"degrees":21}}',
    '{"type":"tool_call","delta":"{}"}',
  ];
  expect(await ask(inPieces(sse, events(...stream), 100))).toEqual({ output: 'It is 21.' });
  expect(await ask(inPieces(sse, `data: a\n\nevent: tool_result\ndata: {"output":1}\n\n`, 100))).toEqual({
    output: 'a',
  });
});

test('whole answers of services', async () => {
  const json = (value: unknown): Response => Response.json(value);
  const message = { role: 'assistant', content: 'Hi' };
  const completion = {
    object: 'chat.completion',
    choices: [{ message }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  };
  const usage = { input_tokens: 1, output_tokens: 2 };
  expect([
    await ask(json(completion)),
    await ask(json(completion), { output: '$.object' }),
    await ask(json({ model: 'm', message, done: true, prompt_eval_count: 1, eval_count: 2 })),
    await ask(json({ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }], usage })),
    await ask(
      json({
        object: 'response',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
      }),
    ),
    await ask(json({ object: 'invoice', output: 'x' })),
    await ask(json({ object: 'invoice', total: 1 })),
  ]).toEqual([
    { output: 'Hi', usage },
    { output: 'chat.completion' },
    { output: 'Hi', usage },
    { output: 'Hi', usage },
    { output: 'Hi' },
    { output: 'x' },
    { output: { object: 'invoice', total: 1 } },
  ]);
});
