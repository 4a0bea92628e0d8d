// Which agent is meant, and what is wrong with its package.yao.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, outputsIn, readLog, write } from '../support/assay.ts';

const NEXT = 'function Next(ctx) { return { data: ctx.AssistantID }; }';

function application(): string {
  return folder({
    'app.yao': '{}',
    'assistants/keyword/package.yao': '{}',
    'assistants/keyword/src/index.ts': NEXT,
    'assistants/keyword/tests/inputs.jsonl': [{ id: 'T1', input: 'hi' }],
    'assistants/workers/system/keyword/package.yao': '{}',
    'assistants/workers/system/keyword/src/index.ts': NEXT,
    'assistants/workers/system/keyword/tests/inputs.jsonl': [{ id: 'T1', input: 'hi' }],
    'assistants/triage/package.yao': '{"run": {"module": "./agent.mjs"}}',
    'assistants/triage/agent.mjs': 'export default (messages, ctx) => ctx.assistant_id;',
    'lone/agent.ts': 'export default (messages: unknown, ctx: any) => ctx.assistant_id as string;',
  });
}

test.each([
  ['keyword', 'keyword'],
  ['agents:keyword', 'keyword'],
  ['workers.system.keyword', 'workers.system.keyword'],
  ['workers/system/keyword', 'workers.system.keyword'],
  ['assistants/triage', 'triage'],
  ['./assistants/triage', 'triage'],
  ['lone/agent.ts', 'lone/agent.ts'],
])('-n %s', async (name, id) => {
  const cwd = application();
  const { exitCode, stdout } = await assay(['test', '-i', 'who are you?', '-n', name], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${id}\n` });
});

test('for a message the nearest package.yao upward from the working directory', async () => {
  const cwd = application();
  const here = await assay(['test', '-i', 'who are you?'], {
    cwd: join(cwd, 'assistants/workers/system/keyword/tests'),
  });
  expect(here).toMatchObject({ exitCode: 0, stdout: 'workers.system.keyword\n', stderr: '' });

  const nowhere = await assay(['test', '-i', 'who are you?'], { cwd });
  expect(nowhere).toEqual({
    exitCode: 2,
    signal: null,
    stdout: '',
    stderr:
      'no package.yao in . or any folder above it, so there is no agent to test\n' +
      '  hint: name the agent with -n: its id, a folder, a module or Python file, a URL or a2a+URL; known agents: keyword, triage, workers.system.keyword\n',
  });
});

test('several inputs, each with its own agent, are one run', async () => {
  const cwd = application();
  const { exitCode } = await assay(['test', '-i', 'assistants', '-o', 'log.jsonl'], { cwd });
  const { start, results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, agent: start.agent_id, total: summary?.total }).toEqual({
    exitCode: 0,
    agent: 'keyword, workers.system.keyword',
    total: 2,
  });
  expect(results.map(({ test_id, agent_id, output }) => [test_id, agent_id, output])).toEqual([
    ['assistants/keyword/tests/inputs.jsonl', 'keyword', 'keyword'],
    [
      'assistants/workers/system/keyword/tests/inputs.jsonl',
      'workers.system.keyword',
      'workers.system.keyword',
    ],
  ]);
  expect(new Set(results.map((result) => result.key)).size).toBe(2);
});

test('an unknown agent is answered with the nearest names', async () => {
  const cwd = application();
  const { exitCode, stderr } = await assay(['test', '-i', 'hi there', '-n', 'keywrod'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^no agent "keywrod"; looked for assistants\/keywrod\/package\.yao.*\n {2}hint: did you mean keyword.*\?\n$/,
    ),
  });
  const other = await assay(['test', '-i', 'hi there', '-n', 'zzz'], { cwd });
  expect(other.stderr).toMatch(/hint: known agents: keyword, triage, workers\.system\.keyword\n$/);
  const script = await assay(['test', '-i', 'hi there', '-n', './agnt.ts'], { cwd });
  expect(script).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^no agent "\.\/agnt\.ts"; looked for agnt\.ts\n/),
  });
});

test('$ENV works in any value; missing and empty variables are named with their lines, all at once', async () => {
  const cwd = folder({
    'assistants/env/package.yao': `{
  // who
  "name": "$ENV.AGENT_NAME",
  "options": { "list": ["$ENV.ONE-$ENV.TWO"] },
  "run": { "command": ["node", "-e", "$ENV.CODE"] },
}`,
    'cases.jsonl': [{ id: 'T1', input: 'hi' }],
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', 'env', '-o', 'log.jsonl'];
  const wrong = await assay(args, { cwd, env: { ONE: '1', TWO: '', CODE: 'console.log(1)' } });
  expect(wrong).toEqual({
    exitCode: 2,
    signal: null,
    stdout: '',
    stderr:
      'assistants/env/package.yao:3: environment variable AGENT_NAME is not set; name needs it\n' +
      '  hint: set AGENT_NAME, or write it into the .env file\n' +
      'assistants/env/package.yao:4: environment variable TWO is empty; options.list.0 needs it\n' +
      '  hint: set TWO, or write it into the .env file\n',
  });

  // `.env` fills what is missing and never overrides.
  write(join(cwd, '.env'), '# comment\nAGENT_NAME=x\nTWO=two\nexport CODE="console.log(2)"\n');
  const right = await assay(args, { cwd, env: { ONE: '1', CODE: 'console.log(1)' } });
  expect({ ...right, ...outputsIn(join(cwd, 'log.jsonl')) }).toMatchObject({ exitCode: 0, T1: 1 });
});

test('everything wrong with a package.yao is said at once', async () => {
  const cwd = folder({
    'package.yao': `{
  "name": 5,
  "run": {
    "http": { "url": "ftp://x", "output": "$[", "haeders": {} },
    "modul": "x"
  }
}`,
    'cases.jsonl': [{ id: 'T1', input: 'hi' }],
  });
  const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr.split('\n').filter((line) => line.startsWith('package.yao'))).toEqual([
    expect.stringMatching(/^package\.yao:2: name: expected text$/),
    expect.stringMatching(/^package\.yao:4: run\.http\.url: is not an http/),
    expect.stringMatching(/^package\.yao:4: run\.http\.output: is not a JSONPath/),
    expect.stringMatching(/^package\.yao:4: run\.http\.haeders: unknown key$/),
    expect.stringMatching(/^package\.yao:5: run\.modul: unknown key$/),
  ]);
  expect(stderr).toContain('did you mean "module"?');
});

test('a package.yao that is no JSON, or has nothing to run', async () => {
  const cwd = folder({
    'a/package.yao': '{\n  "name": \n}',
    'b/package.yao': '{}',
    'c/package.yao': '{}',
    'c/prompts.yml': '',
  });
  const run = async (name: string) =>
    (await assay(['test', '-i', 'hi there', '-n', `./${name}`], { cwd })).stderr.split('\n')[0];
  expect([await run('a'), await run('b'), await run('c')]).toEqual([
    expect.stringMatching(/^a\/package\.yao:[23]: /),
    'b/package.yao:1: nothing to run: no "run" here, no prompts and no b/src/index.ts',
    'c/package.yao:1: nothing to run: no "run" here, no prompts and no c/src/index.ts',
  ]);
});
