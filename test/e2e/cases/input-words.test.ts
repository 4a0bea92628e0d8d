// `assay test cases.jsonl ./agent.mjs`: words instead of -i and -n.

import { expect, test } from 'vitest';
import { assay, folder, logIn, readLog } from '../support/assay.ts';

const AGENT = 'export default (messages) => `echo ${messages.at(-1).content}`;\n';
const FILES = {
  'agent.mjs': AGENT,
  'made.mjs': "export default [{ id: 'made', input: 'x' }];\n",
  'cases.jsonl': [{ id: 'a', input: 'hi', assert: [{ type: 'equals', value: 'echo hi' }] }],
  'more/b.jsonl': [{ id: 'b', input: 'ho' }],
  'agent.py': 'def answer(messages, ctx):\n    return "py"\n',
  'assistants/clerk/package.yao': '{"run": {"module": "./agent.mjs"}}',
  'assistants/clerk/agent.mjs': AGENT,
  'assistants/clerk/tests/own.jsonl': [{ id: 'own', input: 'me' }],
};

/** What a dry run lists: each case with its agent. */
async function planned(...args: string[]): Promise<string[]> {
  const { stdout, stderr, exitCode } = await assay(['test', '--dry-run', ...args], { cwd: folder(FILES) });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return [...stdout.matchAll(/^ {2}(\S+) .*?\(agent (\S+);/gm)].map(
    ([, id = '', agent = '']) => `${id} ${agent}`,
  );
}

async function refused(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await assay(['test', ...args], { cwd: folder(FILES) });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  return stderr;
}

test('runs the cases of the first word on the agent of the second', async () => {
  const cwd = folder(FILES);
  expect(await assay(['test', 'cases.jsonl', './agent.mjs'], { cwd })).toMatchObject({ exitCode: 0 });
  const { start, results } = readLog(logIn(cwd));
  expect(
    start.inputs.map((input) => [input.type, 'path' in input ? input.path : '', input.agent_id]),
  ).toEqual([['file', 'cases.jsonl', 'agent.mjs']]);
  expect(results.map(({ id, status }) => [id, status])).toEqual([['a', 'passed']]);
});

test.each([
  ['the other order', ['agent.mjs', 'cases.jsonl'], ['a agent.mjs']],
  ['several inputs', ['cases.jsonl', 'more', 'agent.mjs'], ['a agent.mjs', 'b agent.mjs']],
  ['a pattern', ['more/*.jsonl', 'agent.mjs'], ['b agent.mjs']],
  ['a pattern without an ending', ['case*', 'agent.mjs'], ['a agent.mjs']],
  ['two modules: the cases first', ['made.mjs', 'agent.mjs'], ['made agent.mjs']],
  ['a module of cases beside -n', ['made.mjs', '-n', 'agent.mjs'], ['made agent.mjs']],
  ['an agent beside -i', ['-i', 'hello', 'agent.mjs'], ['message agent.mjs']],
  ['a word beside -i', ['cases.jsonl', '-i', 'more', '-n', 'agent.mjs'], ['a agent.mjs', 'b agent.mjs']],
  ['the id of an agent', ['cases.jsonl', 'clerk'], ['a clerk']],
  ['the folder of an agent, alone: its cases', ['assistants/clerk'], ['own clerk']],
  ['the folder of an agent behind cases', ['cases.jsonl', 'assistants/clerk'], ['a clerk']],
  ['an address', ['cases.jsonl', 'http://localhost:1/x'], ['a http://localhost:1/x']],
  ['a Python file', ['cases.jsonl', 'agent.py'], ['a agent.py']],
])('takes %s', async (_, args, expected) => {
  expect(await planned(...args)).toEqual(expected);
});

test.each([
  [
    'a mistyped file',
    ['casse.jsonl', 'agent.mjs'],
    '"casse.jsonl" does not exist\n  hint: did you mean "cases.jsonl"?\n',
  ],
  [
    'a mistyped agent',
    ['cases.jsonl', './agnet.mjs'],
    '"./agnet.mjs" does not exist\n  hint: did you mean "agent.mjs"?\n',
  ],
  [
    'a mistyped id',
    ['cases.jsonl', 'clrek'],
    '"clrek" is neither a file nor an agent\n  hint: did you mean "clerk"?\n',
  ],
  [
    'a message',
    ['hello'],
    '"hello" is neither a file nor an agent\n  hint: to send it as a message: assay test -i "hello"\n',
  ],
  [
    'the rest of a message',
    ['-i', 'hello', 'world'],
    '"world" is neither a file nor an agent\n  hint: to send a message with several words, quote it: -i "hello world"\n',
  ],
  [
    'two agents',
    ['cases.jsonl', 'agent.py', 'http://x'],
    '"agent.py" and "http://x" are 2 agents\n  hint: a run has one agent; leave the others out, or name the agents in the cases with "agent"\n',
  ],
  [
    'an agent beside -n',
    ['cases.jsonl', '-n', 'agent.mjs', 'http://x'],
    '"agent.mjs" and "http://x" are 2 agents\n  hint: a run has one agent; leave the others out, or name the agents in the cases with "agent"\n',
  ],
  [
    'two modules beside cases',
    ['cases.jsonl', 'made.mjs', 'agent.mjs'],
    'which one is the agent: "made.mjs" and "agent.mjs"?\n  hint: each can have cases and be an agent; name the agent with -n, or the cases with -i\n',
  ],
])('refuses %s', async (_, args, expected) => {
  expect(await refused(...args)).toBe(expected);
});

test('refuses a pattern that matches nothing', async () => {
  expect(await refused('nothing*', 'agent.mjs')).toMatch(/^no file matches "\.\/nothing\*"\n/);
});

test('says what to do if the only word is the agent', async () => {
  const { stderr, exitCode } = await assay(['test', 'agent.mjs'], {
    cwd: folder({ 'agent.mjs': 'export default () => "hi";' }),
  });
  expect({ stderr, exitCode }).toEqual({
    stderr:
      'the module agent.mjs gave no cases but "hi"\n  hint: export default a list of cases, or a function or generator that gives them; if it is the agent, name the cases too: assay test cases.jsonl agent.mjs\n',
    exitCode: 2,
  });
});

test('plans with the same words', async () => {
  const cwd = folder(FILES);
  const { stdout, exitCode } = await assay(['plan', 'test', 'cases.jsonl', './agent.mjs', '--json'], { cwd });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ cases: 1, attempts: 1 });
});
