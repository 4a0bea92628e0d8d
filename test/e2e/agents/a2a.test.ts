// Agents behind the Agent2Agent protocol, as a person tests them: named, in a package, many at once, too late, without the SDK.

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { A2aServer, A2aServerOptions } from '../../servers/a2a-server.ts';
import { startA2aServer } from '../../servers/a2a-server.ts';
import { assay, endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
import { json, serve } from '../support/http-server.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-o', 'log.jsonl'];

async function a2a(options: A2aServerOptions = {}): Promise<A2aServer> {
  const server = await startA2aServer(options);
  onTestFinished(() => server.close());
  return server;
}

test('an address after a2a+: answers, a conversation, failures, and a deadline at which the task is canceled', async () => {
  const server = await a2a();
  const cwd = folder({
    'cases.jsonl': [
      { id: 'echo', input: 'echo hello', expected: 'you said: echo hello' },
      { id: 'data', input: 'data', expected: { total: 42 } },
      {
        id: 'talk',
        turns: [
          { input: 'ask', assert: { type: 'equals', value: 'Which order?' } },
          { input: 'A-1', assert: { type: 'equals', value: 'order A-1 is on its way' } },
        ],
      },
      { id: 'broken', input: 'broken', expected: 'before, after' },
      { id: 'fail', input: 'fail' },
      { id: 'auth', input: 'auth' },
      { id: 'slow', input: 'slow', timeout: '300ms' },
    ],
  });
  const { exitCode } = await assay([...RUN, '-n', `a2a+${server.url}`], { cwd });
  expect(exitCode).toBe(1);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({
    echo: 'passed',
    data: 'passed',
    talk: 'passed',
    broken: 'passed',
    fail: 'error | agent | the task failed: the printer is on fire',
    auth: 'error | auth | the task needs another authorization: log in first',
    slow: 'timeout | timeout after 300ms',
  });
  // It was the last of the run, and the run does not end before the agent knows.
  expect(server.canceled).toEqual([server.messages.at(-1)?.taskId]);
  const { start, results } = readLog(join(cwd, 'log.jsonl'));
  expect(start.agent_id).toBe(`a2a+${server.url}`);
  expect(results[0]).toMatchObject({
    usage: { input_tokens: 3, output_tokens: 5 },
    first_token_ms: expect.any(Number),
    messages: [
      { role: 'user', content: 'echo hello' },
      { role: 'assistant', content: 'you said: echo hello' },
    ],
  });
  expect(server.requests.filter(({ line }) => line.startsWith('GET')).length).toBe(1);
});

test('a package with headers; files go along; nothing secret is shown', async () => {
  const server = await a2a({ streaming: false });
  const secret = 'sk-4f9a8b7c6d5e';
  const url = server.url.replace('http://', `http://ada:${secret}-too@`);
  const cwd = folder({
    'assistants/remote/package.yao': {
      run: { a2a: { url: '$ENV.DESK', headers: { 'x-api-key': '$ENV.KEY' } } },
    },
    'a.txt': 'hi',
    'cases.jsonl': [
      {
        id: 'T1',
        input: [
          { type: 'text', text: 'echo this' },
          { type: 'file', source: 'file://a.txt', name: 'a.txt' },
        ],
        expected: 'something else',
      },
    ],
  });
  const env = { DESK: url, KEY: secret };
  const { stdout, stderr } = await assay([...RUN, '-n', 'remote', '-v'], { cwd, env });
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ T1: 'you said: echo this' });
  const sent = server.requests.map(({ rpc, headers }) => [rpc, headers['x-api-key'], headers.authorization]);
  const basic = `Basic ${Buffer.from(`ada:${secret}-too`).toString('base64')}`;
  expect(sent).toEqual([
    ['', secret, basic],
    ['SendMessage', secret, basic],
  ]);
  expect(server.messages[0]?.parts[1]).toMatchObject({
    content: { $case: 'raw', value: new Uint8Array(Buffer.from('hi')) },
    mediaType: 'text/plain',
    filename: 'a.txt',
  });
  const shown = `${stdout}${stderr}${readFileSync(join(cwd, 'log.jsonl'), 'utf8')}`;
  expect(shown).not.toContain(secret);
});

