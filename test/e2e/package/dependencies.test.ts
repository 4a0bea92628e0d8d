// What is installed from the package can be loaded: every library that the built files name is one of its dependencies.

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

const IMPORTS = [
  /(?:^|[\s;}])(?:import|export)\b[^'"`;()]*?\bfrom\s*(["'])([^"']+)\1/g,
  /(?:^|[\s;}])import\s*(["'])([^"']+)\1/g,
  /\bimport\(\s*(?:\/\*.*?\*\/\s*)?(["'`])([^"'`$]+)\1/g,
  /\brequire(?:\.resolve)?\(\s*(["'`])([^"'`$]+)\1/g,
];

const escaped = (name: string): string => name.replaceAll('$', '\\$');

/** Libraries that the build copies into dist; their names are for a clone without the copies. */
const COPIED = ['@photostructure/sqlite', 'esbuild'];

/** The packages that a text of JavaScript loads, by any of the ways there are. */
function packagesIn(code: string): string[] {
  const aliases = [...code.matchAll(/\bcreateRequire as ([\w$]+)/g)].map(([, name = '']) => escaped(name));
  const create = `(?<![\\w$])(?:${['createRequire(?:\\$\\d+)?', ...aliases].join('|')})\\(`;
  const requires = new RegExp(
    `(?:const |let |var |,)\\s*([\\w$]+)\\s*=\\s*(?:/\\*.*?\\*/\\s*)*(?:[\\w$]+\\.)?${create}`,
    'g',
  );
  const names = [...code.matchAll(requires)].map(([, name = '']) => escaped(name));
  const calls = names.map(
    (name) => new RegExp(`(?<![\\w$.])${name}(?:\\.resolve)?\\(\\s*(["'\`])([^"'\`$]+)\\1`, 'g'),
  );
  const direct = new RegExp(`${create}[^()]*\\)(?:\\.resolve)?\\(\\s*(["'\`])([^"'\`$]+)\\1`, 'g');
  const sources = [...IMPORTS, ...calls, direct].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, , source = '']) => source),
  );
  const bare = sources.filter(
    (source) => /^(?:@[\w.-]+\/)?[\w.-]+(?:\/|$)/.test(source) && !source.startsWith('.'),
  );
  const packages = bare.map((source) => /^(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? source);
  return [...new Set(packages)].filter((name) => !builtinModules.includes(name)).sort();
}

test('knows all ways to load a package', () => {
  const code = `
    import a from "a"; import { b } from 'b/deep'; import "c";
    export * from "@scope/d/e";
    import { createRequire } from "node:module"; import fs from "fs"; import own from "./own.js";
    const load = createRequire(import.meta.url), other$1 = createRequire(import.meta.url);
    const f = load("f"); other$1('g/package.json'); notload("no"); await import("h"); require("i");
    createRequire(import.meta.url)("j"); load.resolve("k");
    import{l}from"l";import{createRequire as Q$}from"node:module";const r=1,s=Q$(import.meta.url);s("m");`;
  expect(packagesIn(code)).toEqual(['@scope/d', 'a', 'b', 'c', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm']);
});

test('every package that the built files load is a dependency', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // The text of agents that `assay init` writes is in init.js; it imports what those agents need.
  const files = globSync('dist/**/*.{js,cjs}', { ignore: ['dist/init.js', 'dist/esbuild/**'] });
  const loaded = files.flatMap((file) =>
    packagesIn(readFileSync(file, 'utf8')).map((name) => ({ file, name })),
  );
  expect(loaded.map(({ name }) => name)).toEqual(expect.arrayContaining(['esbuild', 'json-p3', 're2js']));
  // Optional peers are loaded where someone asks for them: `assay/vitest`, and skill tests that are a vitest file.
  const isThere = (name: string): boolean =>
    Object.hasOwn(dependencies, name) || name === 'vitest' || COPIED.includes(name);
  expect(loaded.filter(({ name }) => !isThere(name))).toEqual([]);
});
