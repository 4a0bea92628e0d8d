import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTestFile } from './run-file.ts';
import type { CodeOptions, SkillFixture } from './skill-tests.fixture.ts';
import { failed, openFixture, PASSED, withoutDuration } from './skill-tests.fixture.ts';

let fixture: SkillFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.remove());

const pass = 'export default () => ({ passed: 1, failed: 0, errors: [] });\n';
const run = (code: string, options?: CodeOptions) => fixture.run(runTestFile, code, options);

const NO_CHECKS = { passed: 0, failed: 0, output: '', empty: true };

test.each([
  [
    'failed without errors',
    '{ passed: 1, failed: 2 }',
    { passed: 1, failed: 2, errors: ['2 checks failed'] },
  ],
  ['one failed', '{ failed: 1 }', { passed: 0, failed: 1, errors: ['1 check failed'] }],
  [
    'errors without failed',
    `{ passed: 3, failed: 0, errors: ['x', { message: 'y' }] }`,
    { passed: 3, failed: 2, errors: ['x', 'y'] },
  ],
  [
    'one error as text',
    `{ passed: 1, failed: 1, errors: 'broken' }`,
    { passed: 1, failed: 1, errors: ['broken'] },
  ],
  [
    'strange errors',
    `{ failed: 4, errors: [null, 7, { a: 1 }, 5n] }`,
    { passed: 0, failed: 4, errors: ['null', '7', '{"a":1}', '5n'] },
  ],
  [
    'text',
    `'ok'`,
    { passed: 0, failed: 1, errors: ['the test returned "ok" instead of { passed, failed, errors }'] },
  ],
  [
    'a list',
    '[1]',
    { passed: 0, failed: 1, errors: ['the test returned [1] instead of { passed, failed, errors }'] },
  ],
])('a result with %s is a failure', async (_name, returned, expected) => {
  expect(await run(`export default () => (${returned});`)).toEqual({
    success: false,
    output: '',
    ...expected,
  });
});

test('a result that is more than JSON counts by its counts', async () => {
  const cyclic = 'const r = { passed: 1, failed: 0, errors: [], big: 5n }; r.self = r; return r;';
  expect(await run(`export default () => { ${cyclic} };`)).toEqual(PASSED);
  const lost = 'const e = {}; e.e = e; return { failed: 1, errors: [e] };';
  expect(await run(`export default () => { ${lost} };`)).toEqual(failed('unprintable object'));
  const hostile = `return { get passed() { throw new Error('mine'); } };`;
  expect(await run(`export default () => { ${hostile} };`)).toEqual(failed('mine\n    at FILE:1:54'));
});

test.each([
  ['nothing', 'undefined', 'the test returned nothing'],
  ['no counts', '{ ok: true }', 'the test returned no counts'],
  ['zeros', '{ passed: 0, failed: 0, errors: [] }', 'it counted 0'],
  ['text for a count', `{ passed: '3', failed: 0 }`, 'passed is "3", not a count'],
  ['no numbers', '{ passed: NaN, failed: -1 }', 'passed is NaN, not a count, failed is -1, not a count'],
  ['a BigInt', '{ passed: 3n, failed: 0 }', 'passed is 3n, not a count'],
])('a result with %s has no checks', async (_name, returned, why) => {
  expect(await run(`export default () => (${returned});`)).toEqual({
    ...NO_CHECKS,
    success: false,
    errors: [`no checks: ${why}`],
  });
});

test('a result without checks succeeds if that is allowed; a failure does not', async () => {
  const allowEmpty = true;
  expect(await run('export default () => {};', { allowEmpty })).toEqual({
    ...NO_CHECKS,
    success: true,
    errors: [],
  });
  expect(await run(`export default () => ({ errors: ['x'] });`, { allowEmpty })).toEqual(failed('x'));
});

test('a file that is missing, a folder, or no path is a failure', async () => {
  const { folder, runner } = fixture;
  const at = async (path: string) => withoutDuration(await runTestFile(path, { runner }));
  expect(await at(join(folder, 'none.tests.mjs'))).toEqual(failed(`no such file: ${folder}/none.tests.mjs`));
  expect(await at(join(folder, 'none', 'x.tests.mjs'))).toEqual(
    failed(`no such file: ${folder}/none/x.tests.mjs`),
  );
  expect(await at(folder)).toEqual(failed(`not a file: ${folder}`));
  expect((await at('a\0b')).errors).toHaveLength(1);
  // What a caller without types may pass.
  expect((await at(undefined as unknown as string)).errors).toHaveLength(1);
});

test('a file that cannot be imported says why and where', async () => {
  expect(await run('export const a = 1;\n\nconst = 5;\n')).toEqual(
    failed(`cannot be imported: SyntaxError: Unexpected token '='\n    at FILE:3:7`),
  );
  const nested = fixture.write('tests/nested.mjs', 'let a;\nlet a;\n');
  expect(await run(`import './nested.mjs';${pass}`)).toEqual(
    failed(`cannot be imported: SyntaxError: Identifier 'a' has already been declared\n    at ${nested}:2:5`),
  );
  expect(await run('module.exports = 1;\nlet x = ;\n', { name: 'cjs/broken.tests.js' })).toEqual(
    failed(`cannot be imported: SyntaxError: Unexpected token ';'\n    at FILE:2`),
  );
  expect(await run(`\nimport { nothing } from './empty.mjs';`, { name: 'e/x.tests.mjs' })).toMatchObject({
    errors: [`cannot be imported: Cannot find module '${fixture.folder}/e/empty.mjs' imported from FILE`],
  });
  fixture.write('e/empty.mjs', 'export const something = 1;');
  expect((await run(`\nimport { nothing } from './empty.mjs';`, { name: 'e/x.tests.mjs' })).errors).toEqual([
    "cannot be imported: SyntaxError: The requested module './empty.mjs' does not provide an export named 'nothing'\n    at FILE:2",
  ]);
  expect(await run(`null.x;${pass}`)).toEqual(
    failed("cannot be imported: TypeError: Cannot read properties of null (reading 'x')\n    at FILE:1:6"),
  );
});

test('a file without a test lists what it exports', async () => {
  const must = 'Test file must export a default function or a runTests function; it exports';
  expect(await run('export const a = 1; export default { setup() {}, list: [] };')).toEqual(
    failed(`${must} a (number), default (object with setup, list)`),
  );
  expect(await run('')).toEqual(failed(`${must} nothing`));
  expect(await run('module.exports = 5;', { name: 'cjs/five.tests.js' })).toEqual(
    failed(`${must} default (number)`),
  );
});

test('what it throws is told with its place', async () => {
  expect(
    await run(`export default () => {\n  throw new TypeError('boom', { cause: new Error('deep') });\n};`),
  ).toEqual(failed('TypeError: boom\n    caused by: deep\n    at FILE:2:9'));
  expect(await run(`export default async () => {\n  await null;\n  decodeURI('%');\n};`)).toEqual(
    failed('URIError: URI malformed\n    at FILE:3:3'),
  );
  expect(await run(`export default decodeURI.bind(null, '%');`)).toEqual(failed('URIError: URI malformed'));
  expect(await run(`export default () => { throw 'text'; };`)).toEqual(
    failed('"text" was thrown, which is not an Error'),
  );
  expect(await run(`export default () => Promise.reject();`)).toEqual(
    failed('undefined was thrown, which is not an Error'),
  );
});
