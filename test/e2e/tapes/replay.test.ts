// Recorded once, replayed with every server gone: the same results, byte by byte.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { TapeFile } from '../../../src/tapes/tape-file.ts';
import type { ModelRequest } from '../../servers/model-server.ts';
import { assay, folder, outputsIn, readLog, write } from '../support/assay.ts';
import { chat, env, INPUT, lastOf, modelServer, openai } from '../support/assistant-files.ts';
import { serve } from '../support/http-server.ts';

const EVERYTHING = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** The lines of the results, in the order of their keys. */
const resultsIn = (log: string): string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"result"'))
    .sort();

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();

const tapeIn = (cwd: string, file: string): TapeFile =>
  JSON.parse(readFileSync(join(cwd, 'tapes', file), 'utf8')) as TapeFile;

describe('an assistant with tools, streaming, a judge and a simulated user', () => {
  const isFrom = (request: ModelRequest, who: string): boolean =>
    JSON.stringify(request.body['messages']).includes(`You are the ${who}`);

  /** Plays all three models; every other answer of the assistant is a bad one. */
  const answer = (request: ModelRequest, count: number) => {
    const said = lastOf(request);
    if (isFrom(request, 'judge'))
      return JSON.stringify({ passed: !said.includes('rude'), reason: `seen ${String(count)}` });
    if (isFrom(request, 'customer'))
      return JSON.stringify({ message: 'say hi', goal_achieved: said.includes('Echo: hi'), reasoning: 'so' });
    const tools = (request.body['tools'] ?? []) as { function: { name: string } }[];
    const name = tools[0]?.function.name ?? '';
    if (said === 'say hi')
      return { tool_calls: [{ name, arguments: { message: 'hi' } }], drip_ms: 1, drip_bytes: 150 };
    const tone = count % 3 === 0 ? 'rude' : 'polite';
    return {
      text: `${tone} ${String(count)}: ${said}`,
      usage: { input: 10, output: count },
      drip_ms: 1,
      drip_bytes: 90,
    };
  };

  const files = (url: string) => ({
    ...chat(openai(url), [
      { id: 'judged', input: 'say hi', assert: { type: 'agent', use: 'agents:judge', value: 'be kind' } },
      { id: 'latency', input: 'hello', assert: { type: 'latency', value: '1m' } },
      {
        id: 'simulated',
        input: 'hello',
        simulator: { use: 'agents:customer', options: { metadata: { goal: 'be greeted' } } },
        checkpoints: [{ id: 'greeted', assert: { type: 'contains', value: 'Echo: hi' } }],
        max_turns: 4,
      },
    ]),
    'assistants/chat/package.yao': {
      connector: 'small',
      mcp: { servers: [{ server_id: 'agents.chat.all', tools: ['echo'] }] },
    },
    'assistants/chat/mcps/all.mcp.yao': {
      transport: 'stdio',
      command: process.execPath,
      arguments: [EVERYTHING, 'stdio'],
    },
    'assistants/judge/package.yao': { connector: 'small' },
    'assistants/judge/prompts.yml': '- role: system\n  content: You are the judge.\n',
    'assistants/customer/package.yao': { connector: 'small' },
    'assistants/customer/prompts.yml':
      '- role: system\n  content: You are the customer. Today is $SYS.DATE.\n',
  });

  test('replays byte-identical results with the network closed, in parallel, five runs each', async () => {
    const server = await modelServer(answer);
    const cwd = folder(files(server.url));
    const run = (log: string, keys: Record<string, string>, ...args: string[]) =>
      assay(['test', '-i', INPUT, '-o', log, '--runs', '5', ...args], { cwd, env: keys });

    const recorded = await run('recorded.jsonl', env, '--record', 'tapes', '--parallel', '3');
    const asked = server.requests.length;
    expect(asked).toBeGreaterThan(30);
    await server.close();
    // The program of the tools is gone as well, and there is no key.
    write(join(cwd, 'assistants/chat/mcps/all.mcp.yao'), {
      transport: 'stdio',
      command: 'false',
      arguments: [],
    });

    const replayed = await run('replayed.jsonl', {}, '--replay', 'tapes', '--parallel', '8');
    const again = await run('again.jsonl', {}, '--replay', 'tapes', '--parallel', '2');
    expect([replayed.exitCode, again.exitCode]).toEqual([recorded.exitCode, recorded.exitCode]);
    const results = resultsIn(join(cwd, 'recorded.jsonl'));
    expect(results).toHaveLength(15);
    expect(resultsIn(join(cwd, 'replayed.jsonl'))).toEqual(results);
    expect(resultsIn(join(cwd, 'again.jsonl'))).toEqual(results);
    expect(new Set(results.map((line) => (JSON.parse(line) as { status: string }).status))).toEqual(
      new Set(['passed', 'failed']),
    );
    expect(server.requests).toHaveLength(asked);
    expect(replayed.stdout).toContain(
      'Replayed: 3 tapes from tapes; costs and times are those of the recording, nothing was spent',
    );

    const folderOfTapes = join('assistants', 'chat', 'tests', 'inputs.jsonl');
    expect(filesIn(join(cwd, 'tapes'))).toEqual(
      ['judged', 'latency', 'simulated'].map((id) => join(folderOfTapes, `${id}.tape.json`)),
    );
    const tape = tapeIn(cwd, join(folderOfTapes, 'judged.tape.json'));
    expect(tape.runs.map(({ run, exchanges }) => [run, exchanges.length])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 5]),
    );
    expect(readFileSync(join(cwd, 'tapes', folderOfTapes, 'judged.tape.json'), 'utf8')).not.toContain(
      'sk-very',
    );
  });

  test('takes the time that it took, if it is asked to', async () => {
    const server = await modelServer(() => ({ text: 'slow', drip_ms: 60, drip_bytes: 100 }));
    const cwd = folder(
      chat(openai(server.url), [{ id: 'a', input: 'x', assert: { type: 'latency', value: '200ms' } }]),
    );
    const run = (...args: string[]) => assay(['test', '-i', INPUT, '-o', 'log.jsonl', ...args], { cwd, env });
    expect((await run('--record', 'tapes')).exitCode).toBe(1);
    await server.close();
    expect((await run('--replay', 'tapes', '--replay-speed', '1')).exitCode).toBe(1);
    const { results, summary } = readLog(join(cwd, 'log.jsonl'));
    expect(results[0]?.duration_ms).toBeGreaterThan(200);
    expect(summary?.duration_ms).toBeGreaterThan((results[0]?.duration_ms ?? 0) * 0.9);
  });
});

