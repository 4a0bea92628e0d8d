// Agents behind a URL: what is sent, what is read, and what every kind of refusal means.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
import { json, refusingUrl, serve } from '../support/http-server.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-o', 'log.jsonl'];

function packageOf(http: Record<string, unknown>): string {
  return JSON.stringify({ run: { http } });
}

test('the default request carries messages, context and input; connections are kept alive', async () => {
  const { url, received } = await serve((request, response) =>
    json(response, { output: request.body.length > 0 }),
  );
  const cwd = folder({
    'cases.jsonl': [
      { id: 'T1', input: 'hello', metadata: { plan: 'pro' }, expected: true },
      {
        id: 'T2',
        input: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
          { role: 'user', content: 'c' },
        ],
      },
    ],
  });
  const { exitCode } = await assay([...RUN, '-n', `${url}/agent`, '-u', 'ada'], { cwd });
  expect(exitCode).toBe(0);
  expect(received.map(({ method, url, connection }) => [method, url, connection])).toEqual([
    ['POST', '/agent', 1],
    ['POST', '/agent', 1],
  ]);
  expect(received[0]?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    messages: [{ role: 'user', content: 'hello' }],
    context: {
      chat_id: expect.stringMatching(/^test-/),
      assistant_id: `${url}/agent`,
      authorized: { sub: 'ada', user_id: 'ada', team_id: 'test-team' },
      metadata: { plan: 'pro' },
      client: { type: 'test', ip: '127.0.0.1' },
      locale: 'en-us',
      referer: 'test',
      accept: 'standard',
    },
    input: 'hello',
  });
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ input: 'c', messages: [{}, {}, {}] });
  expect(readLog(join(cwd, 'log.jsonl')).start.agent_id).toBe(`${url}/agent`);
});

test('body template, method, headers with $ENV and output path; the secret is seen nowhere', async () => {
  const secret = 'sk-4f9a8b7c6d5e';
  const { url, received } = await serve((request, response) =>
    json(response, { choices: [{ text: `you sent ${String(request.headers['authorization'])}` }] }),
  );
  const cwd = folder({
    'assistants/remote/package.yao': packageOf({
      url: '$ENV.AGENT_URL/v1/ask',
      method: 'PUT',
      headers: { authorization: 'Bearer $ENV.AGENT_TOKEN', 'x-plain': 'yes' },
      body: {
        q: '{{input}}',
        all: '{{messages}}',
        who: 'user {{context.authorized.user_id}}',
        keep: '{{nothing}}',
        n: 1,
      },
      output: '$.choices[0].text',
    }),
    'cases.jsonl': [
      // Judging sees what was really said; only what is shown is masked.
      { id: 'T1', input: 'hello', expected: `you sent Bearer ${secret}` },
      { id: 'T2', input: 'hello', expected: 'something else' },
    ],
  });
  const args = [...RUN, '-o', 'r.json', '-o', 'r.md', '-o', 'r.xml', '-n', 'remote', '-v'];
  const { exitCode, stdout, stderr } = await assay(args, {
    cwd,
    env: { AGENT_URL: url, AGENT_TOKEN: secret },
  });

  expect(received[0]).toMatchObject({
    method: 'PUT',
    url: '/v1/ask',
    headers: { authorization: `Bearer ${secret}`, 'x-plain': 'yes' },
  });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    q: 'hello',
    all: [{ role: 'user', content: 'hello' }],
    who: 'user test-user',
    keep: '{{nothing}}',
    n: 1,
  });
  expect({ exitCode, ...outputsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    T1: 'you sent ***',
    T2: 'you sent ***',
  });
  expect(endsIn(join(cwd, 'log.jsonl'))['T1']).toBe('passed');
  const written = ['log.jsonl', 'r.json', 'r.md', 'r.xml'].map((name) =>
    readFileSync(join(cwd, name), 'utf8'),
  );
  const state = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'cases.jsonl')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  // The case file itself names the secret, and so do the expectation in log and reports: masked there too.
  for (const text of [stdout, stderr, ...written, ...state]) expect(text).not.toContain(secret);
});

