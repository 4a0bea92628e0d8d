import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { join } from 'node:path';

/** An agent that returns what `ctx.metadata.way` names. */
const AGENT = `
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
  const reply = (message) => ({
    object: 'chat.completion', model: 'gpt-4o-mini',
    choices: [{ message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  });
  const WAYS = {
    text: () => 'It is warm.',
    answer: () => reply({ content: 'It is warm.' }),
    call: () => reply({ content: null, tool_calls: [call] }),
    route: () => Response.json(reply({ content: 'It is warm.' })),
    fetched: () => fetch(process.env.ROUTE_URL),
    map: () => new Map([['answer', 'It is warm.']]),
    nested: () => ({ answer: new Set(['It is warm.']) }),
    transcript: () => ({ output: 'It is warm.', tool_calls: 'weather' }),
  };
  export default async (messages, ctx) => WAYS[ctx.metadata.way]();`;

const CALLED = { type: 'tool_called', value: 'weather' };
const NOT_CALLED = { ...CALLED, negate: true };

async function judge(
  cases: Record<string, { way: string; assert: object }>,
  env: Record<string, string> = {},
) {
  const cwd = folder({ 'agent.ts': AGENT });
  const lines = Object.entries(cases).map(([id, { way, assert }]) =>
    JSON.stringify({ id, input: 'Is it warm in Oslo?', metadata: { way }, assert }),
  );
  const args = ['test', '-i', '-', '-n', './agent.ts', '-o', 'log.jsonl', '--no-history'];
  const { exitCode } = await assay(args, { cwd, input: lines.join('\n'), env });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const ends = results.map(({ id, status, code, error, retries }) => [
    id,
    [status, code, error, retries].filter((part) => part !== undefined && part !== 0).join(' | '),
  ]);
  return { exitCode, results, ends: Object.fromEntries(ends) as Record<string, string> };
}

test('the answer of an SDK is judged by its text and its calls', async () => {
  const warm = { type: 'equals', value: 'It is warm.' };
  const { ends, results, exitCode } = await judge({
    text: { way: 'answer', assert: warm },
    tokens: { way: 'answer', assert: { type: 'tokens', value: 110 } },
    'no call': { way: 'answer', assert: NOT_CALLED },
    'missing call': { way: 'answer', assert: CALLED },
    call: { way: 'call', assert: CALLED },
    result: { way: 'call', assert: { type: 'tool_result', name: 'weather' } },
    route: { way: 'route', assert: warm },
  });
  expect(ends).toEqual({
    text: 'passed',
    tokens: 'passed',
    'no call': 'passed',
    'missing call': 'failed | tool "weather" was not called; no tool was called',
    call: 'passed',
    result:
      'error | judge | the agent did not report what tool "weather" returned; each of its tool_calls must have "result" (null if there is none) or "error"',
    route: 'passed',
  });
  const found = results.find(({ id }) => id === 'call');
  expect([found?.output, found?.tool_calls]).toEqual([
    '',
    [{ name: 'weather', arguments: { city: 'Oslo' } }],
  ]);
  expect(exitCode).toBe(1);
});

test('what was not reported, and what cannot be read, is never a pass or a failure', async () => {
  const contains = { type: 'contains', value: 'warm' };
  const { ends, exitCode } = await judge({
    called: { way: 'text', assert: CALLED },
    'not called': { way: 'text', assert: NOT_CALLED },
    path: { way: 'text', assert: { type: 'trajectory', value: [] } },
    map: { way: 'map', assert: contains },
    nested: { way: 'nested', assert: contains },
    transcript: { way: 'transcript', assert: contains },
  });
  const unreported =
    'error | judge | the agent did not report its tool calls; it must answer {output, tool_calls: […]}, with an empty list if it made none';
  expect(ends).toEqual({
    called: unreported,
    'not called': unreported,
    path: unreported,
    map: 'error | protocol | the agent returned an object of the class Map without keys, which cannot be judged; return Object.fromEntries(map)',
    nested:
      'error | protocol | the agent returned an object of the class Set without keys in "output.answer", which cannot be judged; return [...set]',
    transcript:
      'error | protocol | the answer is a transcript that cannot be read: "tool_calls" is "weather", expected a list of {name, arguments, result} or {name, arguments, error}, with texts as name and error',
  });
  expect(exitCode).toBe(3);
});

test('a Response of a route that is busy at first is tried again', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(429, { 'retry-after': '0' }).end('busy');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"output":"It is warm."}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const assert = { type: 'equals', value: 'It is warm.' };
  const { ends } = await judge(
    { fetched: { way: 'fetched', assert } },
    { ROUTE_URL: `http://127.0.0.1:${String(port)}/chat` },
  );
  expect([ends, asked]).toEqual([{ fetched: 'passed | 1' }, 2]);
});
