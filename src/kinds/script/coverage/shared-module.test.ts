import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildScript } from '../../../compile/build/script-build.ts';
import { startCoverage, takeCoverage, writeEntries } from './v8-counts.ts';
import { writeCoverage } from './report.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-shared-module-')));
const HEAD = '(function (exports, require, module) { ';
const FILES = {
  'hot.ts': `export function covered(a: number) { if (a > 1) { return 'big'; } else { return 'small'; } }
export function never() { return 1; }
export const arrow = (a: number) => a + 1;
`,
  'user.ts': `// Uses a module.
import { covered } from './hot.ts';
function help(a: number) { return covered(a); }
`,
  'imports_test.ts': `import { arrow, covered } from './hot';
export function TestImports() { covered(arrow(1)); }
`,
  // The module under test without an import.
  'hot_test.ts': `function TestImplicit() { covered(1); }
`,
  // A module under test that imports one that can be replaced.
  'user_test.ts': `function TestReplaced(t) { t.mock.module('./hot.ts', {}); help(1); }
`,
  'namespace_test.ts': `import * as hot from './hot';
export function TestNamespace() { return Object.values(hot).length + hot.covered(2).length; }
`,
  'later_test.ts': `export async function TestLater() { (await import('./hot')).arrow(1); }
`,
  'lazy.ts': `export async function lazy() {
  const { arrow } = await import('./hot');
  return arrow(1);
}
export const other = () => 1;
`,
  'lazy_test.ts': `function TestLazy() { return lazy(); }
`,
};

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
});

afterAll(() => {
  rmSync(root, { recursive: true });
});

/** Builds and runs files of tests the way workers do; gives lcov. */
async function coverageOf(name: string, tests: readonly string[]): Promise<string> {
  const folder = join(root, name);
  mkdirSync(folder);
  startCoverage();
  for (const file of tests) {
    const module = ['hot', 'lazy', 'user']
      .map((name) => `${name}.ts`)
      .find((path) => path.replace('.', '_test.') === file);
    const { code, map } = await buildScript(join(root, file), {
      outdir: folder,
      cwd: root,
      module: module === undefined ? undefined : join(root, module),
    });
    const bundle = join(folder, `${file}.mjs`);
    writeFileSync(bundle, code);
    writeFileSync(`${bundle}.map`, map ?? '');
    await run(bundle);
    writeEntries(folder, takeCoverage([{ file: bundle, offset: HEAD.length }]));
  }
  const outDir = join(folder, 'out');
  await writeCoverage({ folder, formats: ['lcov'], outDir, root, cwd: root, include: [] });
  return readFileSync(join(outDir, 'lcov.info'), 'utf8');
}

type Tests = Record<string, (t: unknown) => unknown>;

async function run(bundle: string): Promise<void> {
  const script = new Script(`${HEAD}${readFileSync(bundle, 'utf8')}\n})`, { filename: bundle });
  const context = createContext({ __assay_mockable: (_path: string, load: () => unknown) => load() });
  const module: { exports: { __assay: Tests } } = { exports: { __assay: {} } };
  // The function that the head begins.
  (script.runInContext(context) as (...args: unknown[]) => void)(module.exports, undefined, module);
  const t = { mock: { module: () => undefined } };
  for (const runTest of Object.values(module.exports.__assay)) await runTest(t);
}

function lcovOf(counts: {
  covered: number;
  arrow: number;
  loaded: number;
  big: number;
  small: number;
}): string {
  const { covered, arrow, loaded, big, small } = counts;
  return `TN:
SF:hot.ts
FN:1,covered
FN:2,never
FN:3,(anonymous_2)
FNF:3
FNH:${String([covered, arrow].filter((count) => count > 0).length)}
FNDA:${String(covered)},covered
FNDA:0,never
FNDA:${String(arrow)},(anonymous_2)
DA:1,${String(covered)}
DA:2,0
DA:3,${String(loaded)}
LF:3
LH:${String([covered, loaded].filter((count) => count > 0).length)}
BRDA:1,0,0,${String(big)}
BRDA:1,0,1,${String(small)}
BRF:2
BRH:${String([big, small].filter((count) => count > 0).length)}
end_of_record
`;
}
const USER = `TN:
SF:user.ts
FN:3,help
FNF:1
FNH:1
FNDA:1,help
DA:2,1
DA:3,1
LF:2
LH:2
BRF:0
BRH:0
end_of_record
`;

test('counts a function once that two files of tests reach by import and without', async () => {
  expect(await coverageOf('two', ['imports_test.ts', 'hot_test.ts'])).toEqual(
    lcovOf({ covered: 2, arrow: 1, loaded: 1, big: 1, small: 1 }),
  );
});

test('counts it once in three, one of which can replace the module', async () => {
  expect(await coverageOf('three', ['imports_test.ts', 'hot_test.ts', 'user_test.ts'])).toEqual(
    lcovOf({ covered: 3, arrow: 1, loaded: 2, big: 1, small: 2 }) + USER,
  );
});

test.each([
  ['as an object', 'namespace_test.ts', { covered: 1, arrow: 0, loaded: 1, big: 1, small: 0 }],
  ['later', 'later_test.ts', { covered: 0, arrow: 1, loaded: 1, big: 0, small: 0 }],
])('counts nothing of what a bundler adds to a module that is imported %s', async (name, file, counts) => {
  expect(await coverageOf(name, [file])).toEqual(lcovOf(counts));
});

test('counts no function for an import that waits until it is needed', async () => {
  const hot = lcovOf({ covered: 0, arrow: 1, loaded: 1, big: 0, small: 0 });
  expect(await coverageOf('lazy', ['lazy_test.ts'])).toEqual(`${hot}TN:
SF:lazy.ts
FN:1,lazy
FN:5,(anonymous_1)
FNF:2
FNH:1
FNDA:1,lazy
FNDA:0,(anonymous_1)
DA:1,1
DA:2,1
DA:3,1
LF:3
LH:3
BRF:0
BRH:0
end_of_record
`);
});
