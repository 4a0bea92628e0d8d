// Agents that are programs: a request on stdin, an answer on stdout, and nothing of them outlives its attempt.

import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, outputsIn, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';

/** A program that behaves as the message asks for. */
const PROGRAM = `
import { spawn } from 'node:child_process';
import { writeFileSync, writeSync } from 'node:fs';
let text = '';
for await (const chunk of process.stdin) text += chunk;
const request = JSON.parse(text);
switch (request.input) {
  case 'request': console.log(JSON.stringify(request)); break;
  case 'transcript': console.log(JSON.stringify({ output: 'x', usage: { input_tokens: 1, output_tokens: 2 } })); break;
  case 'text': console.error('thinking'); console.error('still'); console.log('just  text'); break;
  case 'fails': console.error('no model'); process.exit(3); break;
  case 'env': console.log(JSON.stringify([process.env.FROM_PACKAGE, process.env.FROM_DOTENV, process.cwd() === import.meta.dirname])); break;
  case 'gigabyte': { const block = Buffer.alloc(1 << 20, 'x'); for (let i = 0; i < 1024; i++) writeSync(1, block); break; }
  case 'ignores':
    process.on('SIGTERM', () => writeFileSync('sigterm', ''));
    writeFileSync('pid-ignores', String(process.pid));
    setInterval(() => {}, 1000);
    break;
  case 'grandchild': {
    const child = spawn('sh', ['-c', 'trap "" TERM; sleep 60; sleep 60'], { stdio: 'ignore' });
    writeFileSync('pid-grandchild', String(child.pid));
    setInterval(() => {}, 1000);
    break;
  }
  default: process.stdin.destroy();
}
`;

const PACKAGE = {
  run: { command: ['node', 'agent.mjs'], env: { FROM_PACKAGE: 'p $ENV.FROM_ENV' } },
};

function commandFolder(inputs: readonly string[]): string {
  return folder({
    'assistants/cmd/package.yao': JSON.stringify(PACKAGE),
    'assistants/cmd/agent.mjs': PROGRAM,
    '.env': 'FROM_DOTENV="d 2"\nFROM_ENV=from-dotenv\n',
    'cases.jsonl': inputs.map((input) => ({ id: input, input })),
  });
}

const RUN = ['test', '-i', 'cases.jsonl', '-n', 'cmd', '-o', 'log.jsonl'];

test('JSON, text, exit codes, stderr and environment', async () => {
  const cwd = commandFolder(['request', 'transcript', 'text', 'fails', 'env', 'silent']);
  const { exitCode } = await assay([...RUN, '--parallel', '3'], { cwd, env: { FROM_ENV: 'from-env' } });
  const log = join(cwd, 'log.jsonl');
  expect(exitCode).toBe(1);
  expect(endsIn(log)).toEqual({
    request: 'passed',
    transcript: 'passed',
    text: 'passed',
    fails: 'error | agent | node exited with code 3: no model',
    env: 'passed',
    silent: 'failed | no answer',
  });
  expect(outputsIn(log)).toEqual({
    request: {
      messages: [{ role: 'user', content: 'request' }],
      context: expect.objectContaining({ assistant_id: 'cmd' }),
      input: 'request',
    },
    transcript: 'x',
    text: 'just  text',
    fails: undefined,
    env: ['p from-env', 'd 2', true],
    silent: '',
  });
  const logs = Object.fromEntries(readLog(log).results.map(({ id, logs }) => [id, logs]));
  expect([logs['text'], logs['fails']]).toEqual([['thinking', 'still'], ['no model']]);
});

test('one that prints a gigabyte is stopped with an error, in little memory and time', async () => {
  const cwd = commandFolder(['gigabyte', 'text']);
  const { exitCode } = await assay(RUN, { cwd, env: { FROM_ENV: 'x' } });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    gigabyte: expect.stringMatching(
      /^error \| agent \| node printed [\d.]+ MB; at most 10 MB of an answer is read$/,
    ),
    text: 'passed',
  });
});

test('one that ignores SIGTERM and one with a grandchild die at the deadline, with all they started', async () => {
  const cwd = commandFolder(['ignores', 'grandchild', 'text']);
  const { exitCode } = await assay([...RUN, '--timeout', '1s', '--parallel', '3'], {
    cwd,
    env: { FROM_ENV: 'x' },
  });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    ignores: 'timeout | timeout after 1s',
    grandchild: 'timeout | timeout after 1s',
    text: 'passed',
  });
  const pids = ['ignores', 'grandchild'].map((name) =>
    Number(readFileSync(join(cwd, `assistants/cmd/pid-${name}`), 'utf8')),
  );
  await until(() => pids.every((pid) => !isAlive(pid)));
  // It was asked before it was killed.
  expect(existsSync(join(cwd, 'assistants/cmd/sigterm'))).toBe(true);
});

