import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { findFunction } from '../../compile/bundle.ts';
import { importScript } from './import-script.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-import-script-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, ...lines: string[]): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), lines.join('\n'));
  return join(root, path);
}

/** Calls `Run` of a script; what it throws is given back as `[message]`. */
async function run(file: string, ...args: unknown[]): Promise<unknown> {
  const namespace = await importScript(file, { root });
  try {
    return findFunction(namespace, 'Run')?.(...args);
  } catch (error) {
    return [error instanceof Error ? error.message : error];
  }
}

test('the globals are there and cannot be listed', async () => {
  const file = write(
    'scripts/globals.ts',
    'import { log as imported } from "@yao/runtime";',
    'declare const Process: unknown, http: Record<string, unknown>, log: unknown, Exception: unknown;',
    'function Run() {',
    '  return [typeof Process, Object.keys(http), typeof Exception, imported === log, Object.keys(globalThis)];',
    '}',
  );
  const [process, methods, exception, isSame, listed] = (await run(file)) as unknown[];
  expect([process, methods, exception, isSame]).toEqual([
    'function',
    ['Delete', 'Get', 'Head', 'Patch', 'Post', 'Put', 'Send'],
    'function',
    true,
  ]);
  expect(
    ['Process', 'http', 'log', 'Exception'].filter((name) => (listed as string[]).includes(name)),
  ).toEqual([]);
});

test('finds JSON in text', async () => {
  const file = write('scripts/extract.ts', 'const Run = (...args) => Process("text.ExtractJSON", ...args);');
  expect(await run(file, 'Sure:\n```json\n{"a": [1]}\n```')).toEqual({ a: [1] });
  expect(await run(file, 'nothing')).toBeNull();
  expect(await run(file)).toBeNull();
});

test('calls other scripts at once, by way of others, in circles and while being imported', async () => {
  write(
    'scripts/deep/math.ts',
    'function Add(a: number, b: number, ...rest: unknown[]) { return [a + b, rest]; }',
  );
  write(
    'scripts/middle.ts',
    'function Half(n: number) { return n < 2 ? Process("scripts.last.Fn", n) : Process("scripts.circle.Run", n / 2); }',
    'export async function Later(x: unknown) { return [x]; }',
  );
  write('scripts/last.ts', 'const Fn = (n: number) => `last ${n}`;');
  write('assistants/expense/package.yao', '{}');
  write('assistants/expense/src/tools.ts', 'import { name } from "./name.ts"; const Name = () => name;');
  write('assistants/expense/src/name.ts', 'export const name = "expense";');
  const file = write(
    'scripts/circle.ts',
    'import { sum } from "./lib/sum.ts";',
    'const early = Process("agents.expense.tools.Name");',
    'function Run(n: number) { return n === 0 ? [early, sum] : Process("scripts.middle.Half", n); }',
    'function Wait() { return Process("scripts.middle.Later", 1); }',
  );
  write('scripts/lib/sum.ts', 'export const sum = Process("scripts.deep.math.Add", 1, 2);');
  expect(await run(file, 0)).toEqual(['expense', [3, []]]);
  expect(await run(file, 8)).toBe('last 1');
  const waiting = findFunction(await importScript(file, { root }), 'Wait')?.();
  expect(waiting).toBeInstanceOf(Promise);
  expect(await waiting).toEqual([1]);
});

test('calls scripts and modules of its assistant by names that are made while it runs', async () => {
  write('assistants/dynamic/package.yao', '{}');
  write('assistants/dynamic/src/part/one.ts', 'export const Fn = () => "one";');
  write('assistants/dynamic/src/part/one_test.ts', 'globalThis.testWasImported = true;');
  write('assistants/other/package.yao', '{}');
  write('assistants/other/src/tools.ts', 'export const Fn = () => "other";');
  write('scripts/types.d.ts', 'export type A = 1;');
  write('scripts/named.js', 'module.exports = { Fn: () => "named" };');
  write('scripts/group/first.ts', 'globalThis.firstWasImported = true; export const Fn = () => "first";');
  const any = write('assistants/dynamic/src/index.ts', 'export const Run = (name) => Process(name);');
  expect(await run(any, 'agents.dynamic.part.one.Fn')).toBe('one');
  expect(await run(any, 'scripts.named.Fn')).toBe('named');
  expect(await run(any, 'agents.other.tools.Fn')).toEqual([
    'Process "agents.other.tools.Fn" is not loaded, because its name is computed at run time; ' +
      'write Process("agents.other.tools.Fn", …) in the script that calls it',
  ]);
  expect(globalThis).not.toHaveProperty('testWasImported');
});

