// Builds one ES module from a user script and the user's files that it imports.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Message, Metafile, Plugin, PluginBuild } from 'esbuild';
import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import type { FileState } from '../bundle-cache.ts';
import { readWithState } from '../bundle-cache.ts';
import { GLOBALS_MODULE } from './bundle-globals.ts';
import { displayPath } from '../../platform/paths.ts';
import { vendoredFile } from '../../platform/vendored.ts';
import { topLevelNames } from '../top-level-names.ts';

export type Built = {
  code: string;
  /** The source map, unless it is inlined in the code. */
  map?: string;
  inputs: FileState[];
  guards: FileState[];
  /** The exported names of an ES module; unknown for CommonJS. */
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
/** Namespace for native addons, which are wrapped in modules that require them. */
const ADDONS = 'assay-addons';
/** Module variables that must refer to the original file, and their replacements in a bundle. */
const DEFINE = {
  __dirname: '__assay_dirname',
  __filename: '__assay_filename',
  'import.meta.dirname': '__assay_dirname',
  'import.meta.filename': '__assay_filename',
  'import.meta.url': '__assay_url',
};
/** Marks `build.resolve` calls of our plugins, so that the plugins do not handle them again. */
export const OWN_RESOLVE = Symbol('resolve call of a plugin');

let building = 0;

export type BuildOptions = {
  outdir: string;
  cwd: string;
  /** Changes a user file before it is compiled, without moving lines; by default it exposes the entry's functions. */
  decorate?(source: string, path: string): string;
  /** Run before the plugins of the build itself. */
  plugins?: Plugin[];
  /** Builds one CommonJS script that includes the code of packages; `onSource` sees every source file. */
  standalone?: { onSource(path: string, source: string): void };
};

/** Runs `work` with esbuild, and stops esbuild after the last build. */
export async function withEsbuild<T>(work: (esbuild: typeof import('esbuild')) => Promise<T>): Promise<T> {
  // Loaded on demand: cached bundles need no esbuild.
  const esbuild = await loadEsbuild();
  building += 1;
  try {
    return await work(esbuild);
  } finally {
    building -= 1;
    if (building === 0) await esbuild.stop();
  }
}

/** The copy of an installed program, else the package. */
async function loadEsbuild(): Promise<typeof import('esbuild')> {
  const file = vendoredFile('./esbuild/lib/main.js');
  if (file === undefined) return import('esbuild');
  // The cast is safe: it is a copy of the package.
  const copy = (await import(pathToFileURL(file).href)) as { default: typeof import('esbuild') };
  return copy.default;
}

/** Bundles `entry` with esbuild; throws a ConfigError with all syntax and import errors. */
export async function buildBundle(entry: string, options: BuildOptions): Promise<Built> {
  const { outdir, cwd, plugins = [], standalone } = options;
  const inputs = new Map<string, FileState>();
  const packages = new Set<string>();
  return withEsbuild(async (esbuild) => {
    try {
      const result = await esbuild.build({
        absWorkingDir: dirname(entry),
        bundle: true,
        charset: 'utf8',
        // An empty list disables the condition "module", which only bundlers support.
        conditions: [],
        define: DEFINE,
        ...(standalone === undefined ? { entryPoints: [entry] } : { stdin: standaloneEntry(entry) }),
        format: standalone === undefined ? 'esm' : 'cjs',
        logLevel: 'silent',
        metafile: true,
        outfile: join(outdir, 'bundle.mjs'),
        platform: 'node',
        plugins: [...plugins, userFilesPlugin(entry, { ...options, inputs, packages })],
        sourcemap: standalone === undefined ? 'inline' : 'external',
        sourcesContent: false,
        target: 'node20',
        write: false,
      });
      const text = (end: RegExp): string => result.outputFiles.find(({ path }) => end.test(path))?.text ?? '';
      const code = standalone === undefined ? withRequire(text(/mjs$/), entry) : text(/mjs$/);
      return {
        code,
        map: standalone === undefined ? undefined : text(/map$/),
        inputs: [...inputs.values()],
        guards: collectGuards(entry, packages),
        exports: listExports(entry, result.metafile),
      };
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      throw ConfigError.of(error.errors.map((message) => toProblem(message, entry, cwd)));
    }
  });
}

/** The entry of a standalone script. Only `__assay` is read, and every other export would cost time. */
function standaloneEntry(entry: string): { contents: string; resolveDir: string } {
  return { contents: `export { __assay } from ${JSON.stringify(entry)};`, resolveDir: dirname(entry) };
}

/** The exports of an ES module; undefined for a file that may assign exports at run time. */
function listExports(entry: string, { outputs }: Metafile): string[] | undefined {
  if (/\.c[jt]s$/.test(entry) || /\bexports\b|\bexport\s*=/.test(readFileSync(entry, 'utf8')))
    return undefined;
  return Object.values(outputs)[0]?.exports.filter((name) => name !== '__assay');
}

type Collected = BuildOptions & { inputs: Map<string, FileState>; packages: Set<string> };

function userFilesPlugin(entry: string, { inputs, packages, decorate, standalone }: Collected): Plugin {
  const decorated = (source: string, path: string): string =>
    decorate?.(source, path) ?? (path === entry ? source + exposeNames(source) : source);
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
        resolvePackage(build, args, packages, standalone !== undefined),
      );
      build.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) => {
        const loader = LOADERS[extname(path)];
        if (loader === undefined) return undefined;
        const { content, state } = readWithState(path);
        inputs.set(path, state);
        if (loader === 'json' || loader === 'text') return { contents: content, loader };
        const source = content.toString('utf8');
        const isForeign = /[\\/]node_modules[\\/]/.test(path);
        standalone?.onSource(path, source);
        return { contents: addModuleVariables(source, path, isForeign ? (text) => text : decorated), loader };
      });
    },
  };
}

