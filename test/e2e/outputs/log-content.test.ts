// What must not break a run or its results: secrets, odd texts and numbers, files that change, runs that stop early.

import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, outputsIn, readLog, start, until } from '../support/assay.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

test.each([
  ['12345678', { n: 12345678, text: 'pin 12345678' }, { n: '***', text: 'pin ***' }],
  ['nopasswo', 'hello\nopassword', 'hello\nopassword'],
  ['duration_ms', { duration_ms: 'duration_ms' }, { '***': '***' }],
])('a secret %j is masked in texts and breaks nothing', async (secret, answer, shown) => {
  const cwd = folder({
    'bot/package.yao': { run: { command: ['node', '../agent.mjs'], env: { API_KEY: '$ENV.BOT_KEY' } } },
    'agent.mjs': `process.stdin.on('end', () => console.log(${JSON.stringify(JSON.stringify({ output: answer }))})).resume();`,
    'cases.jsonl': [{ id: 'a', input: 'hi', assert: { type: 'equals', value: answer } }],
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', './bot', '-o', 'log.jsonl', '-o', 'report.json'];
  const { exitCode, stderr } = await assay(args, { cwd, env: { BOT_KEY: secret } });
  const log = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ a: shown });
  expect(log.results[0]?.duration_ms).toEqual(expect.any(Number));
  expect(readJson(join(cwd, 'report.json'))).toMatchObject({ results: [{ id: 'a', output: shown }] });
});

test('a stack that is no text does not stop the run', async () => {
  const cwd = folder({
    'agent.mjs': `export default () => {
      Error.prepareStackTrace = (_, sites) => sites.map(String);
      throw new Error('thrown');
    };`,
    'cases.jsonl': [{ id: 'a', input: 'hi' }],
  });
  const { exitCode } = await assay(RUN, { cwd });
  expect(exitCode).toBe(1);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ a: 'error | agent | thrown' });
});

test('cases that cannot be written down again are refused with their lines', async () => {
  const deep = 4500;
  const cwd = folder({
    'agent.mjs': 'export default () => 1;',
    'cases.jsonl': [
      `{"id":"deep","input":"hi","expected":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      '{"id":"large","input":"hi","expected":1e400}',
      '{"id":"half\\ud83d","input":"hi"}',
      `{"id":"${'x'.repeat(1_000_000)}","input":"hi"}`,
      `{"id":"${'x'.repeat(1_000_000)}","input":"hi"}`,
    ].join('\n'),
  });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('cases.jsonl:1: "expected" is nested deeper than 500 levels');
  expect(stderr).toContain('cases.jsonl:2: "expected" holds a number that is too large');
  expect(stderr).toContain('cases.jsonl:3: "id" holds half a character');
  expect(stderr).toContain(`cases.jsonl:5: duplicate id "${'x'.repeat(60)}…", first used on line 4`);
  expect(stderr.length).toBeLessThan(2000);
});

test('half a character in an answer, an error or a log line leaves the log readable for everybody', async () => {
  const cwd = folder({
    'agent.mjs': `export default (messages) => {
      console.log('log \\ud83d');
      if (messages[0].content === 'throw') throw new Error('thrown \\ud83d');
      return messages[0].content === 'text' ? 'half \\ud83d' : { text: 'half \\ude00' };
    };`,
    'cases.jsonl': ['text', 'object', 'throw'].map((id) => ({ id, input: id })),
  });
  expect((await assay(RUN, { cwd })).exitCode).toBe(1);
  const log = join(cwd, 'log.jsonl');
  expect(readFileSync(log, 'utf8')).not.toMatch(/\\ud/i);
  expect(outputsIn(log)).toEqual({ text: 'half \uFFFD', object: { text: 'half \uFFFD' } });
  expect(endsIn(log)['throw']).toBe('error | agent | thrown \uFFFD');
});

test('a case that was interrupted between its runs did not pass and runs again with --failed', async () => {
  const cwd = folder({
    'agent.mjs': `export default async () => { await new Promise((done) => setTimeout(done, 150)); return 'ok'; };`,
    'cases.jsonl': [{ id: 'a', input: 'hi' }],
  });
  const log = join(cwd, 'log.jsonl');
  const { child, finished } = start([...RUN, '--runs', '50', '--parallel', '1', '-o', 'report.json'], {
    cwd,
  });
  await until(() => {
    try {
      return readLog(log).results.length >= 2;
    } catch {
      return false;
    }
  });
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
  const { summary } = readLog(log);
  expect(summary).toMatchObject({ total: 1, passed: 0, failed: 0, skipped: 1, stable_cases: 0 });
  expect(readJson(join(cwd, 'report.json'))).toMatchObject({
    results: [],
    skipped_cases: [{ id: 'a', reason: 'interrupted' }],
  });
  const again = await assay(['test', '--failed', 'log.jsonl', '--runs', '1', '-o', 'again.jsonl'], { cwd });
  expect(again.exitCode).toBe(0);
  expect(endsIn(join(cwd, 'again.jsonl'))).toEqual({ a: 'passed' });
});

test('a case file that is cut during the run ends it with exit 3; what ran is in the log', async () => {
  const pad = 'x'.repeat(2000);
  const cwd = folder({
    'agent.mjs': `export default async () => { await new Promise((done) => setTimeout(done, 20)); return 'ok'; };`,
    'cases.jsonl': Array.from({ length: 3000 }, (_, index) => ({ id: `c${index}`, input: pad })),
  });
  const log = join(cwd, 'log.jsonl');
  const { finished } = start([...RUN, '--parallel', '4'], { cwd });
  await until(() => {
    try {
      return readLog(log).results.length > 0;
    } catch {
      return false;
    }
  });
  truncateSync(join(cwd, 'cases.jsonl'), 1000);
  const { exitCode, stderr } = await finished;
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/cases\.jsonl changed during the run/);
  const { results, summary } = readLog(log);
  expect(results.length).toBeGreaterThan(0);
  expect(summary).toBeUndefined();
});

test('a pass rate that resume changes is the one that reports go by', async () => {
  const cwd = folder({
    'agent.mjs': `import { existsSync, writeFileSync } from 'node:fs';
export default async () => {
  if (existsSync('called')) {
    await new Promise((done) => setTimeout(done, 200));
    return 'ok';
  }
  writeFileSync('called', '');
  return 'wrong';
};`,
    'cases.jsonl': [{ id: 'a', input: 'hi', expected: 'ok' }],
  });
  const log = join(cwd, 'log.jsonl');
  const { child, finished } = start([...RUN, '--runs', '4', '--parallel', '1'], { cwd });
  await until(() => {
    try {
      return readLog(log).results.length >= 2;
    } catch {
      return false;
    }
  });
  child.kill('SIGINT');
  await finished;
  const resumed = await assay(
    ['test', '--resume', 'log.jsonl', '--min-pass-rate', '50', '-o', 'report.json'],
    {
      cwd,
    },
  );
  expect(resumed.exitCode).toBe(0);
  expect(readLog(log).summary).toMatchObject({ passed: 1, failed: 0, min_pass_rate: 50 });
  expect(readJson(join(cwd, 'report.json'))).toMatchObject({
    summary: { passed: 1, failed: 0 },
    results: [{ id: 'a', status: 'passed', pass_rate: 75 }],
  });
});