describe('module agents', () => {
  const AGENT = `import http from 'node:http';
import { createGunzip } from 'node:zlib';
const get = (url) => new Promise((resolve, reject) => {
  http.get(url, async (response) => {
    const gunzip = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
    let text = '';
    for await (const piece of gunzip) text += piece;
    resolve(response.statusCode + ' ' + text);
  }).on('error', reject);
});
export default async ([{ content }]) => {
  const base = process.env.BASE;
  const posted = await fetch(base + '/post?api_key=' + process.env.KEY, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ content, at: new Date().toISOString(), request: crypto.randomUUID(), password: 'hunter22' }),
  });
  const streamed = [];
  for await (const piece of (await fetch(base + '/stream')).body) streamed.push(Buffer.from(piece).toString());
  const image = Buffer.from(await (await fetch(base + '/image')).arrayBuffer()).toString('hex');
  const missing = (await fetch(base + '/missing')).status;
  return { json: await posted.json(), streamed: streamed.join(''), image, missing, got: await get(base + '/gzip') };
};`;

  test('fetch and node:http, with streams, bytes, gzip and what changes by itself', async () => {
    const server = await serve(({ url, body }, response, count) => {
      if (url.startsWith('/post')) {
        const { content } = JSON.parse(body) as { content: string };
        response.setHeader('content-type', 'application/json');
        response.setHeader('set-cookie', 'session=very-secret-cookie');
        response.end(JSON.stringify({ said: content, count, access_token: 'tok-1234567890' }));
      } else if (url === '/stream') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"a":1}\n\nda');
        setTimeout(() => response.end('ta: [DONE]\n\n'), 20);
      } else if (url === '/image') {
        response.end(Buffer.from([0xff, 0xd8, 0, 0xfe]));
      } else if (url === '/gzip') {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
        response.end(gzipSync('hello'));
      } else response.writeHead(404).end();
    });
    const cwd = folder({
      'agent.mjs': AGENT,
      'cases.jsonl': [
        { id: 'a', input: 'one' },
        { id: 'b', input: 'two' },
      ],
    });
    const keys = { BASE: server.url, KEY: 'sk-aaaaaaaaaaaa' };
    const record = await assay(
      [
        'test',
        '-i',
        'cases.jsonl',
        '-n',
        './agent.mjs',
        '-o',
        'log.jsonl',
        '--record',
        'tapes',
        '--parallel',
        '2',
      ],
      { cwd, env: keys },
    );
    expect([record.exitCode, record.stderr]).toEqual([0, '']);
    const asked = server.received.length;
    const before = outputsIn(join(cwd, 'log.jsonl'));
    const again = await assay(
      [
        'test',
        '-i',
        'cases.jsonl',
        '-n',
        './agent.mjs',
        '-o',
        'log.jsonl',
        '--replay',
        'tapes',
        '--parallel',
        '2',
      ],
      // Another port and no key: neither is what the requests are about.
      { cwd, env: { BASE: 'http://127.0.0.1:1', KEY: '' } },
    );
    expect([again.exitCode, again.stderr]).toEqual([0, '']);
    expect(server.received).toHaveLength(asked);
    const after = outputsIn(join(cwd, 'log.jsonl')) as Record<string, Record<string, unknown>>;
    const { a } = before as Record<string, Record<string, unknown>>;
    expect(after['a']).toEqual({
      ...a,
      json: { ...(a?.['json'] as object), access_token: '***' },
      got: '200 hello',
    });
    expect(after['a']).toMatchObject({
      streamed: 'data: {"a":1}\n\ndata: [DONE]\n\n',
      image: 'ffd800fe',
      missing: 404,
    });
    const text = readFileSync(join(cwd, 'tapes/cases.jsonl/a.tape.json'), 'utf8');
    for (const secret of ['sk-aaaa', 'hunter22', 'very-secret-cookie', 'tok-1234567890'])
      expect(text).not.toContain(secret);
  });
});

test('tapes of version 1 are read by this and every later version', async () => {
  const cwd = folder();
  cpSync(resolve('test/fixtures/tapes-v1'), cwd, { recursive: true });
  const nowhere = { MODEL: 'http://127.0.0.1:2', BASE: 'http://127.0.0.1:2' };
  const run = (...args: string[]) => assay(['test', ...args, '--replay', 'tapes'], { cwd, env: nowhere });
  expect((await run('-i', INPUT, '-o', 'chat.jsonl', '--runs', '2', '--parallel', '4')).exitCode).toBe(1);
  expect((await run('-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'module.jsonl')).exitCode).toBe(0);
  const results = ['chat.jsonl', 'module.jsonl']
    .flatMap((log) => resultsIn(join(cwd, log)))
    // Results of that version did not have it.
    .map((line) => line.replace(/"case_sha":"\w+",/, ''))
    .sort();
  expect(results).toEqual(readFileSync(join(cwd, 'results.jsonl'), 'utf8').trimEnd().split('\n'));
});
