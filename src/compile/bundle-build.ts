// One script of a user, with everything it imports from its own files, becomes one ES module.

import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Message, Metafile, Plugin, PluginBuild } from 'esbuild';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import type { FileState } from './bundle-cache.ts';
import { readWithState } from './bundle-cache.ts';
import { GLOBALS_MODULE } from './bundle-globals.ts';
import { displayPath } from '../platform/paths.ts';
import { topLevelNames } from './top-level-names.ts';

export type Built = {
  code: string;
  /** Only if it is no part of the code. */
  map?: string;
  inputs: FileState[];
  guards: FileState[];
  /** The names that an ES module exports; unknown for anything else. */
  exports?: string[];
};

export const LOADERS: Record<string, Loader> = {
  '.cjs': 'js',
  '.cts': 'ts',
  '.js': 'js',
  '.json': 'json',
  '.jsx': 'jsx',
  '.md': 'text',
  '.mjs': 'js',
  '.mts': 'ts',
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.txt': 'text',
  '.yaml': 'text',
  '.yml': 'text',
};
/** Module variables that must mean the original file, and the names that stand for them in a bundle. */
/** Addons are no ES modules: in here they become modules that require them. */
const ADDONS = 'assay-addons';
const DEFINE = {
  __dirname: '__assay_dirname',
  __filename: '__assay_filename',
  'import.meta.dirname': '__assay_dirname',
  'import.meta.filename': '__assay_filename',
  'import.meta.url': '__assay_url',
};
/** Marks a question that a plugin asks itself, so that nobody asks it again. */
export const ASKED = Symbol('already asked');

let building = 0;

/** How a bundle differs from the usual one. */
export type BuildOptions = {
  outdir: string;
  cwd: string;
  /** Changes a file of the user before it is compiled, without moving a line; by default the entry shows its functions. */
  decorate?(source: string, path: string): string;
  /** Asked before everything else. */
  plugins?: Plugin[];
  /** One CommonJS script with the code of packages inside; told of every file that is not the user's own. */
  whole?: { seen(path: string, source: string): void };
};

/** Lends esbuild, and stops it when nobody needs it any more. */
export async function withEsbuild<T>(work: (esbuild: typeof import('esbuild')) => Promise<T>): Promise<T> {
  // Loaded here, because a bundle that is in the cache needs no esbuild.
  const esbuild = await import('esbuild');
  building += 1;
  try {
    return await work(esbuild);
  } finally {
    building -= 1;
    if (building === 0) await esbuild.stop();
  }
}

/** Bundles `entry` with esbuild; throws a ConfigError with every syntax and import error at its place. */
export async function buildBundle(entry: string, options: BuildOptions): Promise<Built> {
  const { outdir, cwd, plugins = [], whole } = options;
  const inputs = new Map<string, FileState>();
  const packages = new Set<string>();
  return withEsbuild(async (esbuild) => {
    try {
      const result = await esbuild.build({
        absWorkingDir: dirname(entry),
        bundle: true,
        charset: 'utf8',
        // An empty list keeps out the condition "module", which only bundlers know.
        conditions: [],
        define: DEFINE,
        ...(whole === undefined ? { entryPoints: [entry] } : { stdin: onlyShown(entry) }),
        format: whole === undefined ? 'esm' : 'cjs',
        logLevel: 'silent',
        metafile: true,
        outfile: join(outdir, 'bundle.mjs'),
        platform: 'node',
        plugins: [...plugins, userFiles(entry, { ...options, inputs, packages })],
        sourcemap: whole === undefined ? 'inline' : 'external',
        sourcesContent: false,
        target: 'node20',
        write: false,
      });
      const text = (end: RegExp): string => result.outputFiles.find(({ path }) => end.test(path))?.text ?? '';
      const code = whole === undefined ? withRequire(text(/mjs$/), entry) : text(/mjs$/);
      const exports = exportsOf(entry, result.metafile);
      return {
        code,
        ...(whole !== undefined && { map: text(/map$/) }),
        inputs: [...inputs.values()],
        guards: guardsOf(entry, packages),
        ...(exports !== undefined && { exports }),
      };
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      throw ConfigError.of(error.errors.map((message) => toProblem(message, entry, cwd)));
    }
  });
}

/** Of a file that is run as a script, nobody asks for anything but this; every other export would cost time. */
function onlyShown(entry: string): { contents: string; resolveDir: string } {
  return { contents: `export { __assay } from ${JSON.stringify(entry)};`, resolveDir: dirname(entry) };
}

/** A file that may set its exports while it runs is left to the moment when it does. */
function exportsOf(entry: string, { outputs }: Metafile): string[] | undefined {
  if (/\.c[jt]s$/.test(entry) || /\bexports\b|\bexport\s*=/.test(readFileSync(entry, 'utf8')))
    return undefined;
  return Object.values(outputs)[0]?.exports.filter((name) => name !== '__assay');
}

type Collected = BuildOptions & { inputs: Map<string, FileState>; packages: Set<string> };

