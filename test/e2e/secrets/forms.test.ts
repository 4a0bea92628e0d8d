// A key is masked in the log, the reports and the tapes, however the agent or a server writes it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
import { serve } from '../support/http-server.ts';

const KEY = 'sk-Live-9f8E7d6c5B4a';
const env = { SHOP_API_KEY: KEY };
/** No part of these may be written anywhere. */
const FORMS = [
  KEY,
  KEY.toLowerCase(),
  KEY.toUpperCase(),
  Buffer.from(KEY).toString('hex'),
  Buffer.from(KEY).toString('base64').slice(0, 24),
  Buffer.from(`:${KEY}`).toString('base64').slice(2, 26),
  Buffer.from(`u:${KEY}`).toString('base64').slice(3, 26),
];

function leaksIn(cwd: string, ...others: string[]): string[] {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.mjs'))
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'latin1') }));
  const all = [...files, ...others.map((text) => ({ name: 'shown', text }))];
  return all.flatMap(({ name, text }) => FORMS.filter((form) => text.includes(form)).map(() => name));
}

test('a key in every form and in pieces appears nowhere', async () => {
  const cwd = folder({
    'agent.mjs': `const key = process.env.SHOP_API_KEY;
      const base64 = (text) => Buffer.from(text).toString('base64');
      export default () => {
        process.stdout.write(key.slice(0, 7));
        process.stdout.write(key.slice(7));
        for (const letter of key) console.log(letter);
        console.log(base64('u:' + key).replace(/(.{16})/g, '$1\\n'));
        return { output: { plain: key, base64: base64(key), basic: 'Basic ' + base64('u:' + key), url: Buffer.from(':' + key).toString('base64url'),
          hex: Buffer.from(key).toString('hex'), upper: key.toUpperCase(), lower: key.toLowerCase(), parts: [key.slice(0, 5), key.slice(5)] } };
      };`,
    'cases.jsonl': [{ id: 'a', input: 'hi', assert: { type: 'json_path', path: 'plain', value: KEY } }],
  });
  const reports = ['json', 'md', 'html', 'xml', 'csv'].flatMap((format) => ['-o', `report.${format}`]);
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-v', '-o', 'log.jsonl', ...reports];
  const { exitCode, stdout, stderr } = await assay(args, { cwd, env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({
    a: {
      plain: '***',
      base64: '***E=',
      basic: 'Basic dTp***Q==',
      url: expect.stringMatching(/^.{1,2}\*\*\*.?$/),
      hex: '***',
      upper: '***',
      lower: '***',
      parts: ['***', '***'],
    },
  });
  const { logs = [] } = readLog(join(cwd, 'log.jsonl')).results[0] ?? {};
  expect(logs.slice(0, 22)).toEqual(Array.from({ length: 22 }, () => '***'));
  // The case itself is the user's file.
  expect(leaksIn(cwd, stdout).filter((name) => name !== 'cases.jsonl')).toEqual([]);
});

test('twenty thousand shortened keys in an answer, and a nested one, end no run', async () => {
  const cwd = folder({
    'agent.mjs': `const key = process.env.SHOP_API_KEY;
      const nested = (depth) => '['.repeat(depth) + JSON.stringify(key) + ']'.repeat(depth);
      export default ([{ content }]) => content === 'short' ? (key.slice(0, 12) + '… ').repeat(20000) : nested(5000);`,
    'cases.jsonl': [
      { id: 'short', input: 'short' },
      { id: 'nested', input: 'nested' },
    ],
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
  const { exitCode, stderr } = await assay(args, { cwd, env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(outputsIn(join(cwd, 'log.jsonl'))['short'] === '***… '.repeat(20_000)).toBe(true);
  expect(leaksIn(cwd)).toEqual([]);
});

test('a key in pieces is on no tape, and the replay gives the same results', async () => {
  const said = ['key: ', KEY.slice(0, 4), KEY.slice(4, 9), KEY.slice(9), ' end'];
  const event = (text: string): string =>
    `data: {"choices": [{"delta": {"content": ${JSON.stringify(text)}}}]}\n\n`;
  const server = await serve((request, response) => {
    const isStream = request.url.startsWith('/stream');
    response.writeHead(200, {
      'content-type': isStream ? 'text/event-stream' : 'application/octet-stream',
      'x-echo': Buffer.from(`u:${KEY}`).toString('base64'),
    });
    response.end(
      isStream ? said.map(event).join('') : Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(KEY)]),
    );
  });
  const cwd = folder({
    'agent.mjs': `const key = process.env.SHOP_API_KEY;
      const url = process.env.SERVER;
      export default async () => {
        const hex = 'ab12' + Buffer.from(key).toString('hex') + 'cd34';
        const body = JSON.stringify({ hex, basic: Buffer.from('u:' + key).toString('base64'), parts: [{ text: key.slice(0, 6) }, { text: key.slice(6) }], at: new Date() });
        const stream = await (await fetch(url + '/stream?auth=' + encodeURIComponent(key), { method: 'POST', body })).text();
        const bytes = await (await fetch(url + '/bytes', { method: 'POST', body: Buffer.concat([Buffer.from([0xff]), Buffer.from(key)]) })).arrayBuffer();
        const text = stream.split('\\n\\n').filter(Boolean).map((line) => JSON.parse(line.slice(6)).choices[0].delta.content).join('');
        return text + ' and ' + (bytes.byteLength > 8);
      };`,
    'cases.jsonl': [{ id: 'a', input: 'hi', assert: { type: 'contains', value: 'and true' } }],
  });
  const run = (log: string, keys: Record<string, string>, ...args: string[]) =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', log, ...args], {
      cwd,
      env: { SERVER: server.url, ...keys },
    });
  const recorded = await run('recorded.jsonl', env, '--record', 'tapes');
  expect([recorded.exitCode, recorded.stderr]).toEqual([0, '']);
  expect(leaksIn(cwd)).toEqual([]);
  const tape = readFileSync(join(cwd, 'tapes/cases.jsonl/a.tape.json'), 'utf8');
  expect([tape.includes(KEY.slice(4, 9)), tape.includes(KEY.slice(9))]).toEqual([false, false]);
  for (const keys of [env, {}]) {
    const replayed = await run('replayed.jsonl', keys, '--replay', 'tapes');
    expect([replayed.exitCode, replayed.stderr, endsIn(join(cwd, 'replayed.jsonl'))]).toEqual([
      0,
      '',
      { a: 'passed' },
    ]);
    expect(outputsIn(join(cwd, 'replayed.jsonl'))).toEqual({ a: 'key: *** end and true' });
  }
  expect(outputsIn(join(cwd, 'recorded.jsonl'))).toEqual({ a: 'key: *** end and true' });
});
