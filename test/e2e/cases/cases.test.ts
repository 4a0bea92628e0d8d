// What may stand in a case file, and where cases may come from.

import { existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, outputsIn, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';

/** Answers with what it was called with. */
const ECHO =
  'export default (messages, ctx) => ({ messages, user: ctx.User.ID, team: ctx.Team.ID, metadata: ctx.metadata });';
const MESSAGES = 'export default (messages) => messages;';

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

test('comments, blank lines, a byte order mark and objects over several lines', async () => {
  const cwd = folder({
    'agent.mjs': 'export default (messages) => messages[0].content;',
    'cases.jsonl': `\uFEFF// a comment
# another

{"id": "one", "input": "// no comment {"}
{
  "id": "two",
  "input": "b",

  "assert": [
    { "type": "contains", "value": "b" }
  ]
}
   {"id": "three", "input": "c"}\r
{"id": "four", "input": "d"}`,
  });
  const { exitCode } = await assay(RUN, { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(0);
  expect(results.map(({ id, line, output }) => [id, line, output])).toEqual([
    ['one', 4, '// no comment {'],
    ['two', 5, 'b'],
    ['three', 13, 'c'],
    ['four', 14, 'd'],
  ]);
});

test('every form of input becomes messages', async () => {
  const part = { type: 'text', text: 'part' };
  const cwd = folder({
    'agent.mjs': MESSAGES,
    'cases.jsonl': [
      { id: 'text', input: 'hi' },
      { id: 'message', input: { role: 'system', content: 'hi', name: 'x' } },
      {
        id: 'messages',
        input: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: null, tool_calls: [] },
          { role: 'user', content: [part] },
        ],
      },
      { id: 'part', input: part },
      { id: 'parts', input: [part, { type: 'image', source: 'https://x/y.png' }] },
    ],
  });
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, ...outputsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 0,
    text: [{ role: 'user', content: 'hi' }],
    message: [{ role: 'system', content: 'hi', name: 'x' }],
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'user', content: [part] },
    ],
    part: [{ role: 'user', content: [part] }],
    parts: [{ role: 'user', content: [part, { type: 'image', source: 'https://x/y.png' }] }],
  });
});

test('a part that names a file is sent as base64; the path starts at the case file', async () => {
  const cwd = folder({
    'assay.config.json': '{}',
    'agent.mjs': MESSAGES,
    'tests/cases.jsonl': [
      { id: 'image', input: [{ type: 'image', source: 'file://files/dot.png' }] },
      {
        id: 'above',
        input: { role: 'user', content: [{ type: 'file', source: 'file://../notes%20a.txt' }] },
      },
    ],
    'tests/files/dot.png': new Uint8Array([0x89, 0x50, 0, 255]),
    'notes a.txt': 'grüße',
  });
  const { exitCode } = await assay(
    ['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'],
    { cwd },
  );
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, ...outputsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 0,
    image: [{ role: 'user', content: [{ type: 'image', source: 'data:image/png;base64,iVAA/w==' }] }],
    above: [
      {
        role: 'user',
        content: [
          { type: 'file', source: `data:text/plain;base64,${Buffer.from('grüße').toString('base64')}` },
        ],
      },
    ],
  });
  // The log keeps what was written, not the bytes.
  expect(results[0]?.input).toEqual([{ type: 'image', source: 'file://files/dot.png' }]);
});

test('user and team: defaults < --ctx file < case < -u and -t; metadata of the case over that of the file', async () => {
  const cwd = folder({
    'agent.mjs': ECHO.replace('messages, user', 'user'),
    'ctx.json': { authorized: { user_id: 'file-user', team_id: 'file-team' }, metadata: { a: 1, b: 1 } },
    'cases.jsonl': [
      { id: 'plain', input: 'hi' },
      { id: 'own', input: 'hi', user: 'case-user', team: 'case-team', metadata: { b: 2, c: 3 } },
    ],
  });
  const log = join(cwd, 'log.jsonl');
  await assay(RUN, { cwd });
  expect(outputsIn(log)).toEqual({
    plain: { user: 'test-user', team: 'test-team', metadata: {} },
    own: { user: 'case-user', team: 'case-team', metadata: { b: 2, c: 3 } },
  });
  await assay([...RUN, '--ctx', 'ctx.json'], { cwd });
  expect(outputsIn(log)).toEqual({
    plain: { user: 'file-user', team: 'file-team', metadata: { a: 1, b: 1 } },
    own: { user: 'case-user', team: 'case-team', metadata: { a: 1, b: 2, c: 3 } },
  });
  expect(readLog(log).start.environment).toEqual({
    user_id: 'file-user',
    team_id: 'file-team',
    locale: 'en-us',
  });
  await assay([...RUN, '--ctx', 'ctx.json', '-u', 'flag-user', '-t', 'flag-team'], { cwd });
  expect(outputsIn(log)).toMatchObject({
    plain: { user: 'flag-user', team: 'flag-team' },
    own: { user: 'flag-user', team: 'flag-team' },
  });
});

