// Requests that do not end well, or not at all: recorded and replayed, they end in the same way.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { serve } from '../support/http-server.ts';

const AGENT = `import http from 'node:http';
const base = process.env.BASE;
const get = (path, options = {}) => new Promise((resolve, reject) => {
  const request = http.request(base + path, options, async (response) => {
    let text = '';
    try { for await (const piece of response) text += piece; } catch (error) { text += ' +' + error.message; }
    resolve(response.statusCode + ' ' + text);
  });
  request.on('error', reject).end();
});
const said = (error) => error.name + ' ' + (error.cause?.code ?? error.code ?? '');
const WAYS = {
  abort: () => fetch(base + '/never', { signal: AbortSignal.timeout(50) }).catch(said),
  abortRequest: () => fetch(new Request(base + '/never', { signal: AbortSignal.timeout(50) })).catch(said),
  destroyed: () => get('/never', { timeout: 50, signal: AbortSignal.timeout(50) }).catch(said),
  refused: () => fetch('http://127.0.0.1:2/').catch(said),
  refusedHttp: () => get('', { port: 2 }).catch(said),
  reset: () => get('/reset').catch(said),
  half: async () => {
    let text = '';
    try { for await (const piece of (await fetch(base + '/half')).body) text += Buffer.from(piece); } catch (error) { text += ' +' + error.message; }
    return text;
  },
  halfHttp: () => get('/half'),
  head: () => get('/head', { method: 'HEAD' }),
  odd: async () => (await fetch(base + '/odd')).status,
  tries: async () => {
    for (let count = 1; ; count += 1) {
      const body = JSON.stringify({ idempotency_key: crypto.randomUUID() });
      const { status } = await fetch(base + '/flaky', { method: 'POST', body });
      if (status === 200) return count;
    }
  },
  headers: async () => (await fetch(base + '/paged')).headers.get('link'),
};
export default ([{ content }]) => WAYS[content]();
`;

test('aborts, failures, halves, refusals', async () => {
  let tries = 0;
  const server = await serve(({ url }, response) => {
    if (url === '/never') return;
    if (url === '/reset') response.destroy();
    else if (url === '/half') {
      response.writeHead(200, { 'content-length': '20', 'content-type': 'text/plain' }).write('first half');
      setTimeout(() => response.destroy(), 30);
    } else if (url === '/odd') response.writeHead(600).end();
    else if (url === '/flaky') response.writeHead((tries += 1) < 3 ? 429 : 200).end();
    else if (url === '/paged') response.writeHead(200, { link: '</next>; rel=next' }).end();
    else response.end();
  });
  const ways = [...AGENT.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': ways.map((id) => ({ id, input: id })) });
  const run = (...args: string[]) =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--timeout', '5s', ...args], {
      cwd,
      env: { BASE: server.url },
    });
  await run('--record', 'tapes', '--parallel', '4');
  const byId = () =>
    Object.fromEntries(readLog(join(cwd, 'log.jsonl')).results.map((result) => [result.id, result]));
  const recorded = byId();
  expect(Object.fromEntries(Object.entries(recorded).map(([id, { output }]) => [id, output]))).toEqual({
    abort: 'TimeoutError 23',
    abortRequest: 'TimeoutError 23',
    destroyed: 'AbortError 23',
    refused: 'TypeError ECONNREFUSED',
    refusedHttp: 'Error ECONNREFUSED',
    reset: 'Error ECONNRESET',
    half: 'first half +terminated',
    halfHttp: '200 first half +aborted',
    head: '200 ',
    odd: 600,
    tries: 3,
    headers: '</next>; rel=next',
  });
  const asked = server.received.length;
  await run('--replay', 'tapes', '--parallel', '2');
  expect(byId()).toEqual(recorded);
  expect(server.received).toHaveLength(asked);
});

test('a request that outlives its attempt is reported, and makes a replay an error', async () => {
  const server = await serve((_request, response) => void response.end('live'));
  const agent = `const queue = [];
setInterval(async () => {
  for (const resolve of queue.splice(0)) resolve(await fetch(process.env.BASE).then((r) => r.text()).catch(() => 'offline'));
}, 20);
export default () => new Promise((resolve) => queue.push(resolve));`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': ['a', 'b'].map((id) => ({ id, input: id })) });
  const run = (...args: string[]) =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', ...args], {
      cwd,
      env: { BASE: server.url },
    });
  const recorded = await run('--record', 'tapes');
  expect([recorded.exitCode, recorded.stdout]).toEqual([
    0,
    expect.stringContaining(
      `Not recorded: GET ${server.url}/, asked for after the attempt was over`,
    ) as string,
  ]);
  const replayed = await run('--replay', 'tapes');
  expect([replayed.exitCode, replayed.stderr]).toEqual([
    3,
    expect.stringContaining(
      `refused, because it was asked for after its attempt was over: GET ${server.url}/`,
    ) as string,
  ]);
  expect(server.received).toHaveLength(2);
});

test('a recording that cannot be written is exit 3, and the results stay', async () => {
  const server = await serve((_request, response) => void response.end('fine'));
  const cwd = folder({
    'agent.mjs': 'export default async () => (await fetch(process.env.BASE)).text();',
    'cases.jsonl': [{ id: 'a', input: 'x' }],
    'tapes/cases.jsonl': 'a file is in the way',
  });
  const { exitCode, stderr } = await assay(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--record', 'tapes'],
    { cwd, env: { BASE: server.url } },
  );
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringMatching(/^cannot write the recording .*a\.tape\.json: /) as string,
  ]);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ passed: 1, exit_code: 0 });
});
