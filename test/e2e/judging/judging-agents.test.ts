// What surrounds an agent under test (hooks, judges, simulators, generators) may be broken or hostile: it is contained,
// and never counted against the agent.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog, start, until } from '../support/assay.ts';
import { chat, env, INPUT, modelServer, openai, run } from '../support/assistant-files.ts';

const AGENT = 'export default (messages) => messages.at(-1).content;';
const test_ = (args: string[], cwd: string) =>
  assay(['test', '-n', './agent.mjs', '-o', 'log.jsonl', ...args], { cwd, env });

test('an error message of any size ends an errand', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [{ id: 'a', input: 'x' }],
    'scripts/h.ts': "function BigThrow() { throw new Error('\\u0001'.repeat(9.5e7)); }",
    'app.yao': '{}',
  });
  const { exitCode, stderr } = await test_(['-i', 'cases.jsonl', '--before-all', 'scripts.h.BigThrow'], cwd);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('nothing was executed: before-all scripts.h.BigThrow');
  expect(stderr).toContain('(95000000 characters)');
});

describe('a judge, a simulator or a hook that takes its process along', () => {
  const judged = (body: string, more = {}): Record<string, unknown> => ({
    'agent.mjs': AGENT,
    'app.yao': '{}',
    'assistants/helper/package.yao': { run: { module: './helper.ts' } },
    'assistants/helper/helper.ts': `export default () => { ${body} };`,
    'cases.jsonl': [{ id: 'a', input: 'x', ...more }],
  });
  const assert = { type: 'agent', use: 'agents:helper', value: 'is right' };
  const simulated = {
    simulator: { use: 'agents:helper' },
    checkpoints: [{ id: 'k', assert: { type: 'contains', value: 'never' } }],
  };

  test.each([
    [
      'a judge that exits',
      judged('process.exit(0)', { assert }),
      'error | judge | the judge helper has not answered: ',
    ],
    [
      'a judge that throws later',
      judged('setTimeout(() => { throw new Error("late"); }); return new Promise(() => {})', { assert }),
      'error | judge | the judge helper has not answered: late',
    ],
    [
      'a judge that never answers',
      judged('return new Promise(() => {})', { assert, timeout: '500ms' }),
      'error | judge | the judge helper has not answered (still waiting at the timeout after 500ms)',
    ],
    [
      'a simulator that exits',
      judged('process.exit(0)', simulated),
      'error | harness | the simulator agents:helper has not answered: ',
    ],
    [
      'a hook that never ends',
      {
        ...judged('', { before: 'scripts.b.Before', timeout: '500ms' }),
        'scripts/b.ts': 'function Before() { return new Promise(() => {}); }',
      },
      'error | harness | before scripts.b.Before has not ended (still waiting at the timeout after 500ms)',
    ],
  ])('%s is an error, not a failure', async (_, files, end) => {
    const cwd = folder(files);
    const { exitCode } = await test_(['-i', 'cases.jsonl', '--retries', '0'], cwd);
    expect([exitCode, endsIn(join(cwd, 'log.jsonl'))['a']]).toEqual([3, expect.stringContaining(end)]);
  });
});

test('a judge that quotes a judgement before its own is not taken at its word', async () => {
  const server = await modelServer((request) =>
    JSON.stringify(request.body).includes('You judge the answer')
      ? 'It says {"passed": true, "score": 1}, but: {"passed": false, "reason": "wrong"}'
      : '{"passed": true, "score": 1}',
  );
  const assert = { type: 'agent', connector: 'small', value: 'is right' };
  const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x', assert }]));
  expect((await run(cwd)).exitCode).toBe(3);
  expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^error \| judge \| .*one judgement, not several/);
});

test.each([
  '{"quoted":{"passed":true,"score":1},"passed":fal',
  `{"passed": true} ${'{} '.repeat(30)}{"passed": false}`,
  'It says {"passed": true}, but {\'passed\': False}',
  '<think>If polite then {"passed": true}</think> No verdict possible.',
  '{"passed":false,"passed":true}',
])('a judgement that is none is an error: %s', async (judgement) => {
  const server = await modelServer(() => judgement);
  const assert = { type: 'agent', connector: 'small', value: 'is right' };
  const cases = [
    { id: 'a', input: 'x', assert },
    { id: 'negated', input: 'x', assert: { ...assert, negate: true } },
  ];
  const cwd = folder(chat(openai(server.url), cases));
  expect((await run(cwd)).exitCode).toBe(3);
  expect(Object.values(endsIn(join(cwd, 'log.jsonl')))).toEqual([
    expect.stringMatching(/^error \| judge \| the judge answered/),
    expect.stringMatching(/^error \| judge \| the judge answered/),
  ]);
});

test('a judge that tells its key tells it to nobody', async () => {
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

test('a key that is cut in the middle is hidden all the same', async () => {
  const server = await modelServer((request) => ({
    status: 400,
    text: `${'x'.repeat(470)} key ${request.headers.authorization ?? ''}`,
  }));
  const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
  await run(cwd);
  expect(readFileSync(join(cwd, 'log.jsonl'), 'utf8')).not.toContain('sk-very-');
});

test('generators do not tell the keys of the agent under test', async () => {
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

test('a hook runs once for a case, whatever its neighbours do', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': 'export default (messages) => { while (messages[0].content === "loop"); return "ok"; };',
    'scripts/b.ts': `import { appendFileSync } from 'node:fs';
      function Before(ctx, testCase) { appendFileSync('calls.txt', 'before ' + testCase.id + '\\n') }
      function After(ctx, testCase) { appendFileSync('calls.txt', 'after ' + testCase.id + '\\n') }`,
    'cases.jsonl': ['n1', 'n2', 'n3', 'loop'].map((id) => ({
      id,
      input: id,
      timeout: '1s',
      before: 'scripts.b.Before',
      after: 'scripts.b.After',
    })),
  });
  const { exitCode } = await test_(['-i', 'cases.jsonl'], cwd);
  expect(exitCode).toBe(1);
  const calls = callsIn(cwd).sort();
  expect(calls).toEqual(['loop', 'n1', 'n2', 'n3'].flatMap((id) => [`after ${id}`, `before ${id}`]).sort());
});

test('Ctrl-C while --before-all runs is an interruption', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'cases.jsonl': [{ id: 'a', input: 'x' }],
    'scripts/b.ts': `import { appendFileSync } from 'node:fs';
      function Never() { appendFileSync('calls.txt', 'called\\n'); return new Promise(() => {}) }`,
  });
  const { child, finished } = start(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--before-all', 'scripts.b.Never', '--timeout', '2s'],
    { cwd },
  );
  await until(() => callsIn(cwd).length > 0);
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
});

test.each([
  [
    'a YAML bomb',
    '- role: system\n  content: x\n' + bomb(),
    /^assistants\/chat\/prompts\.yml: invalid YAML: .*alias/m,
  ],
])('%s is told with its file', async (_, prompts, message) => {
  const cwd = folder({
    ...chat(openai('http://127.0.0.1:9'), [{ id: 'a', input: 'x' }]),
    'assistants/chat/prompts.yml': prompts,
  });
  const { exitCode, stderr } = await assay(['test', '-i', INPUT], { cwd, env });
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
});

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, index) =>
    index === 0 ? '- &a0 [x, x, x, x, x, x, x, x, x]' : `- &a${index} [${`*a${index - 1}, `.repeat(9)}]`,
  );
  return `${levels.join('\n')}\n`;
}
