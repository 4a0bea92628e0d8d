// Ctrl-C once and twice, watching, and trying again what could not be measured.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog, start, until, write } from '../support/assay.ts';
import { json, serve } from '../support/http-server.ts';

const AGENT = `
import { appendFileSync } from 'node:fs';
export default async (messages) => {
  const [what, ms] = messages[0].content.split(' ');
  appendFileSync('calls.txt', what + '\\n');
  if (ms) await new Promise((done) => setTimeout(done, Number(ms)));
  return what;
};
`;
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function casesOf(inputs: Record<string, string>): unknown[] {
  return Object.entries(inputs).map(([id, input]) => ({ id, input }));
}

test('Ctrl-C once: what runs is finished, the rest is recorded as interrupted, exit 130', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': casesOf({ quick: 'quick', slow: 'slow 700', next: 'next', last: 'last' }),
  });
  const run = start([...RUN, '-o', 'r.json'], { cwd });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGINT');
  const { exitCode, stdout, stderr } = await run.finished;
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 130,
    quick: 'passed',
    slow: 'passed',
    next: 'skipped | interrupted',
    last: 'skipped | interrupted',
  });
  expect(callsIn(cwd)).toEqual(['quick', 'slow']);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({
    total: 4,
    passed: 2,
    skipped: 2,
    exit_code: 130,
  });
  expect(stderr).toBe(
    '\nFinishing what is running; Ctrl-C stops it now. Go on later: assay test --resume log.jsonl\n',
  );
  expect(stdout).toContain('○ 2 cases not run (interrupted)\n');
  expect(stdout).toContain('  Go on: assay test --resume log.jsonl\n');
  expect(readdirSync(cwd)).toContain('r.json');
});

test('Ctrl-C once, with --runs and --parallel', async () => {
  const inputs = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`T${String(index)}`, `T${String(index)} 200`]),
  );
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf(inputs) });
  const run = start([...RUN, '--runs', '2', '--parallel', '3'], { cwd });
  await until(() => callsIn(cwd).length >= 4);
  run.child.kill('SIGINT');
  const { exitCode } = await run.finished;
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  const ran = results.filter((result) => result.status === 'passed').length;
  expect(exitCode).toBe(130);
  expect(results).toHaveLength(20);
  expect(new Set(results.map((result) => result.key)).size).toBe(20);
  expect(ran).toBe(callsIn(cwd).length);
  expect(ran).toBeLessThan(20);
  expect(summary).toMatchObject({ total: 10, total_runs: ran, exit_code: 130 });
});

test('Ctrl-C twice ends at once, with everything that was started', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': casesOf({ quick: 'quick', endless: 'endless 60000' }),
  });
  const run = start(RUN, { cwd });
  await until(() => callsIn(cwd).includes('endless'));
  const before = Date.now();
  run.child.kill('SIGINT');
  await new Promise((done) => setTimeout(done, 100));
  run.child.kill('SIGINT');
  const { exitCode } = await run.finished;
  expect(exitCode).toBe(130);
  expect(Date.now() - before).toBeLessThan(3000);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ quick: 'passed' });
});

test('Ctrl-C of a terminal reaches the whole group, and still what runs is finished', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf({ slow: 'slow 500', next: 'next' }) });
  const run = start(RUN, { cwd, detached: true });
  await until(() => callsIn(cwd).includes('slow'));
  process.kill(-(run.child.pid ?? Number.NaN), 'SIGINT');
  expect((await run.finished).exitCode).toBe(130);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ slow: 'passed', next: 'skipped | interrupted' });
});

test('SIGTERM is taken like Ctrl-C', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf({ slow: 'slow 300', next: 'next' }) });
  const run = start(RUN, { cwd });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGTERM');
  expect((await run.finished).exitCode).toBe(130);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ slow: 'passed', next: 'skipped | interrupted' });
});

test('-w runs again when a case file or the agent changes; Ctrl-C ends it', async () => {
  const cwd = folder({
    'agent.ts': `import { word } from './word.ts';\nimport { appendFileSync } from 'node:fs';\nexport default (messages: any) => { appendFileSync('calls.txt', messages[0].content + word + '\\n'); return word; };\n`,
    'word.ts': 'export const word = " 1";\n',
    'cases.jsonl': [{ id: 'T1', input: 'a' }],
  });
  let shown = '';
  const run = start(['test', '-i', 'cases.jsonl', '-n', './agent.ts', '-w'], { cwd });
  run.child.stderr?.on('data', (chunk: string) => (shown += chunk));
  const isWatching = (times: number) => () => shown.split('Watching 3 files; Ctrl-C ends.').length > times;
  await until(isWatching(1));
  expect(callsIn(cwd)).toEqual(['a 1']);

  write(join(cwd, 'cases.jsonl'), [{ id: 'T1', input: 'b' }]);
  await until(isWatching(2));
  expect(callsIn(cwd)).toEqual(['a 1', 'b 1']);

  write(join(cwd, 'word.ts'), 'export const word = " 2";\n');
  await until(isWatching(3));
  expect(callsIn(cwd)).toEqual(['a 1', 'b 1', 'b 2']);

  // A broken file is told and watched on.
  write(join(cwd, 'cases.jsonl'), '{"id": "T1"}\n');
  await until(isWatching(4));
  expect(shown).toContain('cases.jsonl:1: "input" is missing\n');
  write(join(cwd, 'cases.jsonl'), [{ id: 'T1', input: 'c' }]);
  await until(isWatching(5));
  expect(callsIn(cwd)).toEqual(['a 1', 'b 1', 'b 2', 'c 2']);

  run.child.kill('SIGINT');
  expect((await run.finished).exitCode).toBe(130);
  // Watching leaves no trail of logs beside the cases.
  expect(readdirSync(cwd).filter((name) => name.startsWith('output-'))).toEqual([]);
});

test('--retries is for what could not be measured, never for what the agent did', async () => {
  const { url, received } = await serve(({ body }, response) => {
    const { input } = JSON.parse(body) as { input: string };
    const count = received.filter((request) => request.body === body).length;
    if (input === 'crash') json(response, 'boom', 500);
    else if (input === 'flaky' && count < 3) json(response, 'not yet', 503);
    else json(response, input);
  });
  const cwd = folder({
    'assay.config.json': '{}',
    'scripts/test.ts': 'function Throws() { throw new Error("no judge"); }',
    'cases.jsonl': [
      { id: 'flaky', input: 'flaky', expected: 'flaky' },
      { id: 'wrong', input: 'wrong', expected: 'right' },
      { id: 'crash', input: 'crash' },
      { id: 'unclear', input: 'unclear', assert: { type: 'script', script: 'scripts.test.Throws' } },
    ],
  });
  const run = async (...args: string[]) => {
    received.length = 0;
    await assay(['test', '-i', 'cases.jsonl', '-n', url, '-o', 'log.jsonl', ...args], { cwd });
    return Object.fromEntries(
      readLog(join(cwd, 'log.jsonl')).results.map(({ id, status, retries }) => {
        const requests = received.filter(({ body }) => (JSON.parse(body) as { input: string }).input === id);
        return [id, [status, retries, requests.length]];
      }),
    );
  };
  expect(await run()).toEqual({
    flaky: ['passed', 2, 3],
    wrong: ['failed', undefined, 1],
    crash: ['error', undefined, 1],
    unclear: ['error', undefined, 1],
  });
  expect((await run('--retries', '1'))['flaky']).toEqual(['error', 1, 2]);
});
