import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { bundleScript } from './script-bundle.ts';
import type { ScriptBundle } from './script-bundle.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-script-bundle-'));
afterAll(() => rmSync(root, { recursive: true }));
const cacheDir = join(root, '.cache');
mkdirSync(cacheDir);

function write(path: string, ...lines: string[]): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), lines.join('\n'));
  return join(root, path);
}

function bundle(file: string, module?: string): Promise<ScriptBundle> {
  return bundleScript(file, { module, cacheDir, cwd: root });
}

test('lists tests and hooks without running anything', async () => {
  const file = write(
    'a_test.ts',
    'throw new Error("never run");',
    'function TestOne(t: unknown) {}',
    'export async function TestTwo(t: unknown, ctx: unknown): Promise<void> {}',
    'const TestThree = (t: unknown) => {};',
    'function BeforeAll() {} async function TestMain(m: unknown) {}',
    'const Testdata = { TestNot: 1 }; class TestClass {}',
    'function helper() { function TestNested() {} }',
  );
  const { tests, hooks, isolation, mocks } = await bundle(file);
  expect({ tests, hooks, isolation, mocks }).toEqual({
    tests: [
      { name: 'TestOne', line: 2 },
      { name: 'TestTwo', line: 3 },
      { name: 'TestThree', line: 4 },
    ],
    hooks: ['BeforeAll', 'TestMain'],
    isolation: 'context',
    mocks: {},
  });
});

test('sees the names of the module it tests, exported or not, and those it declares itself first', async () => {
  const module = write(
    'b.ts',
    'type T = 1; function hidden() { return 1 }',
    'export const shown = 2; const own = 3; enum E { A = 7 }',
  );
  const file = write(
    'b_test.ts',
    'const own = 4;',
    'function TestNames() { return [hidden(), shown, own, E.A]; }',
  );
  const { bundle: path } = await bundle(file, module);
  const compiled = { exports: {} as { __assay: { TestNames(): unknown } } };
  const run = compileFunction(readFileSync(path, 'utf8'), ['module', 'exports']);
  Reflect.apply(run, undefined, [compiled, compiled.exports]);
  expect(compiled.exports.__assay.TestNames()).toEqual([1, 2, 4, 7]);
});

test.each([
  ['top-level await', 'await 1;'],
  ['a change of folder', 'process.chdir("/");'],
  ['a call of another script', 'Process("scripts.x.Y");'],
  ['a package that looks for files of its own', 'import { x } from "placed"; x();'],
])('%s gets a process', async (_, line) => {
  write('node_modules/placed/package.json', '{"main": "i.js"}');
  write('node_modules/placed/i.js', 'exports.x = () => __dirname;');
  const file = write('process_test.ts', line, 'export function TestIt() {}');
  expect((await bundle(file)).isolation).toBe('process');
});

test('packages without such habits become part of it', async () => {
  write('node_modules/simple/package.json', '{"main": "i.js"}');
  const inside = write('node_modules/simple/i.js', 'exports.x = () => 1;');
  const { isolation, inputs } = await bundle(
    write('simple_test.ts', 'import { x } from "simple"; function TestIt() { x(); }'),
  );
  expect({ isolation, inputs }).toEqual({
    isolation: 'context',
    inputs: [join(root, 'simple_test.ts'), inside],
  });
});

test('what has not changed is not compiled again; a change of an import is noticed', async () => {
  const imported = write('c-part.ts', 'export const a = 1;');
  const file = write('c_test.ts', 'import { a } from "./c-part"; export function TestIt() { return a; }');
  const first = await bundle(file);
  utimesSync(first.bundle, 1, 1);
  utimesSync(file, 5, 5);
  expect(await bundle(file)).toEqual(first);
  expect(statSync(first.bundle).mtimeMs).toBe(1000);
  writeFileSync(imported, 'export const a = 2;');
  const second = await bundle(file);
  expect(second.bundle).not.toBe(first.bundle);
  expect(second.sha256).not.toBe(first.sha256);
});

test('errors have their place and the line', async () => {
  const problems = async (file: string, module?: string): Promise<unknown> =>
    bundle(file, module).catch((error: unknown) => (error instanceof ConfigError ? error.problems : error));
  const broken = write('d_test.ts', 'function TestIt() {', '  const x = ;', '}');
  expect(await problems(broken)).toEqual([
    { message: 'Unexpected ";"', at: 'd_test.ts:2:13', hint: '2 |   const x = ;\n                ^' },
  ]);
  const fine = write('e_test.ts', 'function TestIt() { e(); }');
  expect(await problems(fine, write('e.ts', 'export function e( {}'))).toMatchObject([{ at: 'e.ts:1:22' }]);
  const lost = write('f_test.ts', 'import "./nowhere";');
  expect(await problems(lost)).toMatchObject([
    { message: 'Could not resolve "./nowhere"', at: 'f_test.ts:1:8' },
  ]);
});

test('a module that tests replace is known by what they write', async () => {
  write('g-db.ts', 'export const query = () => 1;');
  const file = write(
    'g_test.ts',
    'import { query } from "./g-db"; function TestIt(t: any) { t.mock.module("./g-db", {}); query(); }',
  );
  expect((await bundle(file)).mocks).toEqual({ './g-db': join(root, 'g-db.ts') });
});