test('the beginning of a name limits what is loaded for it', async () => {
  write('scripts/wanted/a.ts', 'export const Fn = () => "a";');
  write('scripts/unwanted.ts', 'globalThis.unwantedWasImported = true;');
  write('assistants/limited/package.yao', '{}');
  write('assistants/limited/src/tools.ts', 'export const Fn = () => "tools";');
  const typed = ['declare function Process(name: string, ...args: unknown[]): unknown;'];
  const exact = write(
    'scripts/exact.ts',
    ...typed,
    '/* Process(x) */',
    'const Run = () => Process("scripts.wanted.a.Fn");',
  );
  expect(await run(exact)).toBe('a');
  const script = write('scripts/begin.ts', 'export const Run = (name) => Process(`scripts.wanted.${name}`);');
  expect(await run(script, 'a.Fn')).toBe('a');
  const agent = write(
    'scripts/module.ts',
    'export const Run = (name) => Process("agents.limited.tools." + name);',
  );
  expect(await run(agent, 'Fn')).toBe('tools');
  expect(globalThis).not.toHaveProperty('unwantedWasImported');
});

test('what cannot be loaded fails the call, not the import', async () => {
  write('scripts/bad/syntax.ts', 'export const Fn = ;');
  write('scripts/bad/throws.ts', 'throw new Error("at import"); export const Fn = 1;');
  write('scripts/bad/value.ts', 'export const Fn = 1;');
  const names = ['scripts.bad.syntax.Fn', 'scripts.bad.throws.Fn', 'scripts.bad.value.Fn'];
  const calls = names.map((name) => `() => Process("${name}")`);
  const file = write('scripts/careful.ts', `export const Run = (n) => [${calls.join(', ')}][n]();`);
  expect(await run(file, 0)).toEqual([`${root.slice(1)}/scripts/bad/syntax.ts:1:19: Unexpected ";"`]);
  expect(await run(file, 1)).toEqual(['at import']);
  expect(await run(file, 2)).toEqual(['Process "scripts.bad.value.Fn": "Fn" is not a function']);
  await expect(importScript(join(root, 'scripts/bad/throws.ts'), { root })).rejects.toThrow('at import');
});

test('a process that there is not is named, with what there is', async () => {
  const file = write('scripts/unknown.ts', 'export const Run = (name) => Process(`${name}`);');
  const form =
    'available are text.ExtractJSON, scripts.<path>.<Function> and agents.<id>.<module>.<Function>';
  for (const name of ['models.user.Find', 'constructor', 'undefined']) {
    expect(await run(file, name)).toEqual([`Process "${name}" is not available under test; ${form}`]);
  }
  expect(await run(file, 'scripts.unknown.Rum')).toEqual([
    'Process "scripts.unknown.Rum" is not available under test: no function "Rum" in scripts/unknown.ts; did you mean "Run"?',
  ]);
  expect(await run(file, 'scripts.unknwon.Run')).toEqual([
    'Process "scripts.unknwon.Run" is not available under test: no such script; looked for scripts/unknwon.ts, ' +
      `scripts/unknwon.js, scripts/unknwon.mjs below ${root}; did you mean "scripts.unknown.Run"?`,
  ]);
  const namespace = await importScript(file, { root });
  const thrown: unknown = await Promise.resolve()
    .then(() => findFunction(namespace, 'Run')?.('models.user.Find'))
    .catch((error: unknown) => error);
  expect(thrown instanceof AttemptError && [thrown.code, thrown.isFinal]).toEqual(['harness', true]);
});
