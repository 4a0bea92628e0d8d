// Agents that are programs: a request on stdin, an answer on stdout, and nothing of them outlives its attempt.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
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
    stderr: `package.yao:3: run.command: no program "no-such-program-here" in PATH, nor in ${cwd}\n`,
  });
});

function isAlive(pid: number): boolean {
  const status = `/proc/${String(pid)}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}
