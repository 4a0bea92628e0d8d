// What a file of tests sees: the names of the module it tests, and everything it imports.

import { expect, test } from 'vitest';
import { application, ends, resultsIn, runScripts, SOURCES } from '../support/script-files.ts';

const SETUP = `
const rate = 2;
let calls = 0;
function double(value: number): number { calls += 1; return value * rate; }
export function Total(values: number[]): number { return values.map(double).reduce((a, b) => a + b, 0); }
export default function main() { return 'main'; }
export const enum Level { Low = 1, High = 2 }
enum Color { Red = 'red' }
export class Cart { items = [1]; }
export type Shape = { a: number };
interface Hidden { b: number }
const { first, ...others } = { first: 1, second: 2 };
async function later() { return calls; }
`;
const IMPORTLESS = `
// @ts-nocheck
function TestHidden(t) { t.assert.Equal(double(3), 6); t.assert.Equal(rate, 2); }
function TestExported(t: testing.T, ctx: agent.Context) { t.assert.Equal(Total([1, 2]), 6); }
async function TestLive(t) { t.assert.Equal(await later(), 3); t.assert.Equal(calls, 3); }
function TestKinds(t) {
  t.assert.Equal([Color.Red, Level.High, new Cart().items, first, others], ['red', 2, [1], 1, { second: 2 }]);
}
function TestDefault(t) { t.assert.Equal(main(), 'main'); }
`;
const OWN_NAMES = `
// A name of the file's own wins over the module's.
const rate = 'mine';
function double() { return 'own'; }
function TestOwn(t) { t.assert.Equal([rate, double()], ['mine', 'own']); t.assert.Equal(Total([1]), 2); }
`;
const IMPORTED = `
import main, { Total, Level as L } from './setup';
import * as all from './setup.ts';
function TestImported(t: any) {
  t.assert.Equal([main(), Total([2]), L.Low, typeof all.Cart], ['main', 4, 1, 'function']);
}
`;

test("the module's top-level names are there without an import, exported or not; own names win; imports work as well", async () => {
  const cwd = application({
    'setup.ts': SETUP,
    'setup_test.ts': IMPORTLESS,
    'own.ts': SETUP,
    'own_test.ts': OWN_NAMES,
    'imported_test.ts': IMPORTED,
    'mixed.ts': 'export const a = 1;\nconst b = 2;\n',
    'mixed_test.ts': `import { a } from './mixed';\nfunction TestMixed(t) { t.assert.Equal([a, b], [1, 2]); }\n`,
    'plain.js': 'function add(a, b) { return a + b; }\n',
    'plain_test.js': 'function TestPlain(t) { t.assert.Equal(add(1, 2), 3); }\n',
    'esm.mjs': 'const word = "esm";\nexport default word;\n',
    'esm_test.mjs': 'export function TestEsm(t) { t.assert.Equal(word, "esm"); }\n',
    'common.js': 'const five = 5;\nmodule.exports = { five };\n',
    'common_test.js': `const { five: imported } = require('./common');\nfunction TestCommon(t) { t.assert.Equal(imported, 5); }\n`,
  });
  const { exitCode } = await runScripts(cwd);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 0,
    'common TestCommon': 'passed',
    'esm TestEsm': 'passed',
    'imported TestImported': 'passed',
    'mixed TestMixed': 'passed',
    'own TestOwn': 'passed',
    'plain TestPlain': 'passed',
    'setup TestHidden': 'passed',
    'setup TestExported': 'passed',
    'setup TestLive': 'passed',
    'setup TestKinds': 'passed',
    'setup TestDefault': 'passed',
  });
});

const PACKAGES = {
  'node_modules/common-package/package.json': { name: 'common-package', version: '1.0.0', main: 'main.js' },
  'node_modules/common-package/main.js': `const part = require('./part');\nmodule.exports = { twice: (x) => part(x, 2), state: { count: 0 } };\n`,
  'node_modules/common-package/part.js': 'module.exports = (a, b) => a * b;\n',
  'node_modules/modern-package/package.json': {
    name: 'modern-package',
    version: '1.0.0',
    type: 'module',
    exports: { '.': { import: './index.js' }, './extra': './extra.js' },
  },
  'node_modules/modern-package/index.js': `import { inner } from './inner.js';\nexport const outer = 'outer ' + inner;\nexport default 'modern';\n`,
  'node_modules/modern-package/inner.js': 'export const inner = "inner";\n',
  'node_modules/modern-package/extra.js': 'export const extra = "extra";\n',
  'node_modules/placed-package/package.json': { name: 'placed-package', main: 'main.js' },
  'node_modules/placed-package/main.js': `const { readFileSync } = require('fs');\nexports.read = () => readFileSync(require('path').join(__dirname, 'data.txt'), 'utf8');\n`,
  'node_modules/placed-package/data.txt': 'beside the package',
};
const IMPORTS = `
import { twice, state } from 'common-package';
import modern, { outer } from 'modern-package';
import { extra } from 'modern-package/extra';
import { readFileSync } from 'node:fs';
import path from 'path';
import data from './data.json';
import settings from '../settings.json' with { type: 'json' };
import { deep } from './lib/deep';
import { shared } from '@lib/shared';
import { based } from 'lib/based';
import type { Context } from '@yao/agent';
import { type Response, Process } from '@yao/runtime';
function TestPackages(t: any, ctx: Context) {
  t.assert.Equal([twice(4), modern, outer, extra, state], [8, 'modern', 'outer inner', 'extra', { count: 0 }]);
}
function TestFiles(t: any) {
  t.assert.Equal([data, settings, deep], [{ a: [1] }, { b: 2 }, 'deep below']);
  t.assert.Equal(path.basename('/a/b'), 'b');
  t.assert.Contains(readFileSync('app.yao', 'utf8'), '{');
}
function TestTsconfigPaths(t: any) { t.assert.Equal([shared, based], ['shared', 'based']); }
async function TestDynamic(t: any) {
  const { deep: again } = await import('./lib/deep');
  t.assert.Equal(again, 'deep below');
  t.assert.Equal(require('./data.json'), { a: [1] });
}
`;