function userFiles(entry: string, { inputs, packages, decorate, whole }: Collected): Plugin {
  const decorated = (source: string, path: string): string =>
    decorate?.(source, path) ?? (path === entry ? source + reachableNames(source) : source);
  return {
    name: 'assay',
    setup(build) {
      build.onResolve({ filter: /^@yao\// }, ({ path }) => ({ path, namespace: 'assay-globals' }));
      build.onLoad({ filter: /.*/, namespace: 'assay-globals' }, () => ({
        contents: GLOBALS_MODULE,
        loader: 'js',
      }));
      build.onResolve({ filter: /^[./].*\.node$/ }, ({ path, resolveDir, namespace }) =>
        namespace === ADDONS
          ? { path, external: true }
          : { path: resolve(resolveDir, path), namespace: ADDONS },
      );
      build.onLoad({ filter: /.*/, namespace: ADDONS }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
        loader: 'js',
      }));
      build.onResolve({ filter: /^[^./]/ }, (args) =>
        resolvePackage(build, args, packages, whole !== undefined),
      );
      build.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) => {
        const loader = LOADERS[extname(path)];
        if (loader === undefined) return undefined;
        const { content, state } = readWithState(path);
        inputs.set(path, state);
        if (loader === 'json' || loader === 'text') return { contents: content, loader };
        const source = content.toString('utf8');
        const isForeign = /[\\/]node_modules[\\/]/.test(path);
        whole?.seen(path, source);
        return { contents: prepare(source, path, isForeign ? (text) => text : decorated), loader };
      });
    },
  };
}

type ResolveArgs = Parameters<Parameters<PluginBuild['onResolve']>[1]>[0];

/** Packages stay outside, named by their absolute place, so that the bundle may lie anywhere. */
async function resolvePackage(
  build: PluginBuild,
  args: ResolveArgs,
  packages: Set<string>,
  isInside: boolean,
) {
  const { path, importer, resolveDir, kind, pluginData } = args;
  if (kind === 'entry-point' || pluginData === ASKED) return undefined;
  if (isBuiltin(path)) return { path, external: true };
  const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: ASKED });
  if (found.errors.length > 0 || found.external) return found;
  const owner = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(found.path)?.[0];
  // What is no package (tsconfig paths) and what Node cannot import becomes part of the bundle.
  if (owner === undefined || !/\.[cm]?js$/.test(found.path)) return found;
  packages.add(join(owner, 'package.json'));
  if (isInside) return found;
  return { path: kind.startsWith('require') ? found.path : pathToFileURL(found.path).href, external: true };
}

/** Adds what a bundle would lose, without moving any line. */
function prepare(source: string, path: string, decorate: (source: string, path: string) => string): string {
  const text = decorate(source.replace(/^\uFEFF?#!.*/, ''), path);
  if (/__dirname|__filename|import\.meta/.test(text)) {
    const url = JSON.stringify(pathToFileURL(path).href);
    const file = JSON.stringify(path);
    const folder = JSON.stringify(dirname(path));
    return `const __assay_url = ${url}, __assay_filename = ${file}, __assay_dirname = ${folder};${text}`;
  }
  return text;
}

/** Makes functions that are not exported reachable; `typeof` makes a name that is not at the top level harmless. */
function reachableNames(source: string): string {
  const { names, isCommonJs } = topLevelNames(source);
  if (isCommonJs) return '';
  const entries = names.map(
    (name) => `${JSON.stringify(name)}: typeof ${name} === 'undefined' ? undefined : ${name}`,
  );
  return `\n${EXPORTS_LINE} ${entries.join(', ')} };\n`;
}

/** CommonJS files inside a bundle call `require`, which an ES module lacks; the line stays the first one. */
function withRequire(code: string, entry: string): string {
  if (!code.includes('Dynamic require of')) return code;
  const from = JSON.stringify(pathToFileURL(entry).href);
  return `import { createRequire as __assay_createRequire } from 'node:module'; const require = __assay_createRequire(${from}); ${code}`;
}

function guardsOf(entry: string, packages: Set<string>): FileState[] {
  const files = [...packages].filter((file) => existsSync(file));
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const tsconfig = join(folder, 'tsconfig.json');
    if (existsSync(tsconfig)) files.push(tsconfig);
    if (existsSync(tsconfig) || dirname(folder) === folder) break;
  }
  return files.map((file) => readWithState(file).state);
}

export function isBuildFailure(error: unknown): error is Error & { errors: Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

/** Begins the line that is added to the end of an entry. */
const EXPORTS_LINE = 'export const __assay = {';
/** What may be added to the beginning of the first line. */
const PLACE_PREFIX = /^const __assay_url = .*?__assay_dirname = "(?:[^"\\]|\\.)*";/;

export function toProblem({ text, location, notes }: Message, entry: string, cwd: string): Problem {
  const note = notes.find(({ text: words }) => words !== '')?.text;
  if (location === null)
    return { message: text, at: displayPath(entry, cwd), ...(note !== undefined && { hint: note }) };
  const { file, line } = location;
  const added = PLACE_PREFIX.exec(location.lineText)?.[0].length ?? 0;
  const lineText = location.lineText.slice(added);
  const column = Math.max(0, location.column - added);
  if (lineText.startsWith(EXPORTS_LINE)) {
    const at = displayPath(resolve(dirname(entry), file), cwd);
    return {
      message: 'the file ends where more was expected: a bracket, quote or expression is not closed',
      at,
    };
  }
  const place = `${displayPath(resolve(dirname(entry), file), cwd)}:${String(line)}:${String(column + 1)}`;
  const gutter = `${String(line)} | `;
  const frame = `${gutter}${lineText}\n${' '.repeat(gutter.length + column)}^`;
  return { message: text, at: place, hint: frame };
}