test('a key that a program prints appears nowhere', async () => {
  const secret = 'tok-0123456789';
  const code =
    'console.error("key: " + process.env.API_KEY); console.log("my key is " + process.env.API_KEY)';
  const cwd = folder({
    'package.yao': JSON.stringify({
      run: { command: ['node', '-e', `${code}; process.exitCode = 2`], env: { API_KEY: '$ENV.SOME_VALUE' } },
    }),
    'calm/package.yao': JSON.stringify({
      run: { command: ['node', '-e', code], env: { API_KEY: '$ENV.SOME_VALUE' } },
    }),
  });
  const ask = (folder: string) =>
    assay(['test', '-i', 'tell me', '-n', folder, '-o', 'log.jsonl'], { cwd, env: { SOME_VALUE: secret } });
  expect(await ask('.')).toEqual({
    exitCode: 1,
    signal: null,
    stdout: '',
    stderr: 'key: ***\nerror: node exited with code 2: key: ***\n',
  });
  expect(await ask('./calm')).toEqual({ exitCode: 0, signal: null, stdout: 'my key is ***\n', stderr: '' });
  expect(readFileSync(join(cwd, 'log.jsonl'), 'utf8')).not.toContain(secret);
});

test('a program that is not there is a problem of the set-up', async () => {
  const cwd = folder({
    'package.yao': '{\n  "run": {\n    "command": ["no-such-program-here"]\n  }\n}',
    'cases.jsonl': [{ id: 'T1', input: 'hi' }],
  });
  const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: `package.yao:3: run.command: no program "no-such-program-here" in PATH, nor in ${cwd}\n  hint: install it, or write the path of the program\n`,
  });
});

function isAlive(pid: number): boolean {
  const status = `/proc/${String(pid)}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}

test('endless output on stderr, of the worst kind for JSON, takes little memory and log', async () => {
  const cwd = folder({
    'assistants/cmd/package.yao': {
      run: { command: ['sh', '-c', 'head -c 200000000 /dev/zero >&2; echo ok'] },
    },
    'cases.jsonl': ['a', 'b', 'c', 'd'].map((id) => ({ id, input: id, expected: 'ok' })),
  });
  const run = start([...RUN, '--parallel', '4'], { cwd });
  let megabytes = 0;
  const timer = setInterval(() => {
    const status = readStatus(run.child.pid ?? 0);
    megabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 || megabytes;
  }, 20);
  const { exitCode } = await run.finished;
  clearInterval(timer);
  expect(exitCode).toBe(0);
  expect(megabytes).toBeLessThan(500);
  expect(statSync(join(cwd, 'log.jsonl')).size).toBeLessThan(4 * 11 * 1024 * 1024);
});

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  } catch {
    return '';
  }
}

const LONG = 'a'.repeat(200_000);
const HINT = {
  long: '  hint: put long values into a file and pass its path\n',
  interpreter: '  hint: correct the line that begins with #!\n',
};

test.each<[string, object, (cmd: string) => string]>([
  [
    'no command',
    { command: [] },
    () => ':1: run.command: is an empty list\n  hint: write ["python3", "agent.py"]\n',
  ],
  ['an empty name', { command: [''] }, () => ':1: run.command: the name of the program is empty\n'],
  ['a folder', { command: ['./data'] }, (cmd) => `:1: run.command: ${cmd}/data is a folder, not a program\n`],
  [
    'a file that is not executable',
    { command: ['./data/plain'] },
    (cmd) => `:1: run.command: ${cmd}/data/plain is not executable; try chmod +x\n`,
  ],
  [
    'NUL in an argument',
    { command: ['echo', 'a\0b'] },
    () => ':1: run.command[1]: has a NUL character, which no process can be given\n',
  ],
  [
    'NUL in the environment',
    { command: ['echo'], env: { A: '\0' } },
    () => ':1: run.env.A: has a NUL character, which no process can be given\n',
  ],
  [
    'a wrong name of a variable',
    { command: ['echo'], env: { 'A=B': 'x' } },
    () => ':1: run.env.A=B: is not the name of an environment variable\n',
  ],
  [
    'an argument that is too long',
    { command: ['echo', LONG] },
    () =>
      `: cannot start echo: its arguments and environment are longer than the system allows\n${HINT.long}`,
  ],
  [
    'an interpreter that does not exist',
    { command: ['./script'] },
    (cmd) =>
      `: cannot start ${cmd}/script: the interpreter that its first line names does not exist\n${HINT.interpreter}`,
  ],
])('%s is a problem of the set-up, told once and without a stack', async (_name, run, told) => {
  const cwd = folder({
    'assistants/cmd/package.yao': JSON.stringify({ run }),
    'assistants/cmd/data/plain': 'echo hi',
    'assistants/cmd/script': '#!/no/such/interpreter\n',
    'cases.jsonl': ['a', 'b', 'c'].map((id) => ({ id, input: id })),
  });
  const cmd = join(cwd, 'assistants/cmd');
  chmodSync(join(cmd, 'script'), 0o755);
  const { exitCode, stderr } = await assay([...RUN, '--parallel', '2'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `assistants/cmd/package.yao${told(cmd)}` });
});
