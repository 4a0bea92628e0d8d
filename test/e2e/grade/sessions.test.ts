// `assay grade` of sessions that other programs recorded.

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog, write } from '../support/assay.ts';

const SESSIONS = resolve('test/fixtures/sessions');

/** A folder with copies of all sessions in `sessions`. */
function withSessions(files: Record<string, unknown>): string {
  const cwd = folder(files);
  cpSync(SESSIONS, join(cwd, 'sessions'), { recursive: true });
  return cwd;
}

test('judges each session by the case with its id, its first message, or a pattern', async () => {
  const cwd = withSessions({
    'rules.jsonl': [
      { id: 'claude-code', assert: { type: 'trajectory', value: ['Read', 'Bash'] } },
      { id: 'paris', input: 'Weather in Paris?', assert: { type: 'tool_called', value: 'get_weather' } },
      { id: 'trial-*', assert: { type: 'cost', value: 0.001 } },
      { id: 'nothing', assert: { type: 'contains', value: 'x' } },
      { id: '019c2a00*', assert: { type: 'agent', use: 'agents:judge', value: 'Says a number' } },
    ],
    'assistants/judge/package.yao': { name: 'judge', run: { module: './judge.mjs' } },
    'assistants/judge/judge.mjs':
      'export default () => ({ output: { passed: true, reason: "two is one" }, usage: { input_tokens: 1, output_tokens: 1 }, cost_usd: 0.5 });',
    'app.yao': {},
  });
  const { exitCode, stderr } = await assay(
    ['grade', 'sessions', '-i', 'rules.jsonl', '-o', 'graded.jsonl', '-o', 'report.xml'],
    { cwd },
  );
  const { start, results, summary } = readLog(join(cwd, 'graded.jsonl'));
  expect(start).toMatchObject({
    agent_id: 'adder, claude-code, codex, helper, terminus-2, weather',
    graded: { from: ['sessions'], format: 'atif, claude, codex, otel' },
  });
  const ends = results
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, agent_id, status, error, skip_message: why }) => [id, agent_id, status, error ?? why]);
  const none = 'no case is for this session';
  expect(ends).toEqual([
    ['019c2a00-41c4-78b1-b7cc-a45d62a89cd5', 'codex', 'passed', undefined],
    ['11111111111111111111111111111111', 'adder', 'skipped', none],
    ['22222222222222222222222222222222', 'adder', 'skipped', none],
    ['abcdefabcdefabcdefabcdefabcdefab', 'adder', 'skipped', none],
    ['c0ffee00-0000-4000-8000-000000000001', 'adder', 'skipped', none],
    ['claude-code', 'claude-code', 'passed', undefined],
    ['nothing', 'adder', 'skipped', 'no session has this id or begins with this input'],
    ['paris', 'weather', 'passed', undefined],
    ['trial-7', 'terminus-2', 'failed', 'the answer cost $0.003, more than $0.001'],
  ]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining('4 sessions have no case and are skipped: '),
  ]);
  expect(summary).toMatchObject({ passed: 3, failed: 1, skipped: 5, cost_usd: 0.503 });
  expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toContain('the agent was not run');
});

test('several sessions of one case are told apart', async () => {
  const cwd = withSessions({ 'rules.jsonl': [{ id: 'hi', input: 'Say hi.', expected: 'hi' }] });
  const text = readFileSync(join(SESSIONS, 'codex-bare.jsonl'), 'utf8');
  writeFileSync(join(cwd, 'second.jsonl'), text.replaceAll('c0ffee00', 'c0ffee01'));
  const { exitCode } = await assay(
    ['grade', 'sessions/codex-bare.jsonl', 'second.jsonl', '-i', 'rules.jsonl', '-o', 'graded.jsonl'],
    { cwd },
  );
  expect([
    exitCode,
    readLog(join(cwd, 'graded.jsonl'))
      .results.map(({ id }) => id)
      .sort(),
  ]).toEqual([0, ['hi/c0ffee00-0000-4000-8000-000000000001', 'hi/c0ffee01-0000-4000-8000-000000000001']]);
});

test('without cases a session passes if it has an answer', async () => {
  const cwd = withSessions({});
  const { exitCode, stderr } = await assay(['grade', 'sessions/otlp.json', '-o', 'graded.jsonl'], { cwd });
  expect([exitCode, stderr]).toEqual([0, 'without -i, a session passes if it has an answer\n']);
});

