// Keys and other secrets appear nowhere in what is written or shown, whoever gives them away.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, outputsIn, readLog } from '../support/assay.ts';
import { chat, env, modelServer, openai, run } from '../support/assistant-files.ts';

test.each([
  ['12345678', { n: 12345678, text: 'pin 12345678' }, { n: '***', text: 'pin ***' }],
  ['nopasswo', 'hello\nopassword', 'hello\nopassword'],
  ['duration_ms', { duration_ms: 'duration_ms' }, { '***': '***' }],
])('a secret %j is masked in texts and breaks nothing', async (secret, answer, shown) => {
  const cwd = folder({
    'bot/package.yao': { run: { command: ['node', '../agent.mjs'], env: { API_KEY: '$ENV.BOT_KEY' } } },
    'agent.mjs': `process.stdin.on('end', () => console.log(${JSON.stringify(JSON.stringify({ output: answer }))})).resume();`,
    'cases.jsonl': [{ id: 'a', input: 'hi', assert: { type: 'equals', value: answer } }],
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', './bot', '-o', 'log.jsonl', '-o', 'report.json'];
  const { exitCode, stderr } = await assay(args, { cwd, env: { BOT_KEY: secret } });
  const log = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ a: shown });
  expect(log.results[0]?.duration_ms).toEqual(expect.any(Number));
  expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
    results: [{ id: 'a', output: shown }],
  });
});

test('a key that a judge repeats appears nowhere', async () => {
  const server = await modelServer(() => `{"passed": true, "reason": "I saw ${env.SHOP_KEY} here"}`);
  const assert = { type: 'agent', connector: 'small', value: 'is right' };
  const negated = { ...assert, negate: true };
  const cases = [
    { id: 'a', input: 'x', assert },
    { id: 'b', input: 'x', assert: negated },
  ];
  const cwd = folder({ 'app.yao': {}, ...chat(openai(server.url), cases) });
  const formats = ['json', 'md', 'html', 'xml', 'csv'];
  const shown = await run(cwd, '-v', ...formats.flatMap((format) => ['-o', `report.${format}`]));
  expect(shown.exitCode).toBe(1);
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map(({ verdicts }) => verdicts?.[0]?.reason)).toEqual(['I saw *** here', 'I saw *** here']);
  // Whoever looks at the history first records what waits for it.
  expect((await assay(['history'], { cwd, env })).exitCode).toBe(0);
  const written = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'latin1') }));
  expect(written.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['history.db', 'log.jsonl', ...formats.map((format) => `report.${format}`)]),
  );
  const leaks = written.filter(({ text }) => text.includes(env.SHOP_KEY)).map(({ name }) => name);
  expect({ leaks, isShown: `${shown.stdout}${shown.stderr}`.includes(env.SHOP_KEY) }).toEqual({
    leaks: [],
    isShown: false,
  });
});

test('a key that is cut in the middle is hidden all the same', async () => {
  const server = await modelServer((request) => ({
    status: 400,
    text: `${'x'.repeat(470)} key ${request.headers.authorization ?? ''}`,
  }));
  const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
  await run(cwd);
  expect(readFileSync(join(cwd, 'log.jsonl'), 'utf8')).not.toContain('sk-very-');
});

test('a generator cannot reveal the keys of the agent under test', async () => {
  const cwd = folder({
    ...chat(openai('http://127.0.0.1:9'), [{ id: 'a', input: 'x' }]),
    'scripts/g.ts': `function Text() { return 'oops ' + process.env.SHOP_KEY }
      function Wrong() { return [{ id: process.env.SHOP_KEY, inpt: 'x' }] }
      function Throws() { throw new Error(process.env.SHOP_KEY) }`,
  });
  for (const name of ['Text', 'Wrong', 'Throws']) {
    const { exitCode, stderr } = await assay(['test', '-i', `scripts:g.${name}`, '-n', 'chat'], { cwd, env });
    expect([exitCode, stderr.includes('sk-very-secret-1')]).toEqual([name === 'Wrong' ? 2 : 3, false]);
  }
  const generated = join(cwd, '.assay/generated');
  for (const file of readdirSync(generated))
    expect(readFileSync(join(generated, file), 'utf8')).not.toContain('sk-very');
});
