// Which functions a name means: found, listed, and told with their place if they cannot be compiled. Nothing runs for that.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, readLog } from '../support/assay.ts';
import { application, ends, read, runScripts } from '../support/script-files.ts';

/** A file with one passing function. */
const passing = (name: string): string => `function ${name}(t) { t.assert.True(true); }\n`;

const PLACES = folderFiles({
  'assistants/expense/src/setup_test.ts': 'TestSetup',
  'assistants/expense/src/deep/er/sums_test.ts': 'TestSums',
  'assistants/expense/src/plain_test.js': 'TestPlain',
  'assistants/expense/src/module_test.mjs': 'TestModule',
  'assistants/expense/src/twin_test.ts': 'TestTypedTwin',
  'assistants/expense/src/twin_test.js': 'TestPlainTwin',
  'assistants/expense/audit/src/setup_test.ts': 'TestAudit',
  'assistants/team/travel/src/setup_test.ts': 'TestTravel',
  'assistants/team/hotel/src/index_test.ts': 'TestHotel',
  'keyword/src/index_test.ts': 'TestKeyword',
  'scripts/own_test.ts': 'TestOwn',
});
const PACKAGES = ['expense', 'expense/audit', 'team/travel', 'team/hotel'];

function folderFiles(names: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(names).map(([path, name]) => [path, passing(name)]));
}

function everywhere(): string {
  const packages = PACKAGES.map((name) => [`assistants/${name}/package.yao`, '{}']);
  return folder({
    'app.yao': '{}',
    'keyword/package.yao': '{}',
    ...Object.fromEntries(packages),
    ...PLACES,
    'assistants/expense/node_modules/other/src/x_test.ts': passing('TestForeign'),
  });
}

/** Script, file and functions that a run of these inputs has. */
async function found(cwd: string, ...inputs: string[]): Promise<unknown> {
  const { exitCode, stderr } = await assay(
    ['test', ...inputs.flatMap((input) => ['-i', input]), '-o', 'log.jsonl', '--parallel', '2'],
    { cwd },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { start, results } = readLog(join(cwd, 'log.jsonl'));
  return start.inputs.map((input) => {
    if (input.type !== 'script') throw new Error('not a script');
    const functions = results.filter(({ test_id }) => test_id === input.script).map(({ id }) => id);
    return [input.script, input.script_path, ...functions].join(' ');
  });
}

test('one file by name: of an assistant, a nested one, one at the root, of the application; .ts before .js before .mjs', async () => {
  const cwd = everywhere();
  const names = [
    'scripts.expense.setup',
    'scripts.expense.deep.er.sums',
    'scripts.expense.plain',
    'scripts.expense.module',
    'scripts.expense.twin',
    'scripts.expense.audit.setup',
    'scripts.team.travel.setup',
    'scripts.keyword.index',
    'scripts.own',
  ];
  expect(await found(cwd, ...names)).toEqual([
    'scripts.expense.setup expense/src/setup_test.ts TestSetup',
    'scripts.expense.deep.er.sums expense/src/deep/er/sums_test.ts TestSums',
    'scripts.expense.plain expense/src/plain_test.js TestPlain',
    'scripts.expense.module expense/src/module_test.mjs TestModule',
    'scripts.expense.twin expense/src/twin_test.ts TestTypedTwin',
    'scripts.expense.audit.setup expense/audit/src/setup_test.ts TestAudit',
    'scripts.team.travel.setup team/travel/src/setup_test.ts TestTravel',
    'scripts.keyword.index keyword/src/index_test.ts TestKeyword',
    'scripts.own scripts/own_test.ts TestOwn',
  ]);
});

test('all files of an assistant, of a folder of it, of a folder of assistants, and of everything', async () => {
  const cwd = everywhere();
  const ofExpense = [
    'scripts.expense.deep.er.sums expense/src/deep/er/sums_test.ts TestSums',
    'scripts.expense.module expense/src/module_test.mjs TestModule',
    'scripts.expense.plain expense/src/plain_test.js TestPlain',
    'scripts.expense.setup expense/src/setup_test.ts TestSetup',
    'scripts.expense.twin expense/src/twin_test.ts TestTypedTwin',
  ];
  const ofTeam = [
    'scripts.team.hotel.index team/hotel/src/index_test.ts TestHotel',
    'scripts.team.travel.setup team/travel/src/setup_test.ts TestTravel',
  ];
  // A file that several inputs mean is tested once.
  expect(await found(cwd, 'scripts.expense', 'scripts.expense.*', 'scripts.expense.setup')).toEqual(
    ofExpense,
  );
  expect(await found(cwd, 'scripts.expense.deep', 'scripts.team')).toEqual([ofExpense[0], ...ofTeam]);
  expect(await found(cwd, 'scripts.*')).toEqual([
    ...ofExpense,
    'scripts.expense.audit.setup expense/audit/src/setup_test.ts TestAudit',
    ...ofTeam,
    'scripts.keyword.index keyword/src/index_test.ts TestKeyword',
    'scripts.own scripts/own_test.ts TestOwn',
  ]);
});

test('the longest prefix that is an assistant wins over a folder of the same name', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'assistants/a/package.yao': '{}',
    'assistants/a/b/package.yao': '{}',
    'assistants/a/src/b/c_test.ts': passing('TestFolder'),
    'assistants/a/b/src/c_test.ts': passing('TestAssistant'),
    'a/package.yao': '{}',
    'a/src/d_test.ts': passing('TestRoot'),
  });
  expect(await found(cwd, 'scripts.a.b.c', 'scripts.a.d')).toEqual([
    'scripts.a.b.c a/b/src/c_test.ts TestAssistant',
    'scripts.a.d a/src/d_test.ts TestRoot',
  ]);
});