test('packages in both formats, relative files, JSON, tsconfig paths, and types of @yao', async () => {
  const cwd = application(
    {
      'tools_test.ts': IMPORTS,
      'data.json': { a: [1] },
      '../settings.json': { b: 2 },
      'lib/deep.ts': `import { below } from './below.js';\nexport const deep: string = 'deep ' + below;\n`,
      'lib/below.ts': 'export const below = "below";\n',
      'placed_test.ts': `import { read } from 'placed-package';\nfunction TestPlaced(t) { t.assert.Equal(read(), 'beside the package'); }\n`,
    },
    {
      ...PACKAGES,
      'tsconfig.json': `{\n  // comments are fine\n  "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["shared/*"], "lib/*": ["./other/*"] } },\n}\n`,
      'shared/shared.ts': 'export const shared = "shared";\n',
      'other/based.ts': 'export const based = "based";\n',
    },
  );
  const { exitCode } = await runScripts(cwd);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 0,
    'placed TestPlaced': 'passed',
    'tools TestPackages': 'passed',
    'tools TestFiles': 'passed',
    'tools TestTsconfigPaths': 'passed',
    'tools TestDynamic': 'passed',
  });
});

test('a circular import works; a missing file or name is reported with its place', async () => {
  const cwd = application({
    'a.ts': `import { b } from './b';\nexport const a = 'a';\nexport const both = () => a + b();\n`,
    'b.ts': `import { a } from './a';\nexport const b = () => 'b of ' + a;\n`,
    'a_test.ts': `function TestCircle(t) { t.assert.Equal(both(), 'ab of a'); }\n`,
    'early.ts': `import { late } from './late';\nexport const early = 'early ' + late;\n`,
    'late.ts': `import { early } from './early';\nexport const late = 'late ' + early;\n`,
    'early_test.ts': `function TestEarly(t) { t.assert.Contains(early, 'early late'); }\n`,
    'file_test.ts': `import { x } from './nowhere';\n\nfunction TestFile(t) { t.assert.Equal(x, 1); }\n`,
    'name_test.ts': `import { nothing } from './a';\nfunction TestName(t) { t.assert.Equal(nothing, 1); }\n`,
    'package_test.ts': `import x from 'no-such-package';\nfunction TestPackage(t) { t.assert.Equal(x, 1); }\n`,
  });
  const { exitCode } = await runScripts(cwd);
  expect(exitCode).toBe(1);
  expect(ends(cwd)).toEqual({
    'a TestCircle': 'passed',
    'early TestEarly': 'passed',
    'file [build failed]': expect.stringContaining(
      `error | agent | ${SOURCES}/file_test.ts:1:19: Could not resolve "./nowhere"\n1 | import { x } from './nowhere';\n`,
    ),
    'name [build failed]': expect.stringContaining(
      `error | agent | ${SOURCES}/name_test.ts:1:10: No matching export in "a.ts" for import "nothing"\n1 | import { nothing }`,
    ),
    'package [build failed]': expect.stringContaining(
      `error | agent | ${SOURCES}/package_test.ts:1:15: Could not resolve "no-such-package"\n1 | import x from`,
    ),
  });
});

test('a file that throws when it is loaded: every test of it is an error with the place, the other files run', async () => {
  const cwd = application({
    'bad.ts': `\nexport const x = (() => { throw new RangeError('cannot load'); })();\n`,
    'bad_test.ts':
      'function TestA(t) { x; }\nfunction TestB(t) { x; }\nfunction AfterAll() { console.log("never"); }\n',
    'good_test.ts': 'function TestGood(t) { t.assert.True(true); }\n',
  });
  const { exitCode } = await runScripts(cwd);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    'bad TestA': 'error | agent | RangeError: cannot load',
    'bad TestB': 'error | agent | RangeError: cannot load',
    'good TestGood': 'passed',
  });
  expect(resultsIn(cwd)['bad TestB']?.stack).toMatch(
    /^RangeError: cannot load\n {4}at \S*.*assistants\/expense\/src\/bad\.ts:2:33/,
  );
});
