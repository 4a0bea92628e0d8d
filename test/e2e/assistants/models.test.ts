// Models as assistants reach them: over the wire, with everything that goes wrong there.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModelAnswer } from '../../servers/model-server.ts';
import { endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
import { chat, modelServer, openai, run } from '../support/assistant-files.ts';

describe('a model over chat completions', () => {
  test('gets prompts and messages, and its usage, price and first token are known', async () => {
    const server = await modelServer(() => ({ text: 'Hi Ann', usage: { input: 1000, output: 100 } }));
    const cwd = folder(
      chat(openai(server.url), [{ id: 'a', input: 'Hello', user: 'ann', expected: 'Hi Ann' }]),
    );
    const { exitCode, stdout } = await run(cwd);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('1 passed')]);
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    expect(result).toMatchObject({
      status: 'passed',
      output: 'Hi Ann',
      usage: { input_tokens: 1000, output_tokens: 100 },
      cost_usd: 0.0035,
      tool_calls: [],
    });
    expect(result?.first_token_ms).toBeGreaterThanOrEqual(0);
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers.authorization).toBe('Bearer sk-very-secret-1');
    expect(request?.body).toMatchObject({
      model: 'gpt-4o',
      temperature: 0,
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief with ann.' },
        { role: 'user', content: 'Hello' },
      ],
    });
  });

  test('a host that ends in a slash takes the path as it is; an unknown price is null', async () => {
    const server = await modelServer(() => 'ok');
    const cwd = folder(
      chat({ type: 'openai', options: { model: 'my-model', host: `${server.url}/api/` } }, [
        { id: 'a', input: 'x' },
      ]),
    );
    expect((await run(cwd)).exitCode).toBe(0);
    expect(server.requests[0]?.path).toBe('/api/chat/completions');
    expect(readLog(join(cwd, 'log.jsonl')).results[0]?.cost_usd).toBe(null);
  });

  test('a temporary failure is retried after a wait', async () => {
    const failures: ModelAnswer[] = [
      { status: 429, headers: { 'retry-after': '0.1' }, text: 'slow down' },
      { status: 500, text: 'oops' },
      { text: 'cut in the middle', cut_after: 60 },
    ];
    const server = await modelServer(
      (_request, count) => failures[count - 1] ?? { text: 'Grüße', drip_ms: 1 },
    );
    const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x', expected: 'Grüße' }]));
    expect((await run(cwd)).exitCode).toBe(0);
    expect(server.requests).toHaveLength(4);
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    expect(result?.logs).toHaveLength(3);
  });

  test.each([
    ['a server that only fails', { status: 500, text: 'oops' }, /^error \| connection \| .*500.*oops/, 3],
    [
      'a connection that is always cut',
      { text: 'long answer', cut_after: 30 },
      /^error \| connection \| .*cut/,
      3,
    ],
    [
      'too many requests for ever',
      { status: 429, headers: { 'retry-after': '0' } },
      /^error \| rate_limit \| /,
      3,
    ],
    [
      'a wrong key',
      { status: 401, text: 'bad key sk-very-secret-1' },
      /^error \| auth \| .*bad key \*\*\*/,
      3,
    ],
    [
      'a model that is not there',
      { status: 404, text: 'no such model' },
      /^error \| protocol \| .*no such model/,
      3,
    ],
    [
      'a page instead of an answer',
      { body: '<html>', headers: { 'content-type': 'text/html' } },
      /^error \| protocol/,
      3,
    ],
  ] satisfies [string, ModelAnswer, RegExp, number][])(
    '%s could not be measured: exit 3',
    async (_, answer, end, code) => {
      const server = await modelServer(() => answer);
      const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
      const { exitCode } = await run(cwd, '--retries', '1', '--timeout', '3s');
      expect([exitCode, endsIn(join(cwd, 'log.jsonl'))['a']]).toEqual([code, expect.stringMatching(end)]);
    },
  );

  test('a model that hangs is a timeout', async () => {
    const server = await modelServer(() => ({ hang: true }));
    const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
    expect((await run(cwd, '--timeout', '300ms')).exitCode).toBe(1);
    expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ a: 'timeout | timeout after 300ms' });
  });

  test('the key is nowhere in what is written', async () => {
    const server = await modelServer((request) => `your key is ${request.headers.authorization ?? ''}`);
    const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
    const { stdout, stderr } = await run(cwd, '-v', '-o', 'report.json');
    const all =
      stdout +
      stderr +
      readFileSync(join(cwd, 'log.jsonl'), 'utf8') +
      readFileSync(join(cwd, 'report.json'), 'utf8');
    expect(all).toContain('your key is Bearer ***');
    expect(all).not.toContain('sk-very-secret-1');
  });

  test('-c wins over the case, the case over package.yao', async () => {
    const server = await modelServer(({ body }) => String(body['model']));
    const cwd = folder({
      ...chat(openai(server.url), [
        { id: 'own', input: 'x' },
        { id: 'case', input: 'x', options: { connector: 'team.large' } },
      ]),
      'connectors/team/large.conn.yao': openai(server.url, { model: 'large' }),
      'connectors/team/huge-1.5.conn.yao': openai(server.url, { model: 'huge' }),
    });
    await run(cwd);
    expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ own: 'gpt-4o', case: 'large' });
    await run(cwd, '-c', 'team.huge-1.5');
    expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ own: 'huge', case: 'huge' });
  });
});