test('an assistant in the application root: by star, short name, folder and path', async () => {
  const files = {
    'package.yao': '{}',
    'src/setup.ts': 'function Setup() { return 1; }\n',
    'src/setup_test.ts': `function TestRoot(t, ctx) { t.assert.Equal([Setup(), ctx.AssistantID], [1, 'shop']); }\n`,
  };
  const within = (path: string): Record<string, unknown> =>
    Object.fromEntries(Object.entries(files).map(([name, content]) => [`${path}/${name}`, content]));
  const cwd = join(folder({ ...within('shop'), 'shop/app.yao': '{}' }), 'shop');
  for (const input of [
    'scripts.*',
    'scripts.setup',
    'scripts.shop',
    'scripts.shop.setup',
    'src/setup_test.ts',
  ])
    expect(await found(cwd, input)).toEqual(['scripts.shop.setup src/setup_test.ts TestRoot']);
  const plain = join(folder(within('shop')), 'shop');
  expect(await found(plain, 'scripts.*')).toEqual(['scripts.shop.setup src/setup_test.ts TestRoot']);
});

test('an unknown name lists the known ones; exit 2', async () => {
  const cwd = everywhere();
  const near = await assay(['test', '-i', 'scripts.expense.setpu'], { cwd });
  expect(near).toEqual({
    exitCode: 2,
    signal: null,
    stdout: '',
    stderr:
      'no test file for "scripts.expense.setpu": there is no expense/src/setpu_test.ts\n' +
      '  hint: did you mean scripts.expense.setup, scripts.expense.plain, scripts.expense.twin?\n',
  });
  const far = await assay(['test', '-i', 'scripts.warehouse.inventory'], { cwd });
  expect(far).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      'no test file for "scripts.warehouse.inventory": there is no warehouse/src/inventory_test.ts\n' +
      '  hint: there is scripts.expense.deep.er.sums, scripts.expense.module, scripts.expense.plain, ' +
      'scripts.expense.setup, scripts.expense.twin, scripts.expense.audit.setup, scripts.team.hotel.index, ' +
      'scripts.team.travel.setup, scripts.keyword.index, scripts.own\n',
  });
  const empty = folder({ 'app.yao': '{}' });
  expect(await assay(['test', '-i', 'scripts.expense.setup'], { cwd: empty })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      `no test file for "scripts.expense.setup": there is none below ${empty}\n` +
      '  hint: tests of assistants/expense/src/setup.ts are functions Test…(t, ctx) in setup_test.ts beside it\n',
  });
});

const FORMS = `
import { writeFileSync } from 'node:fs';
writeFileSync('ran.txt', '');
function TestDeclared(t) {}
async function TestAsync(t) {}
export function TestExported(t) {}
export async function TestBoth(t) {}
const TestArrow = (t, ctx) => {};
export const TestExportedArrow = async (t, ctx) => {};
const TestExpression = function (t, ctx) {};
let TestLater = async function (t) {};
function Testing() {}
function test() {}
function helper() { function TestInner() {} return TestInner; }
const TestData = { a: 1 };
const TestText = 'x';
class TestClass {}
/* function TestComment(t) {} */
const text = \`
function TestTemplate(t) {}
\`;
if (true) { function TestBlock() {} }
`;

test('--dry-run lists every form of a top-level function, and runs none of the code', async () => {
  const cwd = application({ 'setup_test.ts': FORMS, 'setup.ts': 'throw new Error("loaded");\n' });
  const { exitCode, stdout, stderr } = await runScripts(cwd, ['--dry-run']);
  const names = [...stdout.matchAll(/^ {2}(\S+) /gm)].map(([, name]) => name);
  expect({ exitCode, stderr, names, first: stdout.split('\n')[0] }).toEqual({
    exitCode: 0,
    stderr: 'log.jsonl is not written: only cases can be saved\n',
    first: 'Plan: 9 test functions, 2 files at a time. Nothing is executed.',
    names: [
      'TestDeclared',
      'TestAsync',
      'TestExported',
      'TestBoth',
      'TestArrow',
      'TestExportedArrow',
      'TestExpression',
      'TestLater',
      'Testing',
    ],
  });
  expect(existsSync(join(cwd, 'ran.txt'))).toBe(false);
});

