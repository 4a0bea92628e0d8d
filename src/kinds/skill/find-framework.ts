// Which framework runs a test file, by what the file imports. The code is parsed, not run.

import { readFileSync } from 'node:fs';
import type { Program } from 'acorn';
import { RuntimeError } from '../../errors.ts';

/** `none`: the file exports a function that returns its counts. */
export type Framework = 'node:test' | 'none' | 'vitest';

/** Specifiers of modules that declare tests. */
const MODULES: Record<string, Framework> = {
  'assay/node-test': 'node:test',
  'assay/vitest': 'vitest',
  'node:test': 'node:test',
  vitest: 'vitest',
};
/** Names of node:test that declare tests; the others, like `mock`, are of use without it. */
const DECLARES_TESTS = new Set(['default', 'describe', 'it', 'suite', 'test']);
/** Any of the specifiers, in code that has no other form of them. */
const MENTIONS = /node:test|vitest|assay\/node-test/;

export type FoundFramework = {
  framework: Framework;
  /** A framework that the file imports, although its exported function runs. */
  ignored?: Framework;
};

/** Reads a test file. A function that it exports comes first. Code with a syntax error has no framework. */
export async function findFramework(file: string): Promise<FoundFramework> {
  const source = readFileSync(file, 'utf8');
  if (!MENTIONS.test(source)) return { framework: 'none' };
  const program = await parseModule(source, file);
  if (program === undefined) return { framework: 'none' };
  const [framework, other] = new Set(importedFrameworks(program));
  if (framework === undefined) return { framework: 'none' };
  if (exportsTest(program)) return { framework: 'none', ignored: framework };
  if (other !== undefined) throw new RuntimeError('it imports both node:test and vitest; keep one of them');
  return { framework };
}

/** Types and imports of types are gone. */
async function parseModule(source: string, file: string): Promise<Program | undefined> {
  const { parse } = await import('acorn');
  try {
    const code = /\.[cm]?ts$/.test(file) ? await withoutTypes(source) : source;
    return parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowImportExportEverywhere: true,
    });
  } catch {
    // The import of the file reports it with its place.
    return undefined;
  }
}

async function withoutTypes(source: string): Promise<string> {
  const { transform } = await import('esbuild');
  return (await transform(source, { loader: 'ts', format: 'esm', logLevel: 'silent' })).code;
}

function importedFrameworks(program: Program): Framework[] {
  const found: Framework[] = [];
  visit(program, (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined || !Object.hasOwn(MODULES, specifier)) return;
    const framework = MODULES[specifier];
    if (framework === undefined || (specifier === 'node:test' && !takesTests(node))) return;
    found.push(framework);
  });
  return found;
}

type Node = { type: string } & Record<string, unknown>;

/** The module that `import`, `import()` or `require()` names. */
function specifierOf(node: Node): string | undefined {
  if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression') return literal(node['source']);
  const { callee, arguments: parameters } = node as { callee?: Node; arguments?: unknown[] };
  const isRequire =
    node.type === 'CallExpression' && callee?.type === 'Identifier' && callee['name'] === 'require';
  return isRequire ? literal(parameters?.[0]) : undefined;
}

function takesTests({ type, specifiers }: Node): boolean {
  if (type !== 'ImportDeclaration') return true;
  return (specifiers as Node[]).some((one) => {
    if (one.type !== 'ImportSpecifier') return true;
    return DECLARES_TESTS.has(nameOf(one['imported']));
  });
}

/** True if the module exports a default value or `runTests`. */
function exportsTest(program: Program): boolean {
  let isFound = false;
  visit(program, (node) => {
    if (node.type === 'ExportDefaultDeclaration') isFound = true;
    if (node.type === 'ExportNamedDeclaration') isFound ||= exportedNames(node).some(isTestName);
    if (node.type === 'AssignmentExpression') isFound ||= isCommonJsExport(node['left'] as Node);
  });
  return isFound;
}

function exportedNames({ specifiers, declaration }: Node): string[] {
  const names = (specifiers as Node[]).map(({ exported }) => nameOf(exported));
  const { id, declarations = [] } = (declaration ?? {}) as { id?: unknown; declarations?: { id: unknown }[] };
  return [...names, nameOf(id), ...declarations.map((one) => nameOf(one.id))];
}

/** `module.exports = …`, `exports.runTests = …` or `module.exports.runTests = …`. */
function isCommonJsExport(left: Node): boolean {
  if (left.type !== 'MemberExpression') return false;
  const property = nameOf(left['property']);
  const object = left['object'] as Node;
  if (object.type === 'Identifier' && object['name'] === 'module') return property === 'exports';
  return isTestName(property) && (nameOf(object) === 'exports' || nameOf(object['property']) === 'exports');
}

function isTestName(name: string): boolean {
  return name === 'default' || name === 'runTests';
}

function nameOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { name?: unknown; value?: unknown };
  return typeof name === 'string' ? name : typeof value === 'string' ? value : '';
}

function literal(node: unknown): string | undefined {
  const { value } = (node ?? {}) as { value?: unknown };
  return typeof value === 'string' ? value : undefined;
}

/** Calls `use` for every node, without recursion: code may be nested deeply. */
function visit(program: Program, use: (node: Node) => void): void {
  const waiting: unknown[] = [program];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) waiting.push(...(value as unknown[]));
    else if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
      if ('type' in value && typeof value.type === 'string') use(value as Node);
      waiting.push(...Object.values(value));
    }
  }
}
