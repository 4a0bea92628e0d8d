// The built program against a server made of whatever version of the A2A SDK is installed here.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const cli = resolve(here, '../dist/cli.js');

test('the example of an A2A agent passes with the SDK that is installed', async () => {
  // Below this folder, so that it finds the packages of this one.
  const cwd = mkdtempSync(join(here, '.a2a-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const name of ['server.mjs', 'cases.jsonl'])
    copyFileSync(resolve(here, '../examples/a2a', name), join(cwd, name));
  const server = spawn(process.execPath, ['server.mjs', '0'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill());
  const said = await new Promise<string>((done) => server.stdout.setEncoding('utf8').once('data', done));
  const url = /http:\S+/.exec(said)?.[0] ?? '';

  const args = ['test', '-i', 'cases.jsonl', '-n', `a2a+${url}`, '-o', 'log.jsonl', '--no-history'];
  const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const exitCode = await new Promise((done) => child.on('close', done));
  expect({ exitCode, printed }).toEqual({
    exitCode: 0,
    printed: expect.stringContaining('4 passed, 0 failed'),
  });
});
