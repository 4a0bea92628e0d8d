// A default export that is no agent ends the run once, before any case counts.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog } from '../support/assay.ts';

const FRAMEWORKS =
  'AI SDK (ToolLoopAgent), LangGraph or LangChain (a compiled graph, createAgent, a runnable), Mastra (Agent), OpenAI Agents SDK (Agent)';
const EXPECTED = `expected a function (messages, ctx) => output, or an agent of ${FRAMEWORKS}`;
const WRITE = '  hint: write: export default async (messages, ctx) => output\n';
const CASES = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, input: id }));

function told(what: string, hint = WRITE, file = 'agent.ts'): string {
  return `${file}: the default export is ${what}; ${EXPECTED}\n${hint}`;
}

test.each([
  [
    'an object',
    'export default { name: "x", tools: [] }',
    told('an object with the keys "name", "tools"'),
    'agent.ts',
  ],
  ['null', 'export default null', told('null'), 'agent.ts'],
  ['undefined', 'export default undefined', told('undefined'), 'agent.ts'],
  ['a string', 'export default "gpt-5"', told('the text "gpt-5"'), 'agent.ts'],
  ['a list', 'export default [() => 1]', told('a list'), 'agent.ts'],
  [
    'a class',
    'export default class Helper { run() { return 1; } }',
    told(
      'the class Helper',
      '  hint: export a function that uses it: export default (messages) => new Helper().run(messages)\n',
    ),
    'agent.ts',
  ],
  [
    'a promise of an object',
    'export default Promise.resolve({ model: 1 })',
    told('an object with the key "model"'),
    'agent.ts',
  ],
  [
    'nested default exports',
    'exports.__esModule = true; exports.default = { default: { text: 1 } };',
    told('an object with the key "text"', WRITE, 'agent.cjs'),
    'agent.cjs',
  ],
  [
    'CommonJS that exports an object',
    'exports.run = () => 1;',
    told('an object with the key "run"', WRITE, 'agent.cjs'),
    'agent.cjs',
  ],
])('%s is exit 2, told once', async (_name, code, stderr, file) => {
  const cwd = folder({ [file]: code, 'cases.jsonl': CASES });
  for (const parallel of ['1', '4']) {
    const args = ['test', '-i', 'cases.jsonl', '-n', `./${file}`, '-o', 'log.jsonl', '--parallel', parallel];
    const run = await assay(args, { cwd });
    expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 2, stderr });
    const { results, summary } = readLog(join(cwd, 'log.jsonl'));
    expect({ results, summary }).toEqual({ results: [], summary: undefined });
  }
});

test.each([
  ['a nested function', 'exports.default = { default: () => "ok" };'],
  ['a promise inside of CommonJS', 'exports.default = Promise.resolve(() => "ok");'],
  ['a bound function', 'module.exports = function () { return this.answer; }.bind({ answer: "ok" });'],
])('%s is an agent', async (_name, code) => {
  const cwd = folder({ 'agent.cjs': code, 'cases.jsonl': [{ id: 'T1', input: 'hi', expected: 'ok' }] });
  const { exitCode } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.cjs'], { cwd });
  expect(exitCode).toBe(0);
});

test('an agent whose import throws stays an error of the agent', async () => {
  const cwd = folder({
    'agent.mjs': 'throw new Error("no key"); export default () => 1;',
    'cases.jsonl': CASES,
  });
  const run = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  const ends = Object.values(endsIn(join(cwd, 'log.jsonl')));
  expect([run.exitCode, ends]).toEqual([1, CASES.map(() => 'error | agent | no key')]);
});

test('one of several agents ends the whole run; results of others stay in the log', async () => {
  const assistant = (name: string, code: string): Record<string, unknown> => ({
    [`assistants/${name}/package.yao`]: '{"run": {"module": "./agent.ts"}}',
    [`assistants/${name}/agent.ts`]: code,
    [`assistants/${name}/tests/cases.jsonl`]: CASES,
  });
  const cwd = folder({
    ...assistant('good', 'export default () => "ok"'),
    ...assistant('bad', 'export default 1'),
  });
  const inputs = ['good', 'bad'].flatMap((name) => ['-i', `assistants/${name}/tests/cases.jsonl`]);
  const { exitCode, stderr } = await assay(['test', ...inputs, '-o', 'log.jsonl'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: told('a number', WRITE, 'assistants/bad/agent.ts'),
  });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map(({ agent_id, status }) => [agent_id, status])).toEqual(
    CASES.map(() => ['good', 'passed']),
  );
});

test('the hook after a case that had begun still runs', async () => {
  const hook = (name: string): string =>
    `export function ${name}() { appendFileSync('calls.txt', '${name}\\n'); }\n`;
  const cwd = folder({
    'app.yao': '{}',
    'agent.ts': 'export default {}',
    'scripts/env.ts': `import { appendFileSync } from 'node:fs';\n${hook('Before')}${hook('After')}`,
    'cases.jsonl': [{ id: 'T1', input: 'hi', before: 'scripts.env.Before', after: 'scripts.env.After' }],
  });
  const { exitCode } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.ts'], { cwd });
  expect([exitCode, callsIn(cwd), existsSync(join(cwd, 'calls.txt'))]).toEqual([
    2,
    ['Before', 'After'],
    true,
  ]);
});