test('many at once', async () => {
  const server = await a2a();
  const cases = Array.from({ length: 20 }, (_, n) => ({
    id: `T${String(n)}`,
    input: `${n % 2 === 0 ? 'echo' : 'pieces'} ${String(n)}`,
    assert: { type: 'regex', value: n % 2 === 0 ? `: echo ${String(n)}$` : '^one two three' },
  }));
  const cwd = folder({ 'cases.jsonl': cases });
  const args = [...RUN, '-n', `a2a+${server.url}`, '--parallel', '20', '--runs', '3'];
  const { exitCode } = await assay(args, { cwd });
  expect(exitCode).toBe(0);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({
    passed: 20,
    total_runs: 60,
    stable_cases: 20,
  });
  expect(new Set(server.messages.map(({ contextId }) => contextId)).size).toBe(60);
});

test('an endpoint that does not answer costs its deadline; the run ends when the last task is known to be canceled', async () => {
  const confirmed: boolean[] = [];
  const { url } = await serve((request, response) => {
    const rpc = `http://${String(request.headers.host)}/rpc`;
    if (request.method === 'GET')
      return json(response, {
        supportedInterfaces: [{ url: rpc, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      });
    if (request.body.includes('be silent')) return undefined;
    const { id, method } = JSON.parse(request.body) as { id: number; method: string };
    const answer = (result: unknown): void => json(response, { jsonrpc: '2.0', id, result });
    const task = { id: 't1', status: { state: 'TASK_STATE_WORKING' } };
    if (method === 'GetTask') return answer(task);
    if (request.body.includes('work for ever')) return answer({ task });
    if (method === 'SendMessage')
      return answer({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'here' }] } });
    return setTimeout(() => {
      confirmed.push(!response.destroyed);
      answer(task);
    }, 300);
  });
  const cwd = folder({
    'cases.jsonl': [
      { id: 'T1', input: 'hello' },
      { id: 'T2', input: 'be silent', timeout: '200ms' },
      { id: 'T3', input: 'hello' },
      { id: 'T4', input: 'work for ever', timeout: '200ms' },
    ],
  });
  await assay([...RUN, '-n', `a2a+${url}`], { cwd });
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({
    T1: 'passed',
    T2: 'timeout | timeout after 200ms',
    T3: 'passed',
    T4: 'timeout | timeout after 200ms',
  });
  expect(readLog(join(cwd, 'log.jsonl')).results[3]?.duration_ms).toBeLessThan(450);
  expect(confirmed).toEqual([true]);
});

test('without the SDK nothing runs, and it says how to get it', async () => {
  const cwd = folder({
    'cases.jsonl': [{ id: 'T1', input: 'hello' }],
    'assistants/remote/package.yao': { run: { a2a: { url: 'http://127.0.0.1:9' } } },
  });
  // Where there are no other packages around it.
  cpSync('dist', join(cwd, 'assay/dist'), { recursive: true });
  cpSync('package.json', join(cwd, 'assay/package.json'));
  mkdirSync(join(cwd, 'assay/node_modules'));
  symlinkSync(resolve('node_modules/jsonc-parser'), join(cwd, 'assay/node_modules/jsonc-parser'));
  const cli = join(cwd, 'assay/dist/cli.js');
  const named = await assay([...RUN, '-n', 'a2a+http://127.0.0.1:9'], { cwd, cli });
  expect(named).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'A2A agents need the package @a2a-js/sdk\n  hint: npm i -D @a2a-js/sdk\n',
  });
  const packaged = await assay([...RUN, '-n', 'remote', '--dry-run'], { cwd, cli });
  expect(packaged).toMatchObject({ exitCode: 2, stderr: named.stderr });
});

test('the example answers its cases, and again from a recording when it is gone', async () => {
  const server = spawn(process.execPath, ['examples/a2a/server.mjs', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill());
  const said = await new Promise<string>((done) => server.stdout.setEncoding('utf8').once('data', done));
  const url = /http:\S+/.exec(said)?.[0] ?? '';
  const cwd = folder();
  const cases = resolve('examples/a2a/cases.jsonl');
  const run = (log: string, ...args: string[]) =>
    assay(['test', '-i', cases, '-n', `a2a+${url}`, '-o', log, '--runs', '2', '--parallel', '3', ...args], {
      cwd,
    });
  expect((await run('recorded.jsonl', '--record', 'tapes')).exitCode).toBe(0);
  const { results, summary } = readLog(join(cwd, 'recorded.jsonl'));
  expect(summary).toMatchObject({ passed: 4, failed: 0 });
  server.kill();
  expect((await run('replayed.jsonl', '--replay', 'tapes')).exitCode).toBe(0);
  const byKey = (events: typeof results) => Object.fromEntries(events.map((event) => [event.key, event]));
  expect(byKey(readLog(join(cwd, 'replayed.jsonl')).results)).toEqual(byKey(results));
});