test('text, JSON and event streams', async () => {
  const { url } = await serve(({ url }, response) => {
    if (url === '/text') response.writeHead(200, { 'content-type': 'text/plain' }).end('plain {"a":1}');
    else if (url === '/json') json(response, { a: [1] });
    else if (url === '/transcript')
      json(response, {
        output: 'x',
        tool_calls: [{ name: 't' }],
        usage: { input_tokens: 1, output_tokens: 2 },
      });
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const word of ['Hel', 'lo', ' wörld'])
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: word } }] })}\n\n`);
      response.end('data: [DONE]\n\n');
    }
  });
  const outputs: Record<string, unknown> = {};
  for (const path of ['text', 'json', 'transcript', 'sse']) {
    const cwd = folder({ 'cases.jsonl': [{ id: path, input: 'hi' }] });
    await assay([...RUN, '-n', `${url}/${path}`], { cwd });
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    outputs[path] = result?.output;
    if (path === 'transcript')
      expect(result).toMatchObject({
        tool_calls: [{ name: 't' }],
        usage: { input_tokens: 1, output_tokens: 2 },
      });
  }
  expect(outputs).toEqual({ text: 'plain {"a":1}', json: { a: [1] }, transcript: 'x', sse: 'Hello wörld' });
});

test.each([
  [
    '500 is the agent’s own crash and not tried again',
    500,
    1,
    'error | agent | POST {url} answered 500 Internal Server Error: "boom"',
    1,
  ],
  [
    '401 is about credentials and not tried again',
    401,
    3,
    'error | auth | POST {url} answered 401 Unauthorized: "boom"',
    1,
  ],
  [
    '503 could not be measured and is tried again',
    503,
    3,
    'error | connection | POST {url} answered 503 Service Unavailable: "boom"',
    2,
  ],
])('%s', async (_name, status, expected, end, requests) => {
  const { url, received } = await serve((_request, response) => json(response, 'boom', status));
  const cwd = folder({ 'cases.jsonl': [{ id: 'T1', input: 'hi' }] });
  const { exitCode } = await assay([...RUN, '-n', url, '--retries', '1'], { cwd });
  expect({ exitCode, requests: received.length, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: expected,
    requests,
    T1: end.replace('{url}', `${url}/`),
  });
});

test('429 is tried again, not before the time it asks for', async () => {
  const times: number[] = [];
  const { url, received } = await serve((_request, response, count) => {
    times.push(Date.now());
    if (count === 1) json(response, 'slow down', 429, { 'retry-after': '1' });
    else json(response, 'fine');
  });
  const cwd = folder({ 'cases.jsonl': [{ id: 'T1', input: 'hi', expected: 'fine' }] });
  const { exitCode } = await assay([...RUN, '-n', url], { cwd });
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  expect({ exitCode, requests: received.length, retries: result?.retries, status: result?.status }).toEqual({
    exitCode: 0,
    requests: 2,
    retries: 1,
    status: 'passed',
  });
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
});

test('a refused connection could not be measured: exit 3, after the retries', async () => {
  const url = await refusingUrl();
  const cwd = folder({ 'cases.jsonl': [{ id: 'T1', input: 'hi' }] });
  const { exitCode } = await assay([...RUN, '-n', url, '--retries', '1'], { cwd });
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(3);
  expect(results[0]).toMatchObject({
    status: 'error',
    code: 'connection',
    error: `POST ${url}/: connection refused (ECONNREFUSED)`,
    retries: 1,
  });
  expect(summary).toMatchObject({
    total: 1,
    passed: 0,
    failed: 1,
    errors: 1,
    exit_code: 3,
    overall_pass_rate: null,
  });
});

test('an answer that is cut off, is no JSON, lacks its path or never ends', async () => {
  const { url } = await serve(({ url }, response) => {
    if (url === '/cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"a":');
      setTimeout(() => response.destroy(), 20);
    } else if (url === '/garbage')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{oops');
    else if (url === '/path') json(response, { a: 1 });
    else if (url === '/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"text":"a"}\n\n');
      setTimeout(() => response.destroy(), 20);
    } else if (url === '/huge')
      response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(11 << 20));
    else response.writeHead(200, { 'content-type': 'text/plain' }).write('and so on');
  });
  const ends: Record<string, string> = {};
  for (const path of ['cut', 'garbage', 'path', 'stream', 'huge', 'endless']) {
    const cwd = folder({
      'package.yao': packageOf({ url: `${url}/${path}`, ...(path === 'path' ? { output: '$.b' } : {}) }),
      'cases.jsonl': [{ id: path, input: 'hi' }],
    });
    const { exitCode } = await assay(
      [...RUN, '--retries', '0', '--timeout', path === 'endless' ? '400ms' : '20s'],
      { cwd },
    );
    ends[path] = `${String(exitCode)} ${endsIn(join(cwd, 'log.jsonl'))[path] ?? ''}`;
  }
  expect(ends).toEqual({
    cut: `3 error | protocol | POST ${url}/cut cut its answer off after 5 bytes`,
    garbage: expect.stringMatching(/^3 error \| protocol \| /),
    path: `3 error | protocol | nothing at $.b in the answer of POST ${url}/path: {"a":1}`,
    stream: expect.stringMatching(/^3 error \| protocol \| .*cut its answer off/),
    huge: `1 error | agent | POST ${url}/huge answered more than 10 MB; at most 10 MB of an answer is read`,
    endless: '1 timeout | timeout after 400ms',
  });
});
