// The built program against routes of the AI SDK, AG-UI and Ollama.

import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { folder } from '../test/e2e/support/assay.ts';
import { serve } from '../test/e2e/support/http-server.ts';
import { routes } from './routes.ts';
import type { Ran } from './run-agent.ts';
import { runAgent, transcriptOf } from './run-agent.ts';

const HISTORY = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Where is this?' },
      { type: 'image', source: 'data:image/png;base64,iVBORw0KGgo=' },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'forecast', arguments: '{"city":"Oslo"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', name: 'forecast', content: '{"degrees":5}' },
  { role: 'assistant', content: 'It is Oslo.' },
  { role: 'user', content: 'How warm is it in Bergen?' },
];

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body !== null) for await (const piece of answer.body) response.write(piece);
  response.end();
}

/** Runs cases on a route. */
async function ask(path: string, http: object, cases: object[]): Promise<Ran> {
  const { url } = await serve((request, response) => {
    const { accept = '' } = request.headers;
    const answering = async (): Promise<void> => {
      const answer = await routes[path]?.({ body: JSON.parse(request.body) as unknown, accept });
      if (answer !== undefined) await send(answer, response);
    };
    answering().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const cwd = folder({
    'assistants/route/package.yao': { run: { http: { url: `${url}${path}`, ...http } } },
    'app.yao': '{}',
  });
  return runAgent('route', cases, { url, cwd });
}

const UI = { format: 'ai-sdk-ui' };

test.each([
  ['/v5', {}],
  ['/v6', { usage: { input_tokens: 20, output_tokens: 10 } }],
])('a UI message stream with a tool: %s', async (path, spent) => {
  const { results } = await ask(path, UI, [
    { id: 'one', input: 'How warm is it in Oslo?' },
    { id: 'history', input: HISTORY },
    { id: 'error', input: 'How warm is it in Nowhere?' },
  ]);
  const answer = (city: string, count: number, outcome: object) => ({
    output: `Let me check.\n\nAfter ${String(count)} messages: it is 21 degrees.`,
    tool_calls: [{ name: 'forecast', arguments: { city }, ...outcome }],
    ...spent,
  });
  expect(
    Object.fromEntries(Object.entries(results).map(([id, result]) => [id, transcriptOf(result)])),
  ).toEqual({
    one: answer('Oslo', 3, { result: { city: 'Oslo', degrees: 21 } }),
    history: answer('Bergen', 8, { result: { city: 'Bergen', degrees: 21 } }),
    error: answer('Nowhere', 3, { error: 'An error occurred.' }),
  });
});

test('a model that refuses is not the fault of the agent, and a text stream is text', async () => {
  const broken = await ask('/v6/broken', UI, [{ id: 'a', input: 'Hello' }]);
  expect([broken.results['a']?.code, broken.results['a']?.error]).toEqual([
    'rate_limit',
    expect.stringMatching(/^POST http:\S+\/v6\/broken sent an error: Rate limit reached for the model$/),
  ]);
  const text = await ask('/v6/text', UI, [{ id: 'a', input: 'Hello' }]);
  expect(transcriptOf(text.results['a'])).toEqual({ output: 'Let me check.' });
});

test('an AG-UI server, which would rather send its binary form', async () => {
  const agUi = await ask('/ag-ui', { format: 'ag-ui' }, [
    { id: 'one', input: 'How warm is it?' },
    { id: 'history', input: HISTORY },
  ]);
  const answer = (question: string) => ({
    output: `Let me check.\n\nYou asked ${JSON.stringify(question)}`,
    tool_calls: [{ name: 'forecast', arguments: { city: 'Oslo' }, result: { degrees: 21 } }],
  });
  expect([transcriptOf(agUi.results['one']), transcriptOf(agUi.results['history'])]).toEqual([
    answer('How warm is it?'),
    answer('How warm is it in Bergen?'),
  ]);
  const body = { body: '{{ag_ui}}' };
  const plain = await ask('/ag-ui', body, [{ id: 'a', input: 'Hello' }]);
  expect([plain.results['a']?.code, plain.results['a']?.error]).toEqual([
    'protocol',
    expect.stringContaining(
      'answered in the binary form of AG-UI, which cannot be read; add "format": "ag-ui"',
    ),
  ]);
});

test('a route like that of Ollama', async () => {
  const body = { model: 'm', messages: '{{messages}}' };
  const { results } = await ask('/ollama', { body }, [{ id: 'a', input: 'How warm is it?' }]);
  expect(transcriptOf(results['a'])).toEqual({
    output: 'It is 21.',
    usage: { input_tokens: 26, output_tokens: 298 },
  });
});
