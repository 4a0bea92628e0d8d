// Set-up and tear-down of a file, and the context its functions get.

import { expect, test } from 'vitest';
import { callsIn } from '../support/assay.ts';
import { application, ends, logsIn, resultsIn, runScripts } from '../support/script-files.ts';

const NOTE = `import { appendFileSync } from 'node:fs';\nconst note = (line) => appendFileSync('calls.txt', line + '\\n');\n`;

const HOOKS = `${NOTE}
export async function TestMain(m, ctx) {
  note('main begins ' + ctx.AssistantID);
  const code = await m.run();
  note('main ends');
  process.exit(code);
}
async function BeforeAll(t, ctx) { await null; note(['BeforeAll', t.name, ctx.AssistantID].join(' ')); }
export const AfterAll = async (t) => { await null; note('AfterAll'); };
function BeforeEach(t, ctx) { note('BeforeEach ' + t.name); ctx.Metadata.from = 'BeforeEach'; t.assert.True(true); }
function AfterEach(t) { note('AfterEach ' + t.name + ' ' + t.failed); }
function TestPasses(t, ctx) { note('passes ' + ctx.Metadata.from); }
function TestFails(t) { note('fails'); t.assert.True(false); }
function TestThrows(t) { note('throws'); throw new Error('x'); }
async function TestHangs(t) { note('hangs'); await new Promise(() => {}); }
function TestSkips(t) { note('skips'); t.skip(); }
`;

test('TestMain around BeforeAll and AfterAll around BeforeEach and AfterEach, whatever becomes of the tests', async () => {
  const cwd = application({ 'hooks_test.ts': HOOKS });
  const { exitCode } = await runScripts(cwd, ['--timeout', '200ms']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    TestPasses: 'passed',
    TestFails: 'failed | assertion failed: expected false to be true',
    TestThrows: 'error | agent | x',
    TestHangs: 'timeout | timeout after 200ms',
    TestSkips: 'skipped | skip',
  });
  const each = (name: string, did: string, failed: boolean): string[] => [
    `BeforeEach ${name}`,
    did,
    `AfterEach ${name} ${String(failed)}`,
  ];
  expect(callsIn(cwd)).toEqual([
    'main begins expense',
    'BeforeAll BeforeAll expense',
    ...each('TestPasses', 'passes BeforeEach', false),
    ...each('TestFails', 'fails', true),
    ...each('TestThrows', 'throws', true),
    ...each('TestHangs', 'hangs', true),
    ...each('TestSkips', 'skips', false),
    'AfterAll',
    'main ends',
  ]);
});

const file = (text: string): string =>
  `${NOTE}${text}\nfunction TestA(t) { note('A'); t.assert.True(true); }\nfunction TestB(t) { note('B'); t.assert.True(true); }\n`;

