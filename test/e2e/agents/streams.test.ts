// Agents behind a URL that answer in the protocols of today's routes.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, endsIn, folder, readLog } from '../support/assay.ts';
import { serve } from '../support/http-server.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-o', 'log.jsonl', '--retries', '0'];
const EVENTS = { 'content-type': 'text/event-stream' };

const events = (...list: unknown[]): string => list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const lines = (...list: unknown[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join('');

const UI_STREAM = [
  { type: 'start' },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'forecast', input: { city: 'Oslo' } },
  { type: 'tool-output-available', toolCallId: 'c1', output: { degrees: 21 } },
  { type: 'finish-step' },
  { type: 'start-step' },
  { type: 'text-delta', id: '0', delta: 'It is ' },
  { type: 'text-delta', id: '0', delta: '21.' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
];
const CALLS = [{ name: 'forecast', arguments: { city: 'Oslo' }, result: { degrees: 21 } }];

function transcript({ output, tool_calls, usage }: Partial<ResultEvent> = {}) {
  return { output, ...(tool_calls && { tool_calls }), ...(usage && { usage }) };
}

test('a route with a tool is judged on its text, and its tool calls can be asserted', async () => {
  const { url, received } = await serve((_request, response) =>
    response
      .writeHead(200, { ...EVENTS, 'x-vercel-ai-ui-message-stream': 'v1' })
      .end(`${events(...UI_STREAM)}data: [DONE]\n\n`),
  );
  const cwd = folder({
    'package.yao': JSON.stringify({ run: { http: { url, format: 'ai-sdk-ui', body: { model: 'small' } } } }),
    'cases.jsonl': [
      { id: 'text', input: 'How warm is it in Oslo?', expected: 'It is 21.' },
      {
        id: 'tools',
        input: 'How warm is it in Oslo?',
        assert: [
          { type: 'tool_called', value: { name: 'forecast', arguments: { city: 'Oslo' } } },
          { type: 'tool_called', value: 'refund', negate: true },
        ],
      },
      { id: 'wrong', input: 'How warm is it in Oslo?', expected: { degrees: 21 } },
    ],
  });
  const { exitCode } = await assay(RUN, { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect([exitCode, results.map(({ id, status }) => `${id} ${status}`)]).toEqual([
    1,
    ['text passed', 'tools passed', 'wrong failed'],
  ]);
  expect(transcript(results[0])).toEqual({ output: 'It is 21.', tool_calls: CALLS });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    id: expect.stringMatching(/^test-/),
    messages: [{ id: 'message-1', role: 'user', parts: [{ type: 'text', text: 'How warm is it in Oslo?' }] }],
    trigger: 'submit-message',
    model: 'small',
  });
});

test('an AG-UI server gets the input of a run and is asked for text', async () => {
  const { url, received } = await serve((_request, response) =>
    response
      .writeHead(200, EVENTS)
      .end(
        events(
          { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
          { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'forecast' },
          { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"city":"Oslo"}' },
          { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c1', content: '{"degrees":21}' },
          { type: 'TEXT_MESSAGE_CHUNK', messageId: 'n', role: 'assistant', delta: 'It is 21.' },
          { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
        ),
      ),
  );
  const cwd = folder({
    'package.yao': JSON.stringify({ run: { http: { url, format: 'ag-ui' } } }),
    'cases.jsonl': [{ id: 'T1', input: 'How warm is it in Oslo?', expected: 'It is 21.' }],
  });
  expect((await assay(RUN, { cwd })).exitCode).toBe(0);
  expect(transcript(readLog(join(cwd, 'log.jsonl')).results[0])).toEqual({
    output: 'It is 21.',
    tool_calls: CALLS,
  });
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  const input = JSON.parse(body) as { threadId: string };
  expect([headers.accept, input]).toEqual([
    'text/event-stream',
    {
      threadId: expect.stringMatching(/^test-/),
      runId: `${input.threadId}-1`,
      state: {},
      messages: [{ id: 'message-1', role: 'user', content: 'How warm is it in Oslo?' }],
      tools: [],
      context: [],
      forwardedProps: {},
    },
  ]);
});

test('every other protocol, recognised by what arrives', async () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const tool = { name: 'find', arguments: { q: 1 } };
  const answers: Record<string, [type: string, body: string]> = {
    anthropic: [
      EVENTS['content-type'],
      events(
        { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ),
    ],
    chat: [
      EVENTS['content-type'],
      events(
        chunk({ content: 'Hi' }),
        chunk({ tool_calls: [{ index: 0, function: { name: 'find', arguments: '{"q":1}' } }] }),
        chunk({}, 'tool_calls'),
      ),
    ],
    ollama: [
      'application/x-ndjson',
      lines(
        { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: false },
        { model: 'm', message: { role: 'assistant', content: '' }, done: true, eval_count: 5 },
      ),
    ],
    responses: [
      EVENTS['content-type'],
      events(
        { type: 'response.created', response: { status: 'in_progress' } },
        { type: 'response.output_text.delta', delta: 'Hi' },
        { type: 'response.completed', response: { usage: { input_tokens: 3, output_tokens: 5 } } },
      ),
    ],
    whole: [
      'application/json',
      JSON.stringify({ object: 'chat.completion', choices: [{ message: { content: 'Hi' } }] }),
    ],
  };
  const { url } = await serve((request, response) => {
    const [type, body] = answers[request.url.slice(1)] ?? ['text/plain', 'unknown'];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(answers)) {
    const cwd = folder({ 'cases.jsonl': [{ id: name, input: 'hi' }] });
    await assay([...RUN, '-n', `${url}/${name}`], { cwd });
    found[name] = transcript(readLog(join(cwd, 'log.jsonl')).results[0]);
  }
  expect(found).toEqual({
    anthropic: { output: 'Hi', usage: { input_tokens: 3, output_tokens: 5 } },
    chat: { output: 'Hi', tool_calls: [tool] },
    ollama: { output: 'Hi', usage: { output_tokens: 5 } },
    responses: { output: 'Hi', usage: { input_tokens: 3, output_tokens: 5 } },
    whole: { output: 'Hi' },
  });
});

test('streams that report an error, stop early or are unknown are no verdicts', async () => {
  const bodies: Record<string, string> = {
    abort: events(...UI_STREAM.slice(0, 8), { type: 'abort' }),
    cut: events(...UI_STREAM.slice(0, 8)),
    limit: events({ type: 'RUN_STARTED' }, { type: 'RUN_ERROR', message: 'Slow down', code: 'rate_limit' }),
    unknown: events({ kind: 'token', value: 'Hi' }),
  };
  const { url } = await serve((request, response) =>
    response.writeHead(200, EVENTS).end(bodies[request.url.slice(1)]),
  );
  const ends: Record<string, string> = {};
  for (const name of Object.keys(bodies)) {
    const cwd = folder({ 'cases.jsonl': [{ id: name, input: 'hi', expected: 'It is 21.' }] });
    const { exitCode } = await assay([...RUN, '-n', `${url}/${name}`], { cwd });
    ends[name] = `${String(exitCode)} ${endsIn(join(cwd, 'log.jsonl'))[name] ?? ''}`;
  }
  expect(ends).toEqual({
    abort: `1 error | agent | POST ${url}/abort aborted its answer`,
    cut: `3 error | protocol | POST ${url}/cut cut its answer off: the stream ended without "finish"`,
    limit: `3 error | rate_limit | POST ${url}/limit sent an error: Slow down`,
    unknown: `3 error | protocol | POST ${url}/unknown sent events without a recognised text; the first is {"kind":"token","value":"Hi"}; say where it is in package.yao, such as "output": "$.delta.text"`,
  });
});

test('a format that does not exist is a configuration error', async () => {
  const cwd = folder({
    'package.yao': JSON.stringify({ run: { http: { url: 'http://127.0.0.1:9', format: 'ag-iu' } } }),
    'cases.jsonl': [{ id: 'T1', input: 'hi' }],
  });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining(
      'run.http.format: expected "ag-ui" or "ai-sdk-ui"\n  hint: did you mean "ag-ui"?',
    ),
  });
});
