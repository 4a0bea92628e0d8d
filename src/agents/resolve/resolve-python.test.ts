import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import type { ResolveOptions } from './resolve.ts';
import { resolveAgent } from './resolve.ts';

/** An application of its own for every test, with an interpreter in PATH that is never started. */
let root = '';
let env: Record<string, string> = {};

function write(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

const resolve = (options: Partial<ResolveOptions>) =>
  resolveAgent({ from: root, root, cwd: root, env, ...options });

async function problemsOf(options: Partial<ResolveOptions>) {
  const error: unknown = await resolve(options).catch((thrown: unknown) => thrown);
  return error instanceof ConfigError ? error.problems : error;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-resolve-python-'));
  chmodSync(write('bin/python3', ''), 0o755);
  env = { PATH: join(root, 'bin') };
  write(
    'agent.py',
    'import words\n\ndef answer(messages, ctx):\n    return words.GREETING\n\nasync def chat(messages):\n    return 1\n',
  );
  write('words.py', 'GREETING = "hello"\n');
  write('unused.py', '');
});
afterEach(() => rmSync(root, { recursive: true }));

test('a Python file is an agent: its function is answer unless it is named', async () => {
  const file = join(root, 'agent.py');
  const interpreter = join(root, 'bin/python3');
  const first = await resolve({ name: 'agent.py' });
  expect(first).toEqual({
    definition: { id: 'agent.py', run: { type: 'python', file, function: 'answer', interpreter } },
    files: [file, join(root, 'words.py')],
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    secrets: [],
    root,
  });
  expect((await resolve({ name: './agent.py:chat', connector: 'c' })).definition).toEqual({
    id: 'agent.py:chat',
    forced_connector: 'c',
    run: { type: 'python', file, function: 'chat', interpreter },
  });

  write('unused.py', 'x = 1');
  expect((await resolve({ name: 'agent.py' })).sha256).toBe(first.sha256);
  write('words.py', 'GREETING = "hi"\n');
  expect((await resolve({ name: 'agent.py' })).sha256).not.toBe(first.sha256);
});

test('a package can name a Python function', async () => {
  const folder = join(root, 'assistants/py');
  const packageFile = write(
    'assistants/py/package.yao',
    '{"run": {"python": "src/agent.py:chat"}, "options": {"t": 1}}',
  );
  const file = write('assistants/py/src/agent.py', 'def chat(messages): return 1');
  chmodSync(write('assistants/py/.venv/bin/python', ''), 0o755);
  const { definition, files } = await resolve({ name: 'py' });
  expect({ definition, files }).toEqual({
    definition: {
      id: 'py',
      options: { t: 1 },
      run: { type: 'python', file, function: 'chat', interpreter: join(folder, '.venv/bin/python') },
    },
    files: [packageFile, file],
  });

  write('assistants/py/package.yao', '{"run": {"python": "agent.rb"}}');
  const at = 'assistants/py/package.yao:1';
  expect(await problemsOf({ name: 'py' })).toEqual([
    {
      message: 'run.python: agent.rb is not a Python file',
      at,
      hint: 'write "agent.py" or "agent.py:answer"',
    },
  ]);
  write('assistants/py/package.yao', '{"run": {"python": "none.py"}}');
  expect(await problemsOf({ name: 'py' })).toEqual([
    { message: `run.python: no such file: ${join(folder, 'none.py')}`, at, hint: undefined },
  ]);
});

test('a file or function that does not exist is found out before anything runs', async () => {
  expect(await problemsOf({ name: 'agent.py:chta' })).toEqual([
    { message: 'has no function "chta" (it has answer, chat)', at: 'agent.py', hint: 'did you mean "chat"?' },
  ]);
  write('other.py', 'def run(messages): return 1');
  expect(await problemsOf({ name: 'other.py' })).toEqual([
    {
      message: 'has no function "answer" (it has run)',
      at: 'other.py',
      hint: 'name the function: other.py:run',
    },
  ]);
  write('program.py', 'print(input())');
  expect(await problemsOf({ name: 'program.py' })).toEqual([
    {
      message: 'has no function "answer" (it has no functions)',
      at: 'program.py',
      hint: 'write def answer(messages, ctx): …, or for a program that reads stdin a package.yao with {"run": {"command": ["python3", "program.py"]}}',
    },
  ]);
  expect(await problemsOf({ name: 'agnet.py:chat' })).toEqual([
    { message: 'no agent "agnet.py:chat"; looked for agnet.py', hint: 'did you mean "agent.py"?' },
  ]);
});