test('set-up and tear-down that fail', async () => {
  const cwd = application({
    'all_test.ts': file(
      `function BeforeAll() { throw new Error('no database'); }\nfunction AfterAll() { note('all: AfterAll'); }`,
    ),
    'assert_test.ts': file(`function BeforeAll(t) { t.assert.Equal(1, 2, 'not ready'); }`),
    'each_test.ts': file(
      `function BeforeEach(t) { if (t.name === 'TestA') throw new Error('each'); }\nfunction AfterEach(t) { note('each: after ' + t.name); }`,
    ),
    'after_test.ts': file(
      `function AfterEach(t) { if (t.name === 'TestA') throw new Error('left behind'); }`,
    ),
    'end_test.ts': file(`async function AfterAll() { throw new Error('cannot close'); }`),
    'main_test.ts': file(`function TestMain() { note('main: not run'); }`),
    'broken_test.ts': file(`async function TestMain(m) { throw new Error('main broke'); }`),
    'late_test.ts': file(`async function TestMain(m) { await m.run(); throw new Error('after the tests'); }`),
    'sync_test.ts': file(`function TestMain(m) { note('sync: main'); m.run(); }`),
    'slow_test.ts': file(`async function BeforeAll() { await new Promise(() => {}); }`),
    'stuck_test.ts': file(
      `function BeforeAll() { while (true) {} }\nfunction AfterAll() { note('stuck: AfterAll'); }`,
    ),
  });
  const { exitCode } = await runScripts(cwd, ['--timeout', '500ms', '--parallel', '2']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    'all TestA': 'error | agent | BeforeAll: no database',
    'all TestB': 'error | agent | BeforeAll: no database',
    'assert TestA': 'error | agent | BeforeAll: assertion failed: not ready',
    'assert TestB': 'error | agent | BeforeAll: assertion failed: not ready',
    'each TestA': 'error | agent | BeforeEach: each',
    'each TestB': 'passed',
    'after TestA': 'error | agent | AfterEach: left behind',
    'after TestB': 'passed',
    'end TestA': 'passed',
    'end TestB': 'error | agent | AfterAll: cannot close',
    'main TestA': 'error | agent | TestMain: it did not call m.run()',
    'main TestB': 'error | agent | TestMain: it did not call m.run()',
    'broken TestA': 'error | agent | TestMain: main broke',
    'broken TestB': 'error | agent | TestMain: main broke',
    'late TestA': 'passed',
    'late TestB': 'error | agent | TestMain: after the tests',
    'sync TestA': 'passed',
    'sync TestB': 'passed',
    'slow TestA': 'error | agent | BeforeAll: timeout after 500ms',
    'slow TestB': 'error | agent | BeforeAll: timeout after 500ms',
    'stuck TestA': expect.stringMatching(/^timeout \| /),
    'stuck TestB': expect.stringMatching(/^timeout \| /),
  });
  const notes = callsIn(cwd).filter((line) => line.includes(':'));
  expect(notes.sort()).toEqual([
    'all: AfterAll',
    'each: after TestA',
    'each: after TestB',
    'main: not run',
    'sync: main',
  ]);
});

test('m.run() gives 1 if a test has failed, as in Go; t.skip in BeforeAll skips all tests of the file', async () => {
  const main = `async function TestMain(m) { note('code ' + (await m.run())); }\n`;
  const cwd = application({
    'failed_test.ts': `${NOTE}${main}function TestA(t) { t.assert.True(false); }\nfunction TestB(t) { t.assert.True(true); }\n`,
    'skip_test.ts': file(`function BeforeAll(t) { t.skip('nothing to do here'); }`),
  });
  await runScripts(cwd);
  expect(ends(cwd)).toEqual({
    'failed TestA': 'failed | assertion failed: expected false to be true',
    'failed TestB': 'passed',
    'skip TestA': 'skipped | skip',
    'skip TestB': 'skipped | skip',
  });
  expect(callsIn(cwd)).toEqual(['code 1']);
});

const CONTEXT = `
const shown = (ctx) => JSON.stringify([ctx.User, ctx.Team, ctx.Locale, ctx.Client, ctx.Metadata, ctx.AssistantID, ctx.authorized, ctx.Referer]);
const chats = new Set();
function TestShown(t, ctx) { t.log(shown(ctx)); chats.add(ctx.ChatID); t.assert.Type(ctx.ChatID, 'string'); }
function TestWritten(t, ctx) {
  ctx.User = null;
  ctx.Metadata.mine = true;
  ctx.Client.IP = '0.0.0.0';
  ctx.authorized.user_id = 'x';
  ctx.extra = 1;
  ctx.memory.Set('key', 'value');
  chats.add(ctx.ChatID);
  t.assert.Equal([ctx.User, ctx.Metadata, ctx.memory.Get('key')], [null, { mine: true }, 'value'].map((x, i) => i === 1 ? ctx.Metadata : x));
}
function TestFresh(t, ctx) {
  t.log(shown(ctx));
  chats.add(ctx.ChatID);
  t.assert.Equal([ctx.extra, ctx.memory.Get('key'), chats.size], [undefined, null, 3]);
}
`;
const AUTHORIZED = {
  sub: 'user-12345',
  client_id: 'my-app',
  user_id: 'admin',
  team_id: 'team-001',
  constraints: { team_only: true, extra: { region: 'us-west' } },
};

