// `--cache`: recordings in .assay/tapes that answer what was asked before.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelServer } from '../../servers/model-server.ts';
import type { Finished } from '../support/assay.ts';
import { assay, folder, readLog, write } from '../support/assay.ts';
import { chat, env, INPUT, lastOf, modelServer, openai } from '../support/assistant-files.ts';

type Place = { cwd: string; server: ModelServer; run(...args: string[]): Promise<Finished> };

async function place(more: Record<string, unknown> = {}): Promise<Place> {
  const server = await modelServer((request, count) => `${lastOf(request)} ${String(count)}`);
  const cases = ['a', 'b'].map((id) => ({ id, input: id, assert: { type: 'contains', value: id } }));
  const cwd = folder({ ...chat(openai(server.url), cases), ...more });
  return {
    cwd,
    server,
    run: (...args) => assay(['test', '-i', INPUT, '-o', 'log.jsonl', ...args], { cwd, env }),
  };
}

const outputs = (cwd: string): unknown[] =>
  readLog(join(cwd, 'log.jsonl')).results.map(({ id, run, output }) => [id, run, output]);

test('the second run asks nothing, says so, and is marked as a replay', async () => {
  const { cwd, server, run } = await place();
  const first = await run('--cache');
  expect([first.exitCode, first.stdout]).toEqual([
    0,
    expect.stringContaining(
      'Cache: 0 answers from .assay/tapes, 2 requests sent and kept. To ask again: --record .assay/tapes',
    ),
  ]);
  const answers = outputs(cwd);
  const second = await run('--cache');
  expect([second.exitCode, second.stdout]).toEqual([
    0,
    expect.stringContaining('Cache: 2 answers from .assay/tapes, none was sent'),
  ]);
  expect(second.stdout).toContain('answered from the cache in .assay/tapes');
  expect([server.requests.length, outputs(cwd)]).toEqual([2, answers]);
  expect(readLog(join(cwd, 'log.jsonl')).start.flags).toMatchObject({ cache: true, record_missing: true });

  // A changed case is asked, the other one is not.
  write(join(cwd, INPUT), [
    { id: 'a', input: 'a!' },
    { id: 'b', input: 'b' },
  ]);
  const third = await run('--cache');
  expect(third.stdout).toContain('Cache: 1 answer from .assay/tapes, 1 request sent and kept');
  expect(third.stdout).not.toContain('Not used');
});

test('every repetition has an answer of its own', async () => {
  const { cwd, server, run } = await place();
  await run('--cache', '--run', '^a$');
  await run('--cache', '--run', '^a$', '--runs', '3');
  expect(outputs(cwd)).toEqual([
    ['a', 1, 'a 1'],
    ['a', 2, 'a 2'],
    ['a', 3, 'a 3'],
  ]);
  expect(server.requests).toHaveLength(3);
  const resumed = await assay(['test', '--resume', 'log.jsonl', '--runs', '4'], { cwd, env });
  expect([resumed.exitCode, server.requests.length]).toEqual([0, 4]);
});

test('is refreshed by --record, and by deleting the folder', async () => {
  const { cwd, server, run } = await place();
  await run('--cache');
  await run('--record', '.assay/tapes');
  expect(server.requests).toHaveLength(4);
  await run('--cache');
  expect([server.requests.length, outputs(cwd)]).toEqual([
    4,
    [
      ['a', 1, 'a 3'],
      ['b', 1, 'b 4'],
    ],
  ]);
  rmSync(join(cwd, '.assay/tapes'), { recursive: true });
  await run('--cache');
  expect(server.requests).toHaveLength(6);
});

test.each([
  ['--record', ['--record', 'tapes'], '--cache and --record cannot be combined'],
  ['--replay', ['--replay', 'tapes'], '--cache and --replay cannot be combined'],
  ['--record-missing', ['--record-missing'], '--cache and --record-missing cannot be combined'],
])('cannot be combined with %s', async (_name, args, message) => {
  const { run } = await place();
  const { exitCode, stderr } = await run('--cache', ...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('can be a setting, which a flag takes back or replaces', async () => {
  const { cwd, server, run } = await place({ 'assay.config.json': { cache: true } });
  await run();
  await run();
  expect([server.requests.length, existsSync(join(cwd, '.assay/tapes'))]).toEqual([2, true]);
  await run('--no-cache');
  expect(server.requests).toHaveLength(4);
  await run('--record', 'tapes');
  expect([server.requests.length, existsSync(join(cwd, 'tapes'))]).toEqual([6, true]);

  const typed = await place({ 'assay.config.json': { replay: 'elsewhere' } });
  expect((await typed.run('--cache')).exitCode).toBe(0);
  const both = await place({ 'assay.config.json': { replay: 'elsewhere', cache: true } });
  const refused = await both.run();
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('"cache" in assay.config and "replay" in assay.config cannot be combined'),
  ]);
  const environment = await assay(['test', '-i', INPUT, '-o', 'log.jsonl'], {
    cwd: typed.cwd,
    env: { ...env, ASSAY_CACHE: '1' },
  });
  expect([environment.exitCode, typed.server.requests.length]).toEqual([0, 2]);
});

test('a program whose traffic cannot be seen is refused, with the way out', async () => {
  const cwd = folder({
    'agents/echo/package.yao': { run: { command: ['cat'] } },
    'assay.config.json': { cache: true },
    'package.json': {},
  });
  const args = ['test', '-i', 'hi', '-n', './agents/echo'];
  const { exitCode, stderr } = await assay(args, { cwd });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('run it with --no-cache')]);
});