const USER = { type: 'user', sessionId: 's1', message: { role: 'user', content: 'hi' } };
const ANSWER = {
  type: 'assistant',
  sessionId: 's1',
  message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
};

test.each([
  [
    'a line that is not JSON',
    `${JSON.stringify(USER)}\n{broken\n${JSON.stringify(ANSWER)}\n`,
    'x:2: the line is not JSON',
  ],
  [
    'a line without a message',
    [USER, { type: 'user', sessionId: 's1' }],
    'x:2: expected "message" with "content"',
  ],
  [
    'an unknown version',
    { schema_version: 'ATIF-v2.0', steps: [] },
    'x:1: the version "ATIF-v2.0" is not known',
  ],
  ['a step without a source', { schema_version: 'ATIF-v1.4', steps: [{}] }, 'x:1: steps[0].source must be'],
  ['spans of something else', { resourceSpans: [] }, 'x:1: no span has attributes of the GenAI conventions'],
  ['a case file', [{ id: 'a', input: 'b' }], 'x:1: is no recording that is known'],
  ['text', 'hello\nworld\n', 'x:1: the file is not JSON'],
  ['nothing', '', 'x: the file is empty'],
])('refuses %s with its place', async (_name, content, message) => {
  const cwd = folder({ x: content });
  const { exitCode, stderr, stdout } = await assay(['grade', 'x'], { cwd });
  expect([exitCode, stderr, stdout]).toEqual([2, expect.stringContaining(message), '']);
});

test('notes the torn last line of a session that is still written', async () => {
  const cwd = folder({ 's.jsonl': `${JSON.stringify(USER)}\n${JSON.stringify(ANSWER)}\n{"type":"assist` });
  const { exitCode, stderr } = await assay(['grade', 's.jsonl', '--no-history'], { cwd });
  expect([exitCode, stderr]).toEqual([
    0,
    's.jsonl:3: the last line is incomplete and left out\nwithout -i, a session passes if it has an answer\n',
  ]);
});

test('content of a session is inert, and secrets in it are masked', async () => {
  const text = '\u001b[2J</script><script>alert(1)</script> {{constructor}} __proto__ sk-secret-123456';
  const answer = { ...ANSWER, message: { ...ANSWER.message, content: [{ type: 'text', text }] } };
  const call = {
    ...ANSWER,
    message: { id: 'm0', content: [{ type: 'tool_use', id: '__proto__', name: 'constructor', input: {} }] },
  };
  const cwd = folder({ 's.jsonl': [USER, call, answer] });
  const { exitCode, stdout } = await assay(
    ['grade', 's.jsonl', '-v', '-o', 'graded.jsonl', '-o', 'report.html', '--no-history'],
    { cwd, env: { SOME_API_KEY: 'sk-secret-123456' } },
  );
  expect(exitCode).toBe(0);
  const html = readFileSync(join(cwd, 'report.html'), 'utf8');
  const log = readFileSync(join(cwd, 'graded.jsonl'), 'utf8');
  expect([
    stdout.includes('\u001b[2J'),
    html.includes('<script>alert'),
    /sk-secret/.test(stdout + html + log),
  ]).toEqual([false, false, false]);
  expect(readLog(join(cwd, 'graded.jsonl')).results[0]?.tool_calls).toEqual([
    { name: 'constructor', arguments: {} },
  ]);
});

test('a line of many megabytes is read, one beyond the limit is refused', async () => {
  const long = {
    ...ANSWER,
    message: { ...ANSWER.message, content: [{ type: 'text', text: 'x'.repeat(5_000_000) }] },
  };
  const cwd = folder({ 's.jsonl': [USER, long] });
  const read = await assay(['grade', 's.jsonl', '-o', 'graded.jsonl', '--no-history'], { cwd });
  expect([read.exitCode, String(readLog(join(cwd, 'graded.jsonl')).results[0]?.output).length]).toEqual([
    0, 5_000_000,
  ]);
  write(join(cwd, 's.jsonl'), `${JSON.stringify(USER)}\n"${'x'.repeat(65 * 1024 * 1024)}"\n`);
  const refused = await assay(['grade', 's.jsonl'], { cwd });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('s.jsonl:2: the line is longer than 64 MB'),
  ]);
});