test('the context from flags, from --ctx (which wins), writable and fresh for every test', async () => {
  const cwd = application(
    { 'ctx_test.ts': CONTEXT },
    {
      'context.json': {
        authorized: AUTHORIZED,
        metadata: { request_id: 'req-123' },
        client: { type: 'web', user_agent: 'Mozilla/5.0', ip: '192.168.1.100' },
        locale: 'zh-cn',
        referer: 'https://example.com/dashboard',
      },
      'broken.json': '{ "authorized": ',
      'assistants/expense/nested/deep/package.yao': '{}',
      'assistants/expense/nested/deep/src/id_test.ts':
        'function TestId(t, ctx) { t.assert.Equal(ctx.AssistantID, "expense.nested.deep"); }',
    },
  );
  const shown = async (...args: string[]): Promise<unknown> => {
    const { exitCode } = await runScripts(cwd, args);
    const { TestShown, TestFresh } = logsIn(cwd);
    expect({ exitCode, ...ends(cwd) }).toEqual({
      exitCode: 0,
      TestShown: 'passed',
      TestWritten: 'passed',
      TestFresh: 'passed',
    });
    expect(TestFresh).toEqual(TestShown);
    return JSON.parse(TestShown?.[0] ?? '');
  };
  const standard = { type: 'test', ip: '127.0.0.1' };
  expect(await shown()).toEqual([
    { ID: 'test-user' },
    { ID: 'test-team' },
    'en-us',
    { Type: standard.type, IP: standard.ip },
    {},
    'expense',
    { sub: 'test-user', user_id: 'test-user', team_id: 'test-team' },
    'test',
  ]);
  expect(await shown('-u', 'ada', '-t', 'ops')).toEqual([
    { ID: 'ada' },
    { ID: 'ops' },
    'en-us',
    { Type: standard.type, IP: standard.ip },
    {},
    'expense',
    { sub: 'ada', user_id: 'ada', team_id: 'ops' },
    'test',
  ]);
  expect(await shown('-u', 'ada', '-t', 'ops', '--ctx', 'context.json')).toEqual([
    { ID: 'admin' },
    { ID: 'team-001' },
    'zh-cn',
    { Type: 'web', IP: '192.168.1.100', UserAgent: 'Mozilla/5.0' },
    { request_id: 'req-123' },
    'expense',
    AUTHORIZED,
    'https://example.com/dashboard',
  ]);
  const broken = await runScripts(cwd, ['--ctx', 'broken.json']);
  expect([broken.exitCode, broken.stderr.split('\n')[0]]).toEqual([
    2,
    expect.stringMatching(/^broken\.json/),
  ]);
  const nested = await runScripts(cwd, ['-i', 'scripts.expense.nested.deep']);
  expect([nested.exitCode, Object.values(resultsIn(cwd)).length]).toEqual([0, 4]);
});

test('a generator function and a TestMain that exits with an error do not pass', async () => {
  const cwd = application({
    'a_test.ts': `
      export function* TestGenerator(t) { t.assert.True(false); }
      export async function* TestAsyncGenerator(t) { t.assert.True(false); }`,
    'b_test.ts': `
      async function TestMain(m) { await m.run(); process.exit(2); }
      function TestFine(t) { t.assert.True(true); }`,
    'c_test.ts': `
      async function TestMain(m) { process.exit(await m.run()); }
      function TestFine(t) { t.assert.True(true); }`,
  });
  const { exitCode } = await runScripts(cwd);
  const generator = 'is a generator, whose body would never run; write a function or an async function';
  expect(ends(cwd)).toEqual({
    'a TestGenerator': `error | agent | TestGenerator ${generator}`,
    'a TestAsyncGenerator': `error | agent | TestAsyncGenerator ${generator}`,
    'b TestFine': 'error | agent | TestMain: process.exit(2) was called',
    'c TestFine': 'passed',
  });
  expect(exitCode).toBe(1);
});
