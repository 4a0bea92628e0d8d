// Agents that are Python functions, and Python functions that judge.

import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, folder, outputsIn, readLog, write } from '../support/assay.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-n', 'agent.py', '-o', 'log.jsonl', '--retries', '0'];

function resultsIn(cwd: string): ResultEvent[] {
  return readLog(join(cwd, 'log.jsonl')).results;
}

test('a function is called with the messages and the context, and keeps its process', async () => {
  const agent = `
import os
from words import shout
calls = []

def answer(messages, ctx):
    calls.append(os.getpid())
    text = messages[-1]["content"]
    print("asked", text)
    if text == "first":
        return {"output": {"user": ctx.user_id, "cwd": os.getcwd(), "options": ctx.options}, "usage": {"input_tokens": 1}}
    return shout(f"{text} {len(calls)} {len(set(calls))}")
`;
  const cwd = folder({
    'src/agent.py': agent,
    'src/words.py': 'def shout(text): return text.upper()',
    'cases.jsonl': [
      { id: 'first', input: 'first', options: { size: 1 } },
      { id: 'second', input: [{ role: 'user', content: 'hello' }] },
    ],
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', 'src/agent.py', '-u', 'ann', '-o', 'log.jsonl'];
  const { exitCode, stderr } = await assay(args, { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { start, results } = readLog(join(cwd, 'log.jsonl'));
  expect(start.agent_id).toBe('src/agent.py');
  expect(results).toMatchObject([
    { output: { user: 'ann', cwd, options: { size: 1 } }, usage: { input_tokens: 1 }, logs: ['asked first'] },
    { output: 'HELLO 2 1', logs: ['asked hello'] },
  ]);
});

test('async functions, generators and conversations; prints belong to their case', async () => {
  const agent = `
import asyncio, sys

async def answer(messages, ctx):
    for number in range(3):
        print(messages[0]["content"], number)
        sys.stderr.write(f"err {number}")
        await asyncio.sleep(0.01)
        yield f"{messages[-1]['content']}-{number} "
`;
  const ids = ['a', 'b', 'c', 'd'];
  const cases = [
    ...ids.map((id) => ({ id, input: id })),
    { id: 'talk', turns: [{ input: 'x' }, { input: 'y' }] },
  ];
  const cwd = folder({ 'agent.py': agent, 'cases.jsonl': cases });
  const { exitCode } = await assay([...RUN, '--parallel', '5'], { cwd });
  expect(exitCode).toBe(0);
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({
    a: 'a-0 a-1 a-2 ',
    b: 'b-0 b-1 b-2 ',
    c: 'c-0 c-1 c-2 ',
    d: 'd-0 d-1 d-2 ',
    talk: 'y-0 y-1 y-2 ',
  });
  const logs = Object.fromEntries(resultsIn(cwd).map((result) => [result.id, result.logs]));
  for (const id of ids) expect(logs[id]).toEqual([`${id} 0`, `err 0${id} 1`, `err 1${id} 2`, 'err 2']);
  expect(logs['talk']).toHaveLength(8);
});

test('pydantic is not needed; its models are answers where it is installed', async () => {
  const agent = `
try:
    from pydantic import BaseModel
except ImportError:
    class BaseModel:
        def __init__(self, **fields): self.__dict__.update(fields)
        def model_dump(self, mode="python"): return dict(self.__dict__)

class City(BaseModel):
    name: str
    people: int

def answer(messages):
    return {"output": City(name="Oslo", people=700000)}
`;
  const cwd = folder({
    'agent.py': agent,
    'cases.jsonl': [{ id: 'city', input: 'x', expected: { name: 'Oslo', people: 700000 } }],
  });
  expect((await assay(RUN, { cwd })).exitCode).toBe(0);
});

test('an exception is an error of the agent, with its traceback', async () => {
  const cwd = folder({
    'agent.py': 'def answer(messages):\n    raise LookupError("no such city")\n',
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  });
  expect((await assay(RUN, { cwd })).exitCode).toBe(1);
  expect(resultsIn(cwd)).toMatchObject([
    {
      status: 'error',
      code: 'agent',
      error: 'LookupError: no such city',
      stack: expect.stringContaining(`File "${join(cwd, 'agent.py')}", line 2, in answer`) as unknown,
    },
  ]);
  expect(resultsIn(cwd)[0]?.stack).not.toContain('python-runner');
});

test.each([
  ['def answer(messages:\n', /^agent\.py:1: cannot be imported: SyntaxError: .*\n$/],
  [
    'import nonexistent_package\ndef answer(messages): pass\n',
    /^agent\.py:1: cannot be imported: ModuleNotFoundError: No module named 'nonexistent_package'\n {2}hint: install it: \S+ -m pip install nonexistent_package; or choose another Python with --python\n$/,
  ],
  [
    'def answer(messages): pass\nraise RuntimeError("no key")\n',
    /^agent\.py:2: cannot be imported: RuntimeError: no key\n$/,
  ],
  [
    'def other(m): pass\n',
    /^agent\.py: has no function "answer" \(it has other\)\n {2}hint: name the function: agent\.py:other\n$/,
  ],
])('a file that cannot be used is told once, with exit 2: %s', async (source, expected) => {
  const cwd = folder({
    'agent.py': source,
    'cases.jsonl': ['a', 'b', 'c'].map((id) => ({ id, input: id })),
  });
  const { exitCode, stderr } = await assay([...RUN, '--parallel', '2'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(expected) as unknown });
});

test('a missing or old interpreter is exit 2 with a remedy', async () => {
  const cwd = folder({
    'agent.py': 'def answer(messages): return 1',
    'cases.jsonl': [{ id: 'a', input: 'x' }],
    'old-python': '#!/bin/sh\nprintf \'{"type": "old", "version": "3.8.1"}\\n\' >&3\n',
  });
  chmodSync(join(cwd, 'old-python'), 0o755);
  const none = await assay(RUN, { cwd, env: { PATH: cwd, VIRTUAL_ENV: '' } });
  expect({ exitCode: none.exitCode, stderr: none.stderr }).toEqual({
    exitCode: 2,
    stderr:
      'no Python was found: neither a virtual environment, nor python3 or python in PATH\n' +
      '  hint: install Python 3.9 or later, or name its program with --python\n',
  });
  const named = await assay([...RUN, '--python', './python9'], { cwd });
  expect({ exitCode: named.exitCode, stderr: named.stderr }).toEqual({
    exitCode: 2,
    stderr: `--python: ${join(cwd, 'python9')} does not exist\n  hint: install Python 3.9 or later, or name its program with --python\n`,
  });
  const old = await assay(RUN, { cwd, env: { ASSAY_PYTHON: './old-python' } });
  expect({ exitCode: old.exitCode, stderr: old.stderr }).toEqual({
    exitCode: 2,
    stderr:
      `${join(cwd, 'old-python')} is Python 3.8.1; Assay needs Python 3.9 or later\n` +
      '  hint: name another one with --python, or make a virtual environment: python3 -m venv .venv\n',
  });
});

test('the fingerprint covers the modules beside the file', async () => {
  const cwd = folder({
    'agent.py': 'import part\ndef answer(messages): return part.WORD',
    'part.py': 'WORD = "one"',
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  });
  const fingerprint = async (): Promise<unknown> => {
    await assay(RUN, { cwd });
    const [input] = readLog(join(cwd, 'log.jsonl')).start.inputs;
    return input && 'agent_sha256' in input ? input.agent_sha256 : undefined;
  };
  const first = await fingerprint();
  expect(await fingerprint()).toBe(first);
  write(join(cwd, 'part.py'), 'WORD = "two"');
  expect(await fingerprint()).not.toBe(first);
});

test('traffic of a Python agent cannot be recorded or replayed', async () => {
  const cwd = folder({
    'agent.py': 'def answer(messages): return 1',
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  });
  const { exitCode, stderr } = await assay([...RUN, '--record', 'tapes'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'the traffic of agent.py cannot be recorded or replayed: it is a program of its own\n' +
      '  hint: leave --record and --replay out, or test it as a module or behind a URL\n',
  });
});

const CHECKS = `
import os, time

def is_short(output):
    return len(output) < 10

def full(output, input, expected, ctx):
    print("judging", input, ctx.user_id)
    return {"pass": output == expected, "message": f"{output!r} is not {expected!r}"}

async def later(output, input, expected):
    return True

def number(output): return 0.5
def hangs(output): time.sleep(100)
def raises(output): raise ValueError("cannot tell")
def crashes(output): os._exit(3)
`;

test('a Python function judges answers, apart from the agent', async () => {
  const check = (name: string, more: object = {}) => ({
    id: name,
    input: 'hello',
    assert: { type: 'script', script: `checks.py:${name}` },
    ...more,
  });
  const cwd = folder({
    'agent.py': 'def answer(messages): return messages[0]["content"] * 2',
    'tests/checks.py': CHECKS,
    'tests/cases.jsonl': [
      check('is_short'),
      check('full', { expected: 'hello' }),
      check('later'),
      check('number'),
      check('hangs', { timeout: '1s' }),
      check('raises', { tags: ['unknown'] }),
      check('crashes', { tags: ['unknown'] }),
    ],
  });
  const args = ['test', '-i', 'tests/cases.jsonl', '-n', 'agent.py', '-o', 'log.jsonl', '--retries', '0'];
  const { exitCode } = await assay([...args, '--parallel', '3'], { cwd });
  const brief = resultsIn(cwd).map(({ id, status, code, error }) => [id, { status, code, error }]);
  expect({ exitCode, ...Object.fromEntries(brief) }).toEqual({
    exitCode: 1,
    is_short: { status: 'failed', error: 'checks.py:is_short says no' },
    full: { status: 'failed', error: "'hellohello' is not 'hello'" },
    later: { status: 'passed' },
    number: {
      status: 'error',
      code: 'judge',
      error: expect.stringContaining('checks.py:number returned 0.5') as unknown,
    },
    hangs: {
      status: 'error',
      code: 'judge',
      error: 'checks.py:hangs has not answered (still waiting at the timeout after 1s)',
    },
    raises: { status: 'error', code: 'judge', error: 'ValueError: cannot tell' },
    crashes: {
      status: 'error',
      code: 'judge',
      error: expect.stringMatching(/python\S* exited with code 3/) as unknown,
    },
  });
  expect(resultsIn(cwd).find(({ id }) => id === 'full')?.logs).toEqual(['judging hello test-user']);

  // Nothing failed, but something could not be judged.
  const unknown = await assay([...args, '--tag', 'unknown'], { cwd });
  expect(unknown.exitCode).toBe(3);
});

test('an agent cannot replace the code that judges it by writing beside it', async () => {
  const agent = `
import importlib.util, os, importlib._bootstrap_external as files

def answer(messages):
    source = os.path.abspath("checks.py")
    stat = os.stat(source)
    code = compile("def judge(output): return True", source, "exec")
    target = importlib.util.cache_from_source(source)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(files._code_to_timestamp_pyc(code, int(stat.st_mtime), stat.st_size))
    with open("fractions.py", "w") as file:
        file.write("Fraction = lambda *_: True")
    return "wrong"
`;
  const cwd = folder({
    'agent.py': agent,
    'checks.py': 'import fractions\ndef judge(output): return fractions.Fraction(1, 2) > 1',
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'script', script: 'checks.py:judge' } }],
  });
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, error: resultsIn(cwd)[0]?.error }).toEqual({
    exitCode: 1,
    error: 'checks.py:judge says no',
  });
});

test('a check that does not exist is found before anything runs', async () => {
  const script = (name: string) => ({ id: name, input: 'x', assert: { type: 'script', script: name } });
  const cwd = folder({
    'agent.py': 'open("ran.txt", "w")\ndef answer(messages): return 1',
    'checks.py': CHECKS,
    'cases.jsonl': [script('checks.py:is_shrot'), script('chekcs.py:full'), script('checks.py')],
  });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: [
      'cases.jsonl:3: assert: "checks.py" needs a function, such as "checks.py:is_polite"',
      'checks.py: has no function "is_shrot" (it has is_short, full, later, number, hangs, raises, crashes)',
      '  hint: did you mean "is_short"?',
      'cases.jsonl:2: no such file: chekcs.py',
      '  hint: did you mean "checks.py"?',
      '',
    ].join('\n'),
  });
  expect(() => readFileSync(join(cwd, 'ran.txt'))).toThrow('ENOENT');
});
