import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findFramework } from './find-framework.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-framework-'));
afterAll(() => rmSync(folder, { recursive: true }));

function found(source: string, name = 'a.tests.mjs'): Promise<unknown> {
  const file = join(folder, name);
  writeFileSync(file, source);
  return findFramework(file);
}

test.each([
  ['import test from "node:test";', 'node:test'],
  ['import * as runner from "node:test";', 'node:test'],
  ['import { mock, it as check } from "node:test";', 'node:test'],
  ['const { test } = require("node:test");', 'node:test'],
  ['const { test } = await import("node:test");', 'node:test'],
  ['import { describeEval } from "assay/node-test";', 'node:test'],
  ['import { vi } from "vitest";', 'vitest'],
  ['import { describeEval } from "assay/vitest";', 'vitest'],
  ['import { mock } from "node:test";', 'none'],
  ['// import test from "node:test"\nconst text = "vitest";', 'none'],
  ['import test from "node:test"; const = 1;', 'none'],
  ['export default () => 1;', 'none'],
])('%s', async (source, framework) => {
  expect(await found(source)).toEqual({ framework });
});

test('an import of types is none; the types of TypeScript are no obstacle', async () => {
  const types = 'import type { TestContext } from "node:test";\nexport type A = TestContext;';
  expect(await found(types, 'a.test.ts')).toEqual({ framework: 'none' });
  const used = 'import test from "node:test";\nconst name: string = "x";\ntest(name, (): void => {});';
  expect(await found(used, 'b.test.ts')).toEqual({ framework: 'node:test' });
});

test.each([
  'export default 1;',
  'export function runTests() {}',
  'export const runTests = 1;',
  'const x = 1; export { x as runTests };',
  'module.exports = { runTests() {} };',
  'exports.runTests = 1;',
  'module.exports.runTests = 1;',
])('a function that the file exports comes first: %s', async (source) => {
  expect(await found(`const test = require("node:test");\n${source}`)).toEqual({
    framework: 'none',
    ignored: 'node:test',
  });
});

test('both frameworks are refused', async () => {
  await expect(found('import test from "node:test";\nimport { it } from "vitest";')).rejects.toThrow(
    'it imports both node:test and vitest',
  );
});