test('a file without test functions is reported; other files still run', async () => {
  const cwd = application({ 'setup_test.ts': 'export const x = 1;\n' });
  expect(await runScripts(cwd)).toEqual({
    exitCode: 2,
    signal: null,
    stdout: '',
    stderr:
      'no test functions in expense/src/setup_test.ts\n' +
      '  hint: a test is a function at the top level whose name starts with Test: function TestSetup(t, ctx) { … }\n',
  });
  const both = application({ 'setup_test.ts': 'export const x = 1;\n', 'tools_test.ts': passing('TestOne') });
  expect((await runScripts(both)).exitCode).toBe(0);
  expect(endsIn(join(both, 'log.jsonl'))).toEqual({ TestOne: 'passed' });
});

const BROKEN = 'function TestA(t) {\n  const x = ;\n}\n';
const PLACE = 'assistants/expense/src/broken_test.ts:2:13: Unexpected ";"\n';

test('a syntax error is reported with its place and code frame, and the other files run', async () => {
  const cwd = application({
    'broken_test.ts': BROKEN,
    'module_test.ts': passing('TestModule'),
    'module.ts': '\nexport const y = (;\n',
    'sound_test.ts': passing('TestSound'),
  });
  const { exitCode, stdout, stderr } = await runScripts(cwd);
  expect({ exitCode, stderr, ...ends(cwd) }).toEqual({
    exitCode: 1,
    stderr: '',
    'broken [build failed]': `error | agent | ${PLACE}2 |   const x = ;\n                ^`,
    'module [build failed]':
      'error | agent | assistants/expense/src/module.ts:2:19: Unexpected ";"\n2 | export const y = (;\n                      ^',
    'sound TestSound': 'passed',
  });
  expect(stdout).toContain('assistants/expense/src/broken_test.ts:2:13: Unexpected ";"');
  expect(stdout).toContain('2 |   const x = ;');
});

test('a syntax error alone is a configuration error: exit 2', async () => {
  const cwd = application({ 'broken_test.ts': BROKEN });
  expect(await runScripts(cwd)).toEqual({
    exitCode: 2,
    signal: null,
    stdout: '',
    stderr: `${PLACE}  hint:\n    2 |   const x = ;\n                    ^\n`,
  });
});

test('the module under test may be missing', async () => {
  const cwd = application({ 'alone_test.ts': passing('TestAlone') });
  expect((await runScripts(cwd)).exitCode).toBe(0);
  expect(ends(cwd)).toEqual({ TestAlone: 'passed' });
  expect(read(cwd, 'log.jsonl')).toContain('"script":"scripts.expense.alone"');
});

test('a name that is declared twice is an error at its place, and the other files run', async () => {
  const cwd = application({
    'dup_test.ts': `function TestA(t) { t.assert.True(false); }\nfunction helper() {}\nfunction helper() {}\n`,
    'good_test.ts': `function TestGood(t) { t.assert.True(true); }`,
    'none_test.ts': `describe('x', () => {});`,
  });
  const { exitCode, stderr } = await runScripts(cwd);
  expect(stderr).toContain(
    'expense/src/none_test.ts has no test functions; they are at the top level, and their names start with Test\n',
  );
  expect(ends(cwd)).toEqual({
    'dup [build failed]':
      "error | agent | assistants/expense/src/dup_test.ts:3: Identifier 'helper' has already been declared\n3 | function helper() {}",
    'good TestGood': 'passed',
  });
  expect(exitCode).toBe(1);
});

test('a test file may be named by its path', async () => {
  const cwd = application({
    'deep/a_test.ts': `function TestA(t, ctx) { t.assert.Equal(ctx.AssistantID, 'expense'); }`,
  });
  const { exitCode, stdout } = await assay(
    ['test', '-i', 'assistants/expense/src/deep/a_test.ts', '-o', 'log.jsonl'],
    { cwd },
  );
  expect([exitCode, stdout.split('\n')[1]]).toEqual([0, '  Script Test: scripts.expense.deep.a']);
});

test('two files of the same name both run', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'assistants/expense/package.yao': '{}',
    'assistants/expense/src/setup_test.ts': 'export function TestOne(t) { t.assert.True(true); }',
    'scripts/expense/setup_test.ts': 'export function TestOne(t) { t.assert.True(false); }',
  });
  const { exitCode } = await assay(['test', '-i', 'scripts.*', '-o', 'log.jsonl'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const told = results.map(({ test_id, status }) => `${test_id}: ${status}`);
  expect(told.sort()).toEqual([
    'scripts.expense.setup (scripts/expense/setup_test.ts): failed',
    'scripts.expense.setup: passed',
  ]);
  expect(exitCode).toBe(1);
});