test('a context file with all its fields reaches the agent under both kinds of names', async () => {
  const authorized = {
    sub: 'subject',
    client_id: 'client',
    scope: 'read write',
    session_id: 'session',
    user_id: 'user',
    team_id: 'team',
    tenant_id: 'tenant',
    remember_me: true,
    constraints: {
      owner_only: true,
      creator_only: false,
      editor_only: true,
      team_only: false,
      extra: { region: 'eu' },
    },
  };
  const client = { type: 'web', ip: '10.0.0.1', user_agent: 'Mozilla' };
  const cwd = folder({
    'agent.mjs':
      'export default (messages, ctx) => ({ ...ctx, memory: ctx.memory.Get("x"), aborted: ctx.signal.aborted });',
    'ctx.json': {
      authorized,
      metadata: { a: 1 },
      client,
      locale: 'zh-cn',
      referer: 'api',
      accept: 'cui-web',
      chat_id: 'chat-1',
    },
    'cases.jsonl': [{ id: 'T1', input: 'hi' }],
  });
  await assay([...RUN, '--ctx', 'ctx.json'], { cwd });
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({
    T1: {
      User: { ID: 'user' },
      Team: { ID: 'team' },
      Locale: 'zh-cn',
      Client: { Type: 'web', IP: '10.0.0.1', UserAgent: 'Mozilla' },
      Metadata: { a: 1 },
      ChatID: 'chat-1',
      AssistantID: 'agent.mjs',
      Referer: 'api',
      Accept: 'cui-web',
      chat_id: 'chat-1',
      assistant_id: 'agent.mjs',
      authorized,
      metadata: { a: 1 },
      client,
      locale: 'zh-cn',
      referer: 'api',
      accept: 'cui-web',
      memory: null,
      aborted: false,
    },
  });
});

test('skipped cases are recorded with their reason and do not count as failures', async () => {
  const cwd = folder({
    'agent.mjs': MESSAGES,
    'cases.jsonl': [
      { id: 'runs', input: 'hi' },
      { id: 'not', input: 'hi', skip: true },
    ],
  });
  const { exitCode, stdout } = await assay([...RUN, '-o', 'r.json'], { cwd });
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(0);
  expect(results[1]).toMatchObject({ id: 'not', status: 'skipped', reason: 'skip', duration_ms: 0 });
  expect(summary).toMatchObject({ total: 2, passed: 1, failed: 0, skipped: 1, total_runs: 1 });
  expect(stdout).toContain('○ not (skipped)\n');
});

test('globs, folders, several inputs, a file named twice, and logs left out', async () => {
  const cwd = folder({
    'agent.mjs': 'export default (messages) => messages[0].content;',
    'tests/a.jsonl': [{ id: 'T1', input: 'a' }],
    'tests/deep/b.jsonl': [{ id: 'T1', input: 'b' }],
    'tests/output-20260101000000.jsonl': [{ type: 'start', run_id: 'x' }],
    'tests/notes.txt': 'no cases',
    'c.jsonl': [{ id: 'T1', input: 'c' }],
  });
  const run = async (...inputs: string[]) => {
    const args = inputs.flatMap((input) => ['-i', input]);
    const { exitCode } = await assay(['test', ...args, '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
    const { results } = readLog(join(cwd, 'log.jsonl'));
    return { exitCode, ran: results.map(({ test_id, output }) => `${test_id} ${String(output)}`) };
  };
  expect(await run('tests')).toEqual({ exitCode: 0, ran: ['tests/a.jsonl a', 'tests/deep/b.jsonl b'] });
  expect(await run('tests/**/*.jsonl')).toEqual({
    exitCode: 0,
    ran: ['tests/a.jsonl a', 'tests/deep/b.jsonl b'],
  });
  expect(await run('c.jsonl', 'tests/*.jsonl', './tests/a.jsonl', 'a message')).toEqual({
    exitCode: 0,
    ran: ['c.jsonl c', 'tests/a.jsonl a', 'message a message'],
  });
});

test('cases from stdin', async () => {
  const cwd = folder({ 'agent.mjs': 'export default (messages) => messages[0].content;' });
  const input = '{"id": "T1", "input": "from stdin"}\n';
  const { exitCode, stdout } = await assay(['test', '-i', '-', '-n', './agent.mjs', '-o', 'log.jsonl'], {
    cwd,
    input,
  });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, results: results.map(({ test_id, id, output }) => [test_id, id, output]) }).toEqual({
    exitCode: 0,
    results: [['stdin', 'T1', 'from stdin']],
  });
  expect(stdout).toContain('✓ T1');

  const wrong = await assay(['test', '-i', '-', '-n', './agent.mjs', '-o', 'no.jsonl'], {
    cwd,
    input: '{"id": "T1"}\n',
  });
  expect(wrong).toMatchObject({ exitCode: 2, stderr: 'stdin:1: "input" is missing\n' });
  expect(existsSync(join(cwd, 'no.jsonl'))).toBe(false);
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