type ResolveArgs = Parameters<Parameters<PluginBuild['onResolve']>[1]>[0];

/** Keeps packages external, by absolute path, so that the bundle may be stored anywhere. */
async function resolvePackage(
  build: PluginBuild,
  args: ResolveArgs,
  packages: Set<string>,
  isInside: boolean,
) {
  const { path, importer, resolveDir, kind, pluginData } = args;
  if (kind === 'entry-point' || pluginData === OWN_RESOLVE) return undefined;
  if (isBuiltin(path)) return { path, external: true };
  const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: OWN_RESOLVE });
  if (found.errors.length > 0) return resolveOwnPackage(path, packages) ?? found;
  if (found.external) return found;
  const owner = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(found.path)?.[0];
  // Files outside packages (tsconfig paths) and files that Node cannot import become part of the bundle.
  if (owner === undefined || !/\.[cm]?js$/.test(found.path)) return found;
  packages.add(join(owner, 'package.json'));
  if (isInside) return found;
  return { path: kind.startsWith('require') ? found.path : pathToFileURL(found.path).href, external: true };
}

/** `assay` in a folder where it is not installed, as under npx, is the package of this program. */
function resolveOwnPackage(
  path: string,
  packages: Set<string>,
): { path: string; external: true } | undefined {
  if (!/^assay(?:\/|$)/.test(path)) return undefined;
  const { resolve: find } = createRequire(import.meta.url);
  try {
    const file = find(path);
    packages.add(find('assay/package.json'));
    return { path: pathToFileURL(file).href, external: true };
  } catch {
    // There is no such entry point: the problem of the search is the better one.
    return undefined;
  }
}

/** Adds the module variables that a bundle would lose, without moving lines. */
function addModuleVariables(
  source: string,
  path: string,
  decorate: (source: string, path: string) => string,
): string {
  const text = decorate(source.replace(/^\uFEFF?#!.*/, ''), path);
  if (/__dirname|__filename|import\.meta/.test(text)) {
    const url = JSON.stringify(pathToFileURL(path).href);
    const file = JSON.stringify(path);
    const folder = JSON.stringify(dirname(path));
    return `const __assay_url = ${url}, __assay_filename = ${file}, __assay_dirname = ${folder};${text}`;
  }
  return text;
}

/** Exposes functions that are not exported; `typeof` guards against names that are not at the top level. */
function exposeNames(source: string): string {
  const { names, isCommonJs } = topLevelNames(source);
  if (isCommonJs) return '';
  const entries = names.map(
    (name) => `${JSON.stringify(name)}: typeof ${name} === 'undefined' ? undefined : ${name}`,
  );
  return `\n${EXPORTS_LINE} ${entries.join(', ')} };\n`;
}

/** Defines `require` for CommonJS files inside an ES module, on the first line so that no lines move. */
function withRequire(code: string, entry: string): string {
  if (!code.includes('Dynamic require of')) return code;
  const from = JSON.stringify(pathToFileURL(entry).href);
  return `import { createRequire as __assay_createRequire } from 'node:module'; const require = __assay_createRequire(${from}); ${code}`;
}

function collectGuards(entry: string, packages: Set<string>): FileState[] {
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

/** Start of the line that `exposeNames` appends to an entry. */
const EXPORTS_LINE = 'export const __assay = {';
/** The prefix that `addModuleVariables` may add to the first line. */
const MODULE_VARIABLES_PREFIX = /^const __assay_url = .*?__assay_dirname = "(?:[^"\\]|\\.)*";/;

/** Converts an esbuild error; corrects positions for code that this module has added. */
export function toProblem({ text, location, notes }: Message, entry: string, cwd: string): Problem {
  const note = notes.find(({ text: words }) => words !== '')?.text;
  if (location === null) return { message: text, at: displayPath(entry, cwd), hint: note };

  const { file, line } = location;
  const path = displayPath(resolve(dirname(entry), file), cwd);
  const added = MODULE_VARIABLES_PREFIX.exec(location.lineText)?.[0].length ?? 0;
  const lineText = location.lineText.slice(added);
  const column = Math.max(0, location.column - added);
  if (lineText.startsWith(EXPORTS_LINE)) {
    return {
      message: 'the file ends where more was expected: a bracket, quote or expression is not closed',
      at: path,
    };
  }

  const gutter = `${String(line)} | `;
  const frame = `${gutter}${lineText}\n${' '.repeat(gutter.length + column)}^`;
  return { message: text, at: `${path}:${String(line)}:${String(column + 1)}`, hint: frame };
}
