// Credentials that services send, and cookies of any name, stand neither on tapes nor in the log.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TapeFile } from '../../../src/tapes/tape-file.ts';
import { assay, folder, outputsIn } from '../support/assay.ts';
import { json, serve } from '../support/http-server.ts';

const KEY = 'sk-schlüssel-Ωmega-12345';
const [SET, HEADER, COOKIE, TOKEN, WORD] = [
  'set-cookie-value-1',
  'header-of-answer-2',
  'request-cookie-33',
  'token-in-answer-444',
  'hunter2-in-the-xml',
] as const;

const AGENT = `
  const at = process.env.SERVER;
  export default async () => {
    const login = await (await fetch(at + '/login')).json();
    const xml = await (await fetch(at + '/xml')).text();
    await (await fetch(at + '/binary')).arrayBuffer();
    const headers = { cookie: 'theme=dark; visitor=${COOKIE}' };
    const echo = await (await fetch(at + '/echo', { method: 'POST', headers, body: '${COOKIE} ${SET}' })).text();
    console.log('logged', login.said);
    return [login.said, echo, xml.length > 0].join(' ');
  };`;

test('masks what answers set, cookies, and the values of credential fields elsewhere', async () => {
  const { url } = await serve(({ url: path, body }, response) => {
    if (path === '/binary') {
      const bytes = [Buffer.from([0, 255, 254]), Buffer.from(KEY), Buffer.from(KEY, 'utf16le')];
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.concat(bytes));
    } else if (path === '/xml')
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(`<a><password>${WORD}</password>${WORD}</a>`);
    else if (path === '/echo') response.writeHead(200, { 'content-type': 'text/plain' }).end(`got ${body}`);
    else
      json(response, { access_token: TOKEN, said: `${SET}, ${HEADER}, ${TOKEN}` }, 200, {
        'set-cookie': `id=${SET}; HttpOnly; Path=/`,
        'x-auth-token': HEADER,
      });
  });
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'a', input: 'x' }] });
  const run = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-v'];
  const env = { SERVER: url, MY_KEY: KEY };
  const recorded = await assay([...run, '--record', 'tapes', '-o', 'log.jsonl'], { cwd, env });
  expect(recorded.exitCode).toBe(0);

  const tape = readFileSync(join(cwd, 'tapes/cases.jsonl/a.tape.json'), 'utf8');
  const { runs } = JSON.parse(tape) as TapeFile;
  const bodies = runs[0]?.exchanges.map(({ response }) => response);
  expect(bodies).toMatchObject([
    { json: { access_token: '__secret__', said: '__secret__, __secret__, __secret__' } },
    { text: '<a><password>__secret__</password>__secret__</a>' },
    { base64: expect.any(String) },
    { text: 'got __secret__ __secret__' },
  ]);
  const binary = Buffer.from(String(Reflect.get(bodies?.[2] ?? {}, 'base64')), 'base64').toString('latin1');
  expect(binary).toBe('\0\xff\xfe__secret____secret__\0');

  const said = '***, ***, *** got *** *** true';
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ a: said });
  const replayed = await assay([...run, '--replay', 'tapes', '-o', 'again.jsonl'], { cwd, env });
  expect({ exitCode: replayed.exitCode, output: outputsIn(join(cwd, 'again.jsonl')) }).toEqual({
    exitCode: 0,
    output: { a: said },
  });
  const written = tape + readFileSync(join(cwd, 'log.jsonl'), 'utf8') + recorded.stdout + recorded.stderr;
  expect([SET, HEADER, COOKIE, TOKEN, WORD].filter((secret) => written.includes(secret))).toEqual([]);
});

test('thousands of new cookies do not use up what a run can mask', async () => {
  const { url } = await serve((_request, response, count) =>
    json(response, { count }, 200, { 'set-cookie': `id=cookie-number-${String(count)}` }),
  );
  const cwd = folder({
    'agent.mjs': `export default async () => {
      for (let at = 0; at < 150; at += 1) await (await fetch(process.env.SERVER)).json();
      return 'ok';
    };`,
    'cases.jsonl': Array.from({ length: 15 }, (_, at) => ({
      id: `c${String(at)}`,
      input: 'x',
      expected: 'ok',
    })),
  });
  const run = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--record', 'tapes', '-o', 'log.jsonl'];
  expect((await assay(run, { cwd, env: { SERVER: url } })).exitCode).toBe(0);
});
