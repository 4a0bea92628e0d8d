import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { bundleModule, findFunction, importModule } from './bundle.ts';
import { cacheDirectory } from './bundle-cache.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
const cacheDir = join(root, '.assay', 'cache');
const bundled = join(root, 'bundle.mjs');

function write(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

async function problemsOf(file: string) {
  const error: unknown = await bundleModule(file, { cacheDir, cwd: root }).catch((thrown: unknown) => thrown);
  return error instanceof ConfigError ? error.problems : error;
}

beforeAll(async () => {
  cacheDirectory(root);
  const source = new URL('bundle.ts', import.meta.url).pathname;
  await build({
    entryPoints: [source],
    outdir: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  mkdirSync(join(root, 'node_modules'));
  execFileSync('ln', [
    '-s',
    join(process.cwd(), 'node_modules', 'esbuild'),
    join(root, 'node_modules', 'esbuild'),
  ]);
});
afterAll(() => rmSync(root, { recursive: true }));

test('makes every top-level name of the entry reachable, exported or not', async () => {
  const file = write(
    'names.ts',
    [
      '#!/usr/bin/env node',
      'import type { Context } from "@yao/agent";',
      'function Hidden(): string { return "hidden"; }',
      'export const Open = () => "open";',
      'const { A, b: B } = { A: () => "a", b: () => "b" };',
      'class Thing {}',
      'export default { Member: (ctx: Context) => "member" };',
      'const value = await Promise.resolve(1);',
      'function outer() { function Inner() {} return Inner; }',
    ].join('\n'),
  );
  const namespace = await importModule(file, { root });
  const results = ['Hidden', 'Open', 'A', 'B', 'Member'].map((name) => findFunction(namespace, name)?.());
  expect(results).toEqual(['hidden', 'open', 'a', 'b', 'member']);
  expect(typeof findFunction(namespace, 'Thing')).toBe('function');
  expect(['Inner', 'value', 'Missing', 'toString'].map((name) => findFunction(namespace, name))).toEqual(
    Array(4).fill(undefined),
  );
});

test('what is imported from @yao is a global, looked up when it is used, or fails by its name', async () => {
  const file = write(
    'globals.ts',
    [
      'import type { Context } from "@yao/agent";',
      'import { structuredClone as clone, Context as Other, Query, Store } from "@yao/runtime";',
      'import * as runtime from "@yao/runtime";',
      'export { Message } from "@yao/agent";',
      'export const Clone = (ctx: Context & Other) => [clone(ctx), runtime.structuredClone(ctx)];',
      'export const Call = () => Query("x");',
      'export const Construct = () => new Query("x");',
      'export const Read = () => Store.Get("x");',
    ].join('\n'),
  );
  const namespace = await importModule(file, { root });
  expect(findFunction(namespace, 'Clone')?.({ a: 1 })).toEqual([{ a: 1 }, { a: 1 }]);
  const thrownBy = async (name: string): Promise<unknown[]> => {
    const error: unknown = await Promise.resolve()
      .then(() => findFunction(namespace, name)?.())
      .catch((thrown: unknown) => thrown);
    return error instanceof Error ? [String(error), error.stack?.split('\n')[1]] : [error];
  };
  expect(await thrownBy('Call')).toEqual([
    'ReferenceError: Query is not defined',
    `    at Call (${file}:6:27)`,
  ]);
  expect(await thrownBy('Construct')).toEqual([
    'ReferenceError: Query is not defined',
    `    at Construct (${file}:7:32)`,
  ]);
  expect(await thrownBy('Read')).toEqual([
    'ReferenceError: Store is not defined',
    `    at Read (${file}:8:33)`,
  ]);
});

test('module variables mean the original file, JSON, CommonJS, packages and tsconfig paths work', async () => {
  write(
    'node_modules/both/package.json',
    '{"name":"both","version":"1.0.0","exports":{"import":"./i.mjs","require":"./i.cjs"}}',
  );
  write('node_modules/both/i.mjs', 'export const how = "import"; export const where = import.meta.url;');
  write('node_modules/both/i.cjs', 'exports.how = "require";');
  write(
    'lib/old.cjs',
    'const path = require("path"); module.exports = { how: require("both").how, file: __filename, base: path.basename(__dirname) };',
  );
  write('lib/data.json', '{"x": 1}');
  write('lib/mapped/thing.ts', 'export const thing: string = import.meta.dirname;');
  write('tsconfig.json', '{"compilerOptions":{"paths":{"@/*":["./lib/mapped/*"]}}}');
  const file = write(
    'app/entry.ts',
    [
      'import { existsSync } from "node:fs"; import { createRequire } from "node:module";',
      'import old from "../lib/old.cjs"; import data from "../lib/data.json"; import { how, where } from "both"; import { thing } from "@/thing";',
      'const require = createRequire(import.meta.url);',
      'export const facts = { old, data, how, where, thing, own: require("both").how, url: import.meta.url, dir: __dirname, there: existsSync(__filename) };',
    ].join('\n'),
  );
  const { facts } = await importModule(file, { root });
  expect(facts).toEqual({
    old: { how: 'require', file: join(root, 'lib/old.cjs'), base: 'lib' },
    data: { x: 1 },
    how: 'import',
    where: pathToFileURL(join(root, 'node_modules/both/i.mjs')).href,
    thing: join(root, 'lib/mapped'),
    own: 'require',
    url: pathToFileURL(file).href,
    dir: join(root, 'app'),
    there: true,
  });
  const { inputs } = await bundleModule(file, { cacheDir });
  expect([...inputs].sort()).toEqual(
    ['app/entry.ts', 'lib/data.json', 'lib/mapped/thing.ts', 'lib/old.cjs'].map((path) => join(root, path)),
  );
});

test('a CommonJS entry is used through its exports', async () => {
  const namespace = await importModule(
    write(
      'common.cjs',
      'const fs = require("fs"); module.exports = { Run: () => fs.existsSync(__filename) };',
    ),
    { root },
  );
  expect(findFunction(namespace, 'Run')?.()).toBe(true);
});

test('stack traces point at the line of the source', async () => {
  const file = write(
    'throws.ts',
    'type A = 1;\n\ninterface B {\n  c: A;\n}\nexport function Throw(_: B) { console.assert(__filename);\n  throw new Error("here");\n}\n',
  );
  const namespace = await importModule(file, { root });
  const error = await Promise.resolve()
    .then(() => findFunction(namespace, 'Throw')?.())
    .catch((thrown: unknown) => thrown);
  expect((error as Error).stack?.split('\n')[1]).toBe(`    at Throw (${file}:7:9)`);
});

test('plain JavaScript can be imported as it is', async () => {
  const file = write('plain.mjs', 'export const url = import.meta.url; function Hidden() {}');
  expect({ ...(await importModule(file, { root, direct: true })) }).toEqual({
    url: pathToFileURL(file).href,
  });
});

test('reports every syntax error and missing import with its place', async () => {
  const file = write(
    'broken.ts',
    'import "./helper.ts";\nimport { x } from "./nowhere.ts"; x();\nimport "no-such-package";\n',
  );
  write('helper.ts', 'const a = 1;\nconst b = ;\n');
  expect(await problemsOf(file)).toEqual([
    {
      message: 'Could not resolve "./nowhere.ts"',
      at: 'broken.ts:2:19',
      hint: '2 | import { x } from "./nowhere.ts"; x();\n                      ^',
    },
    {
      message: 'Could not resolve "no-such-package"',
      at: 'broken.ts:3:8',
      hint: '3 | import "no-such-package";\n           ^',
    },
    { message: 'Unexpected ";"', at: 'helper.ts:2:11', hint: '2 | const b = ;\n              ^' },
  ]);
  expect(await problemsOf(join(root, 'missing.ts'))).toEqual([
    { message: `Could not resolve "${join(root, 'missing.ts')}"`, at: 'missing.ts' },
  ]);
});

test('a hit needs no esbuild, survives touched files, and notices changes of every input', async () => {
  write('cached/part.ts', 'export const part = 1;');
  const file = write('cached/entry.ts', 'import { part } from "./part.ts"; export const value = part;');
  const program = `import { bundleModule } from ${JSON.stringify(bundled)};
    const { file } = await bundleModule(${JSON.stringify(file)}, { cacheDir: ${JSON.stringify(cacheDir)} });
    console.log(JSON.stringify({ file, isBuilt: globalThis.__built ?? false }));`;
  const run = (): string => {
    const trace = `import cp from 'node:child_process'; import { syncBuiltinESMExports } from 'node:module';
      const spawn = cp.spawn; cp.spawn = (...args) => { globalThis.__built = true; return spawn(...args); }; syncBuiltinESMExports();`;
    const wrapper = write(
      'cached/run.mjs',
      `${trace}\nawait import(${JSON.stringify(write('cached/program.mjs', program))});`,
    );
    return execFileSync(process.execPath, [wrapper], { encoding: 'utf8' });
  };
  const parse = (text: string) => JSON.parse(text) as { file: string; isBuilt: boolean };
  const first = parse(run());
  expect(first.isBuilt).toBe(true);
  expect(parse(run())).toEqual({ file: first.file, isBuilt: false });

  utimesSync(file, new Date(), new Date(Date.now() - 60_000));
  expect(parse(run())).toEqual({ file: first.file, isBuilt: false });

  write('cached/part.ts', 'export const part = 2;');
  const second = parse(run());
  expect(second.isBuilt).toBe(true);
  expect(second.file).not.toBe(first.file);
  expect(readFileSync(second.file, 'utf8')).toContain('part = 2');

  rmSync(second.file);
  expect(parse(run())).toEqual({ file: second.file, isBuilt: true });
  for (const name of readdirSync(cacheDir))
    if (name.endsWith('.json')) writeFileSync(join(cacheDir, name), '{"torn');
  expect(parse(run())).toEqual({ file: second.file, isBuilt: true });
});

test('parallel builds of one entry agree', async () => {
  const file = write('parallel.ts', 'export const x: number = 1;');
  const bundles = await Promise.all(Array.from({ length: 5 }, () => bundleModule(file, { cacheDir })));
  expect(new Set(bundles.map((bundle) => bundle.file)).size).toBe(1);
  expect(readdirSync(cacheDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('the cache lies in .assay, ignored by git, or in the temporary folder', () => {
  const application = join(root, 'application');
  mkdirSync(application);
  expect(cacheDirectory(application)).toBe(join(application, '.assay', 'cache'));
  expect(readFileSync(join(application, '.assay', '.gitignore'), 'utf8')).toBe('*\n');
  const fallback = cacheDirectory(join(root, 'names.ts'));
  expect(fallback.startsWith(join(tmpdir(), 'assay-cache-'))).toBe(true);
  expect(existsSync(fallback)).toBe(true);
  chmodSync(fallback, 0o777);
  const safe = cacheDirectory(join(root, 'names.ts'));
  expect(safe).not.toBe(fallback);
  rmSync(safe, { recursive: true });
  chmodSync(fallback, 0o700);
});
