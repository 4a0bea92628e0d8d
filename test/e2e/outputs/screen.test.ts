// What people see and type: the screen, message mode, colours, wrong commands, exit codes.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

const AGENT = `
export default (messages) => {
  const what = messages[0].content;
  console.log('log of ' + what);
  if (what === 'object') return { a: [1, 2] };
  if (what === 'empty') return '';
  if (what === 'throw me') throw new Error('boom');
  if (what === 'hostile') return '\\u001b[31mred\\u001b[0m \\u0007 \\u202e';
  return 'you said ' + what;
};`;
const CASES = [
  { id: 'good', input: 'hello' },
  { id: 'bad', input: 'hello', expected: 'you said bye' },
];
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
const ESCAPE = '\u001b[';

test('the screen of a run: header, a line per case, failures with the diff, the summary', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES });
  const { exitCode, stdout, stderr } = await assay(RUN, { cwd });
  const double = '═'.repeat(79);
  const single = '─'.repeat(79);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(stdout.replace(/\(\d+(\.\d+)?m?s\)/g, '(time)').split('\n')).toEqual([
    double,
    '  Agent Test: agent.mjs',
    double,
    '  Input: cases.jsonl',
    '  Cases: 2',
    single,
    '  Running Tests',
    single,
    '✓ good (time)',
    '✗ bad (time)',
    '  └─ equals: the answer is not the expected one',
    '     - expected',
    '     + actual',
    '     ',
    '     - "you said bye"',
    '     + "you said hello"',
    '',
    double,
    '  Summary: 1 passed, 1 failed, 0 skipped (time)',
    '  Pass rate: 50% (mean of 2 cases); cases like these: 9.5% to 90.5%',
    double,
    '  Log: log.jsonl',
    '  Run again what failed: assay test --failed log.jsonl',
    '',
  ]);
});

test('-v shows input, output and logs of every case', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': [CASES[0]] });
  const { stdout } = await assay([...RUN, '-v'], { cwd });
  expect(stdout).toMatch(
    /✓ good \(\d+ms\)\n {2}input: hello\n {2}output: you said hello\n {2}logs: log of hello\n/,
  );
});

test('colours only where they are wanted', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES });
  const isColoured = async (env: Record<string, string>) =>
    (await assay(RUN, { cwd, env })).stdout.includes(ESCAPE);
  expect([
    await isColoured({}),
    await isColoured({ FORCE_COLOR: '1' }),
    await isColoured({ FORCE_COLOR: '0' }),
    await isColoured({ FORCE_COLOR: '1', NO_COLOR: '1' }),
    await isColoured({ CI: 'true' }),
  ]).toEqual([false, true, false, false, false]);
});

test.runIf(existsSync('/usr/bin/script'))(
  'a terminal gets colours and a progress bar; CI gets plain lines',
  async () => {
    const slow = AGENT.replace(
      '(messages) => {',
      'async (messages) => { await new Promise((done) => setTimeout(done, 250));',
    );
    const cwd = folder({ 'agent.mjs': slow, 'cases.jsonl': CASES });
    const show = async (env: string) => {
      const command = `stty cols 100; ${env} "${process.execPath}" "${resolve('dist/cli.js')}" ${RUN.join(' ')}`;
      const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], {
        cwd,
        env: { PATH: process.env['PATH'], TERM: 'xterm' },
      });
      let shown = '';
      terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
      const exitCode = await new Promise((done) => terminal.on('close', done));
      return {
        exitCode,
        isColoured: shown.includes(`${ESCAPE}32m`),
        hasProgress: /█+.* 1\/2 .*1 passed/.test(shown),
      };
    };
    expect(await show('LANG=C.UTF-8')).toEqual({ exitCode: 1, isColoured: true, hasProgress: true });
    expect(await show('LANG=C.UTF-8 NO_COLOR=1')).toEqual({
      exitCode: 1,
      isColoured: false,
      hasProgress: true,
    });
    expect(await show('CI=1')).toMatchObject({ exitCode: 1, hasProgress: false });
    expect(await show('TERM=dumb')).toEqual({ exitCode: 1, isColoured: false, hasProgress: false });
  },
);

