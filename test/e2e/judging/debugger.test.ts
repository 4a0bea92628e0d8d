// An agent cannot open the debugger of a process that judges, and a run with an open debugger is not green.

import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

/** Signals every other process of the run for a second, from its first moment on, and answers whether a debugger came up. */
const AGENT = `
import { readdirSync, readFileSync } from 'node:fs';
const parent = (pid) => Number(readFileSync('/proc/' + pid + '/stat', 'utf8').replace(/^.*\\) \\S /s, '').split(' ')[0]);
function others() {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\\d+$/.test(name) && Number(name) !== process.pid && parent(name) === process.ppid
        && readFileSync('/proc/' + name + '/cmdline', 'utf8').includes('worker.js');
    } catch { return false; }
  });
}
const isOpen = async () => {
  try { return (await fetch('http://127.0.0.1:9229/json')).ok; } catch { return false; }
};
let found = false;
const end = Date.now() + 1000;
export default async (messages) => {
  while (Date.now() < end && !found) {
    for (const pid of messages[0].content === 'parent' ? [process.ppid] : others())
      try { process.kill(Number(pid), 'SIGUSR1'); } catch {}
    found = await isOpen();
  }
  return found ? 'open' : 'closed';
};
`;

test('SIGUSR1 opens no debugger in the coordinator', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [{ id: 'a', input: 'parent', expected: 'closed' }],
  });
  const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('SIGUSR1 opens no debugger in the processes that judge, however early it comes', async () => {
  const assert = { type: 'script', script: 'scripts.check.Closed' };
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'scripts/check.ts': "function Closed(output) { return output === 'closed'; }",
    'cases.jsonl': [1, 2, 3].map((number) => ({ id: `case ${String(number)}`, input: 'judges', assert })),
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];
  await assay([...args, '--isolate', '--parallel', '3'], { cwd });
  const { results } = readLog(`${cwd}/log.jsonl`);
  // A signal before Node handles it kills the process: then there is no answer or no judgement, which is never a pass.
  const states = new Set(results.map(({ status, output }) => `${status} ${String(output)}`));
  states.delete('error closed');
  states.delete('error undefined');
  expect([...states].filter((state) => state !== 'passed closed')).toEqual([]);
});

/** Opens a debugger in the process whose file this is, when the run is on: its log has a line. */
const opener = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { statSync } from 'node:fs';
    import { open, url } from 'node:inspector';
    const isOn = () => (statSync('log.jsonl', { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (process.argv[1].endsWith('${file}'))
      setInterval(() => isOn() && url() === undefined && open(0, '127.0.0.1'), 50).unref();`)}`,
});
const WAITING =
  'async function Right() { await new Promise((done) => setTimeout(done, 1000)); return true; }';
const JUDGED = {
  'app.yao': '{}',
  'agent.mjs': "export default () => 'x';",
  'scripts/check.ts': WAITING,
  'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'script', script: 'scripts.check.Right' } }],
};
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--retries', '0', '-o', 'log.jsonl'];

test('a run is not green after a debugger was opened in the coordinator', async () => {
  const { exitCode, stderr } = await assay(RUN, { cwd: folder(JUDGED), env: opener('cli.js') });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringMatching(
      /a debugger was opened in this process while the run was on, so that its verdicts cannot be trusted: ws:\/\/\S+\n$/,
    ),
  });
});

test('a process that judges answers nothing after a debugger was opened in it', async () => {
  const cwd = folder(JUDGED);
  const { exitCode } = await assay(RUN, { cwd, env: opener('worker.js') });
  const [result] = readLog(`${cwd}/log.jsonl`).results;
  expect({ exitCode, status: result?.status, code: result?.code, error: result?.error }).toEqual({
    exitCode: 3,
    status: 'error',
    code: 'judge',
    error: expect.stringMatching(/its process exited with code 1: [^]*a debugger was opened in it$/),
  });
});

test('a debugger that the user has opened is told and stays the decision of the user', async () => {
  const env = { NODE_OPTIONS: '--inspect=0' };
  const { exitCode, stderr } = await assay(RUN, { cwd: folder(JUDGED), env });
  expect({ exitCode, told: stderr.split('\n').filter((line) => line.includes('verdicts')) }).toEqual({
    exitCode: 0,
    told: ['the debugger of this process is open: an agent can reach it, and change verdicts with it'],
  });
});
