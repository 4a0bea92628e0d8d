// What surrounds a run can be slow, full, gone or hostile; results and exit codes stay right.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { folder, readLog } from '../support/assay.ts';

const CLI = resolve('dist/cli.js');
const AGENT = `
import { appendFileSync } from 'node:fs';
export default async (messages) => {
  appendFileSync('calls.txt', 'called\\n');
  return messages[0].content;
};
`;
const FILES = { 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'T1', input: 'hello' }] };
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

/** Runs a line of shell in which `$ASSAY` is the program; gives what a shell sees. */
function shell(line: string, cwd: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, ASSAY: `${process.execPath} ${CLI}` };
  return new Promise((done) => {
    const child = spawn('bash', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

test('a slow reader gets everything', async () => {
  const cwd = folder({ 'agent.mjs': 'export default () => "x".repeat(300_000);' });
  const { stdout } = await shell('$ASSAY test -i hello -n ./agent.mjs | (sleep 2; wc -c)', cwd);
  expect(stdout.trim()).toBe('300001');
});

test('a reader that leaves ends the wait', async () => {
  const cwd = folder({ 'agent.mjs': 'export default () => "x".repeat(3_000_000);' });
  const line = '$ASSAY test -i hello -n ./agent.mjs | (sleep 2; head -c 5); echo " ${PIPESTATUS[0]}"';
  expect((await shell(line, cwd)).stdout).toBe('xxxxx 0\n');
});

test.skipIf(!existsSync('/dev/full')).each([
  ['the screen', ''],
  ['a report', '-o -'],
  ['a report', '--json'],
])('stdout on a full disk, for %s: told once, exit 3, the log is complete', async (_what, more) => {
  const cwd = folder(FILES);
  const { code, stderr } = await shell(`$ASSAY ${RUN.join(' ')} ${more} >/dev/full`, cwd);
  expect(code).toBe(3);
  expect(stderr.match(/ENOSPC/g)).toHaveLength(1);
  expect(stderr).not.toContain('    at ');
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ passed: 1, exit_code: 0 });
});

test('a reader that has seen enough does not disturb the run', async () => {
  const cases = Array.from({ length: 500 }, (_, index) => ({
    id: `T${String(index)}`,
    input: 'x'.repeat(500),
  }));
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases });
  const command = `"${process.execPath}" "${resolve('dist/cli.js')}" ${RUN.join(' ')} -o - | head -n 1`;
  const shell = spawn('bash', ['-c', `${command}; exit \${PIPESTATUS[0]}`], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  shell.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const exitCode = await new Promise((done) => shell.on('close', done));
  expect({ exitCode, type: JSON.parse(stdout).type }).toEqual({ exitCode: 0, type: 'start' });
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ total: 500, passed: 500 });
});