test('message mode prints the answer itself on stdout, and nothing else there', async () => {
  const cwd = folder({ 'agent.mjs': AGENT });
  const ask = async (message: string, ...args: string[]) => {
    const { exitCode, stdout, stderr } = await assay(['test', '-i', message, '-n', './agent.mjs', ...args], {
      cwd,
    });
    return { exitCode, stdout, stderr };
  };
  expect(await ask('hello')).toEqual({ exitCode: 0, stdout: 'you said hello\n', stderr: '' });
  expect(await ask('object')).toEqual({
    exitCode: 0,
    stdout: '{\n  "a": [\n    1,\n    2\n  ]\n}\n',
    stderr: '',
  });
  expect(await ask('empty')).toMatchObject({ exitCode: 1, stderr: 'log of empty\nfailed: no answer\n' });
  expect(await ask('throw me')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/^log of throw me\nerror: boom\n {2}at default \(.*agent\.mjs:7:\d+\)\n$/),
  });
  const verbose = await ask('hello', '-v');
  expect(verbose).toMatchObject({
    exitCode: 0,
    stdout: 'you said hello\n',
    stderr: expect.stringContaining('Summary: 1 passed'),
  });
  expect(await ask('hello', '-o', 'log.jsonl')).toEqual({
    exitCode: 0,
    stdout: 'you said hello\n',
    stderr: '',
  });
  expect(readLog(join(cwd, 'log.jsonl')).start.inputs).toEqual([
    { type: 'message', message: 'hello', agent_id: 'agent.mjs', agent_sha256: expect.any(String) },
  ]);
});

test.each([
  [['test', '--rusn', '2'], /unknown option '--rusn'[^]*--runs/],
  [['tset'], /^there is no command "tset"\n {2}hint: did you mean assay test\?/],
  [['test', '-i'], /argument missing/],
  [['test', '-i', 'cases.jsonl', 'extra'], /^"extra" is neither a file nor an agent\n {2}hint: /],
  [['report'], /missing required argument 'log'/],
  [
    [...RUN, '-o', 'r.jsn'],
    /^the output .*r\.jsn has the unknown extension "\.jsn"\n {2}hint: use one of \.csv, \.html, \.json, \.jsonl, \.md, \.xml, or name a reporter with -r\n$/,
  ],
  [[...RUN, '-o', 'report'], /^the output .*report has no file extension\n/],
  [[...RUN, '-r', 'report.jsn'], /^unknown reporter "report\.jsn"[^]*did you mean "report\.json"\?/],
  [
    ['test', '-i', 'scripts.expense.setup'],
    /^no test file for "scripts\.expense\.setup": there is none below .*\n {2}hint: tests of assistants\/expense\/src\/setup\.ts are functions Test…\(t, ctx\) in setup_test\.ts beside it\n$/,
  ],
  [[...RUN, '--ctx', 'none.json'], /^none\.json: the context file does not exist\n$/],
])('%j is exit 2 and says what to do', async (args, message) => {
  const cwd = folder({
    'agent.mjs': `throw new Error('never loaded');\nexport default () => '';`,
    'cases.jsonl': CASES,
  });
  const { exitCode, stdout, stderr } = await assay(args, { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('help and version', async () => {
  const help = await assay(['--help']);
  expect({ exitCode: help.exitCode, stderr: help.stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(help.stdout).toContain(
    'Exit codes: 0 passed, 1 failed, 2 configuration error, 3 could not measure, 130 interrupted',
  );
  const test = await assay(['test', '--help']);
  for (const flag of [
    '-i, --input',
    '-o, --output',
    '-n, --name',
    '-c, --connector',
    '-u, --user',
    '-t, --team',
    '--ctx',
    '-r, --reporter',
    '--runs',
    '--run',
    '--timeout',
    '--parallel',
    '-v, --verbose',
    '--fail-fast',
    '--tag',
    '--retries',
    '--min-pass-rate',
    '--failed',
    '--resume',
    '--dry-run',
    '-w, --watch',
  ])
    expect(test.stdout).toContain(`  ${flag} `);
  expect(await assay(['--version'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

test('exit codes: a proven failure beats what could not be measured', async () => {
  const cwd = folder({
    'assay.config.json': '{}',
    'agent.mjs': AGENT,
    'scripts/test.ts': 'function Throws() { throw new Error("no judge"); }',
    'cases.jsonl': [
      { id: 'good', input: 'hello' },
      { id: 'unclear', input: 'hello', assert: { type: 'script', script: 'scripts.test.Throws' } },
      { id: 'bad', input: 'hello', expected: 'bye' },
      { id: 'crash', input: 'throw me' },
    ],
  });
  const run = async (pattern: string) =>
    (await assay([...RUN, '--retries', '0', '--run', pattern], { cwd })).exitCode;
  expect([
    await run('good'),
    await run('good|bad'),
    await run('crash'),
    await run('good|unclear'),
    await run('.'),
  ]).toEqual([0, 1, 1, 3, 1]);
});
