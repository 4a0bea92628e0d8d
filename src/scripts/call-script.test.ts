import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextWith } from '../model/context.fixture.ts';
import { callScript } from './call-function.ts';
import { checkScript, scriptFiles } from './check-function.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-script-'));
const context = contextWith({ assistant_id: 'expense', authorized: { user_id: 'u1', team_id: 't1' } });
const never = new AbortController().signal;
const call = (reference: string, args: unknown[] = [], signal = never) =>
  callScript(reference, args, { root, context, signal });

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeAll(() => {
  write(
    'scripts/test.ts',
    [
      'function Hidden(output: string, input: string, expected: string, ctx: any): unknown {',
      '  return { pass: output === expected, message: `${input} by ${ctx.User.ID}` };',
      '}',
      'export const Later = async (x: number) => x + 1;',
      'export function Throw(): never {',
      "  throw new Error('on purpose');",
      '}',
      'export function Hang() { return new Promise(() => {}); }',
    ].join('\n'),
  );
  write('scripts/deep/er/common.js', 'module.exports = { Add: (a, b) => a + b };');
  write('assistants/expense/package.yao', '{}');
  write(
    'assistants/expense/src/setup.ts',
    'export function Setup() { return "setup"; }\nfunction Both() { return "setup"; }',
  );
  write(
    'assistants/expense/src/setup_test.ts',
    'function TestSetup() { return "test"; }\nfunction Both() { return "test"; }',
  );
  write('assistants/expense/sub/package.yao', '{}');
  write('assistants/expense/sub/src/index.ts', 'const Sub = () => "sub";');
});

afterAll(() => rmSync(root, { recursive: true }));

test('calls functions, exported or not, with the arguments and the context', async () => {
  expect(await call('scripts.test.Hidden', ['a', 'in', 'a'])).toEqual({ pass: true, message: 'in by u1' });
  expect(await call('scripts.test.Later', [1])).toBe(2);
  expect(await call('scripts.deep.er.common.Add', [1, 2])).toBe(3);
});

test('finds the files of assistants, the test file first and the longest folder first', async () => {
  expect(await call('scripts.expense.setup.Setup')).toBe('setup');
  expect(await call('scripts.expense.setup.TestSetup')).toBe('test');
  expect(await call('scripts.expense.setup.Both')).toBe('test');
  expect(await call('agents.expense.setup.Both')).toBe('setup');
  expect(await call('agents.expense.sub.index.Sub')).toBe('sub');
});

test('throws what the script throws, with the line of the source', async () => {
  const error = await call('scripts.test.Throw').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toBe('on purpose');
  expect((error as Error).stack?.split('\n')).toEqual([
    'Error: on purpose',
    `    at Throw (${root}/scripts/test.ts:6:9)`,
  ]);
});

test('scripts see the globals of their runtime; one that is missing is named', async () => {
  write(
    'scripts/globals.ts',
    [
      'import { Process, type Context } from "@yao/runtime";',
      'function Check(text: string, ctx: Context) {',
      '  ctx.memory.Set("found", Process("text.ExtractJSON", text));',
      '  return [ctx.memory.Get("found"), Process("scripts.deep.er.common.Add", 1, 2)];',
      '}',
      'const Missing = () => Query("users");',
      'const Refuse = () => { throw new Exception("not allowed", 403); };',
    ].join('\n'),
  );
  expect(await call('scripts.globals.Check', ['so: {"a": 1}'])).toEqual([{ a: 1 }, 3]);
  const missing = (await call('scripts.globals.Missing').catch((thrown: unknown) => thrown)) as Error;
  const message =
    'Query is not defined: Assay provides Process, http, log, console, Exception and ctx.memory to scripts';
  expect(missing.message).toBe(message);
  expect(missing.stack?.split('\n')).toEqual([
    `ReferenceError: ${message}`,
    `    at Missing (${root}/scripts/globals.ts:6:23)`,
  ]);
  await expect(call('scripts.globals.Refuse')).rejects.toMatchObject({ message: 'not allowed', code: 403 });
});

test('a script that never ends is given up when the signal aborts', async () => {
  const controller = new AbortController();
  const reason = new Error('too late');
  setTimeout(() => controller.abort(reason), 20);
  await expect(call('scripts.test.Hang', [], controller.signal)).rejects.toBe(reason);
});

test('says what is wrong with a reference without running anything', () => {
  const check = (reference: string) => checkScript(reference, { root });
  expect(check('scripts.test.Hidden')).toBeUndefined();
  expect(check('scripts.deep.er.common.Add')).toBeUndefined();
  expect(check('scripts.test.Hiden')).toBe(
    'scripts.test.Hiden: no function "Hiden" in scripts/test.ts; did you mean "Hidden"?',
  );
  expect(check('scripts.nothing.Fn')).toBe(
    `scripts.nothing.Fn: no such script; looked for scripts/nothing.ts, scripts/nothing.js, scripts/nothing.mjs below ${root}`,
  );
  expect(check('agents.expense.other.Fn')).toBe(
    'agents.expense.other.Fn: no such script; looked for assistants/expense/src/other.ts, ' +
      `assistants/expense/src/other.js, assistants/expense/src/other.mjs below ${root}`,
  );
  const form =
    'is not the name of a script: write scripts.<path>.<Function> or agents.<id>.<module>.<Function>';
  for (const reference of [
    '',
    'scripts.Fn',
    'agents.x.Fn',
    'scripts..Fn',
    'scripts.../etc/passwd.Fn',
    'other.a.Fn',
  ]) {
    expect(check(reference)).toBe(`"${reference}" ${form}`);
  }
});

test('knows the files a script is made of', async () => {
  write('scripts/whole.ts', 'import { part } from "./lib/part.ts"; export function Check() { return part; }');
  write('scripts/lib/part.ts', 'export const part = 1;');
  expect(await scriptFiles('scripts.whole.Check', { root })).toEqual(
    ['scripts/lib/part.ts', 'scripts/whole.ts'].map((file) => join(root, file)),
  );
  write(
    'scripts/calls.ts',
    'const Check = () => [Process("scripts.whole.Check"), Process("scripts.calls.Check")];',
  );
  expect(await scriptFiles('scripts.calls.Check', { root })).toEqual(
    ['scripts/calls.ts', 'scripts/lib/part.ts', 'scripts/whole.ts'].map((file) => join(root, file)),
  );
  expect(await scriptFiles('scripts.nothing.Check', { root })).toEqual([]);
  write('scripts/broken.ts', 'export function Check() {}\nconst a = ;');
  await expect(scriptFiles('scripts.broken.Check', { root })).rejects.toThrow(
    'scripts/broken.ts:2:11: Unexpected ";"',
  );
});