test('a model over Anthropic’s messages, with tools', async () => {
  const server = await modelServer((request, count) =>
    count === 1
      ? {
          tool_calls: [{ name: 'agents_chat_math__add', arguments: { a: 1, b: 2 } }],
          usage: { input: 10, output: 5 },
        }
      : {
          text: `tools said ${JSON.stringify(request.body['messages']).includes('"sum') ? 'sum' : 'nothing'}`,
          usage: { input: 20, output: 5 },
        },
  );
  const connector = {
    type: 'anthropic',
    options: { model: 'claude-sonnet-4-5', key: '$ENV.SHOP_KEY', host: server.url },
  };
  const cwd = folder({
    ...chat(connector, [
      {
        id: 'a',
        input: '1 + 2?',
        assert: { type: 'trajectory', value: [{ name: 'add', arguments: { a: 1, b: 2 } }] },
      },
    ]),
    'assistants/chat/package.yao': { connector: 'small', mcp: { servers: ['agents.chat.math'] } },
    'assistants/chat/mcps/math.mcp.yao': { transport: 'process', tools: { add: 'agents.chat.tools.Add' } },
    'assistants/chat/src/tools.ts': 'function Add({ a, b }) { return { sum: a + b }; }',
  });
  expect((await run(cwd)).exitCode).toBe(0);
  expect(readLog(join(cwd, 'log.jsonl')).results[0]).toMatchObject({
    output: 'tools said sum',
    usage: { input_tokens: 30, output_tokens: 10 },
    cost_usd: 0.00024,
    tool_calls: [{ name: 'agents_chat_math__add', arguments: { a: 1, b: 2 }, result: { sum: 3 } }],
  });
});

test('answers without an answer in them could not be measured', async () => {
  const bodies = ['{"choices":[]}', '{"choices":null}', '{"choices":"x"}', '[{"choices":1}]'];
  const server = await modelServer((_request, count) =>
    count <= bodies.length
      ? { body: bodies[count - 1] ?? '', headers: { 'content-type': 'application/json' } }
      : { body: 'data: [DONE]\n\n', headers: { 'content-type': 'text/event-stream' } },
  );
  const cases = [...bodies, 'sse'].map((_, index) => ({ id: `c${index}`, input: 'x' }));
  const cwd = folder(chat(openai(server.url), cases));
  expect((await run(cwd, '--retries', '0')).exitCode).toBe(3);
  const codes = readLog(join(cwd, 'log.jsonl')).results.map(({ status, code }) => `${status} ${code ?? ''}`);
  expect(codes).toEqual(cases.map(() => 'error protocol'));
});
