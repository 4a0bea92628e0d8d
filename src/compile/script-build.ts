// A file of `Test*` functions becomes one script: with the names of the module it tests, and everything both import.

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname } from 'node:path';
import type { Plugin } from 'esbuild';
import { ConfigError } from '../errors.ts';
import type { Built } from './bundle-build.ts';
import { ASKED, buildBundle, isBuildFailure, LOADERS, toProblem, withEsbuild } from './bundle-build.ts';
import type { DeclaredName } from './declared-names.ts';
import { declaredNames } from './declared-names.ts';
import { displayPath } from '../platform/paths.ts';

/** What is known of a file of tests without running it. */
export type ScriptFacts = {
  tests: { name: string; line: number }[];
  /** Which of TestMain, BeforeAll, AfterAll, BeforeEach and AfterEach it has. */
  hooks: string[];
  isolation: 'context' | 'process';
  /** Modules that its tests replace: the specifier they write, and the name it has in the bundle. */
  mocks: Record<string, string>;
};

export type BuiltScript = Built & { facts: ScriptFacts };

const HOOKS = ['TestMain', 'BeforeAll', 'AfterAll', 'BeforeEach', 'AfterEach'];
/** What one context of a shared process cannot do at all. */
const NEEDS_PLACE =
  /\bchdir\b|\bdlopen\b|\bumask\b|\bProcess\s*\(|\bcreateRequire\b|\b(?:require|import)\s*\(\s*[^'"`\s)]|\brequire\.(?:resolve|cache)\b|\.node['"`]/;
/** What sets something for a whole process, behind a function. */
const SETS_FOR_ALL = new RegExp(
  `\\b(?:${[
    'setDefault\\w+',
    'setServers',
    'setFlagsFromString',
    'setPriority',
    'setFips',
    'setEngine',
    'set(?:e)?[ug]id',
    'setgroups',
    'initgroups',
    'setGlobalDispatcher',
    'setGlobalOrigin',
    'setMaxIdleHTTPParsers',
    'setUncaughtExceptionCaptureCallback',
    'setEnvironmentData',
    'setSourceMapsEnabled',
    'syncBuiltinESMExports',
    'loadEnvFile',
    'createHook',
    'enterWith',
    'PerformanceObserver',
    'performance\\s*\\.\\s*(?:mark|measure|timerify)',
    'process\\s*\\.\\s*report',
    'diagnostics_channel',
    'runInThisContext',
    'process\\s*\\.\\s*stdin',
    'std(?:out|err)\\s*\\.\\s*(?:end|destroy|cork|on|once|addListener|_\\w+)',
    'env\\s*\\.\\s*(?:TZ|HOME|TMPDIR|NODE_\\w+)',
    'isDeepStrictEqual',
    '(?:get|set)PrototypeOf',
    '__proto__',
    'constructor\\s*\\.\\s*prototype',
  ].join('|')})\\b`,
);
/** Node's own comparison takes what Node returns for something else than what a context makes. */
const COMPARES = /['"`](?:node:)?(?:assert|test)(?:\/\w+)?['"`]/;
/** Programs that a test starts get the environment of the process, and signals go to it. */
const STARTS = /['"`](?:node:)?(?:child_process|worker_threads)['"`]/;
const HAS_ENVIRONMENT = /\bprocess\s*\.\s*env\b/;
const LISTENS =
  /\bprocess\s*\.\s*(?:on|once|addListener|prependListener)\s*\(\s*['"`](?:SIG|warning|message|disconnect)/;
/** What a package sets for the whole process. */
const PACKAGE_SETS = /\b(?:dns|stream|v8|net|tls|crypto|os)\s*\.\s*set[A-Z]\w+\s*\(/;
/** Packages that look for files of their own do not find them from inside a bundle. */
const NEEDS_ITS_PLACE =
  /__dirname|__filename|\bimport\.meta\b|\bcreateRequire\b|\brequire\s*\(\s*[^'"`\s)]|\.node['"`]|\bprocess\s*\.\s*(?:chdir|umask)\b/;
/** More code than this of packages is better imported than compiled for every file. */
const MAX_PACKAGE_LENGTH = 2_000_000;
const MOCKED = /\bmock\s*\.\s*module\s*\(\s*(['"`])([^'"`\n]+)\1/g;

/** Compiles a file of tests; `module` is the file under test. Throws a ConfigError with the place of every error. */
export async function buildScript(
  entry: string,
  { module, outdir, cwd }: { module?: string | undefined; outdir: string; cwd: string },
): Promise<BuiltScript> {
  return withEsbuild(async (esbuild) => {
    const namesOf = async (file: string): Promise<DeclaredName[]> => {
      try {
        const loader = LOADERS[extname(file)] ?? 'ts';
        const { code } = await esbuild.transform(readFileSync(file, 'utf8'), {
          loader,
          sourcefile: file,
          target: 'node20',
          logLevel: 'silent',
        });
        return await declaredNames(code);
      } catch (error) {
        if (error instanceof SyntaxError) throw declaredTwice(error, file, cwd);
        if (!isBuildFailure(error)) throw error;
        throw ConfigError.of(error.errors.map((message) => toProblem(message, file, cwd)));
      }
    };
    const source = readFileSync(entry, 'utf8');
    const own = await namesOf(entry);
    const shown = own.filter(({ name, isFunction }) => isFunction && (isTest(name) || HOOKS.includes(name)));
    const visible = module === undefined ? [] : visibleNames(await namesOf(module), own, source);
    const decorate = decorator({ entry, module, visible, shown: shown.map(({ name }) => name) });
    const mocks = new Map<string, string>();
    const plugins = [mockable(entry, source, mocks)];

    const signs = { needsProcess: false, starts: false, hasEnvironment: false, length: 0 };
    const seen = (path: string, text: string): void => {
      const isForeign = /[\\/]node_modules[\\/]/.test(path);
      if (isForeign) signs.length += text.length;
      signs.starts ||= !isForeign && STARTS.test(text);
      signs.hasEnvironment ||= !isForeign && HAS_ENVIRONMENT.test(text);
      signs.needsProcess ||= isForeign
        ? NEEDS_ITS_PLACE.test(text) || PACKAGE_SETS.test(text)
        : needsProcess(text);
    };
    const whole = await buildWhole(entry, { outdir, cwd, decorate, plugins, whole: { seen } });
    const needsMore = signs.needsProcess || (signs.starts && signs.hasEnvironment);
    const isShared = whole !== undefined && !needsMore && signs.length < MAX_PACKAGE_LENGTH;
    const built = isShared ? whole : await buildBundle(entry, { outdir, cwd, decorate, plugins });
    const lines = linesOf(source);
    const facts: ScriptFacts = {
      tests: shown
        .filter(({ name }) => isTest(name))
        .map(({ name }) => ({ name, line: lines.get(name) ?? 1 })),
      hooks: shown.filter(({ name }) => !isTest(name)).map(({ name }) => name),
      isolation: isShared ? 'context' : 'process',
      mocks: Object.fromEntries(mocks),
    };
    return { ...built, facts };
  });
}

/** What esbuild lets pass in a script and no module may have; the parser knows only the place in what esbuild made of it. */
function declaredTwice(error: SyntaxError, file: string, cwd: string): ConfigError {
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  const name = /^Identifier '(.+)' has already been declared$/.exec(message)?.[1];
  const shown = displayPath(file, cwd);
  if (name === undefined) return new ConfigError(message, { at: shown });
  const lines = readFileSync(file, 'utf8').split('\n');
  const isDeclared = (line: string): boolean => declarationOf(name).test(line);
  const index = lines.findLastIndex(isDeclared);
  const gutter = `${String(index + 1)} | `;
  if (index === -1) return new ConfigError(message, { at: shown });
  return new ConfigError(message, {
    at: `${shown}:${String(index + 1)}`,
    hint: `${gutter}${lines[index] ?? ''}`,
  });
}

function declarationOf(name: string): RegExp {
  return new RegExp(
    `\\b(?:function\\s*\\*?|const|let|var|class|enum)\\s+${name.replaceAll('$', '\\$')}(?![\\w$])`,
  );
}

/** Whether code of the user's own needs more than a context. */
function needsProcess(text: string): boolean {
  return [NEEDS_PLACE, SETS_FOR_ALL, COMPARES, LISTENS].some((sign) => sign.test(text));
}

function isTest(name: string): boolean {
  return name.startsWith('Test') && !HOOKS.includes(name);
}

/** Nothing if it can only be an ES module, because it awaits at its top level or loads an addon. */
async function buildWhole(
  entry: string,
  options: Parameters<typeof buildBundle>[1],
): Promise<Built | undefined> {
  try {
    return await buildBundle(entry, options);
  } catch (error) {
    const isPossible =
      error instanceof ConfigError && !error.problems.some(({ message }) => IMPOSSIBLE.test(message));
    if (isPossible) throw error;
    return undefined;
  }
}

const IMPOSSIBLE = /Top-level await|No loader is configured for "\.node"/;

/** The names of the tested module that a file of tests uses without importing them. */
function visibleNames(names: DeclaredName[], own: DeclaredName[], source: string): string[] {
  const taken = new Set(own.map(({ name }) => name));
  const words = new Set(source.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
  return names
    .filter(({ name, isImport }) => !isImport && !taken.has(name) && words.has(name))
    .map(({ name }) => name);
}

/** Connects the two files without moving a line of either. */
function decorator(parts: {
  entry: string;
  module: string | undefined;
  visible: string[];
  shown: string[];
}): (source: string, path: string) => string {
  const { entry, module, visible, shown } = parts;
  const list = (entries: string[]): string => entries.join(', ');
  return (source, path) => {
    const isCommonJs = isCommonJsSource(source);
    if (path === module && visible.length > 0 && isCommonJs) {
      const shownNames = visible.map((name) => `__assay_${name}: { value: ${name} }`);
      return `${source}\n;Object.defineProperties(module.exports, { ${list(shownNames)} });\n`;
    }
    if (path === module && visible.length > 0) {
      return `${source}\nexport { ${list(visible.map((name) => `${name} as __assay_${name}`))} };\n`;
    }
    if (path !== entry) return source;
    const imported =
      visible.length === 0
        ? ''
        : `import { ${list(visible.map((name) => `__assay_${name} as ${name}`))} } from ${JSON.stringify(module)};`;
    const exported = isCommonJs ? 'module.exports.__assay =' : 'export const __assay =';
    return `${isCommonJs ? '' : imported}${source}\n${exported} { ${list(shown)} };\n`;
  };
}

function isCommonJsSource(text: string): boolean {
  const source = text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|\s\/\/.*$/gm, '');
  const hasModuleSyntax = /^[ \t]*(?:import|export)\b(?!\s*\()/m.test(source);
  return !hasModuleSyntax && /\bmodule\.exports\b|\bexports\s*[.[]/.test(source);
}

/** Lets tests replace a module: whoever imports it gets something that can change its mind. */
function mockable(entry: string, source: string, mocks: Map<string, string>): Plugin {
  const wanted = new Set([...source.matchAll(MOCKED)].map((match) => match[2] ?? ''));
  return {
    name: 'assay-mocks',
    setup(build) {
      if (wanted.size === 0) return;
      const known = new Map<string, string>();
      const ask = { pluginData: ASKED };
      build.onStart(async () => {
        for (const specifier of wanted) {
          const resolveDir = dirname(entry);
          const path = isBuiltin(specifier)
            ? specifier.replace(/^node:/, '')
            : (await build.resolve(specifier, { ...ask, resolveDir, kind: 'import-statement' })).path;
          if (path === '') continue;
          mocks.set(specifier, path);
          known.set(path, specifier);
        }
      });
      build.onResolve(
        { filter: /.*/ },
        async ({ path, importer, resolveDir, kind, namespace, pluginData }) => {
          if (pluginData === ASKED || kind === 'entry-point' || namespace === 'assay-mock') return undefined;
          const real = isBuiltin(path)
            ? path.replace(/^node:/, '')
            : (await build.resolve(path, { ...ask, importer, resolveDir, kind })).path;
          return known.has(real) ? { path: real, namespace: 'assay-mock' } : undefined;
        },
      );
      build.onLoad({ filter: /.*/, namespace: 'assay-mock' }, ({ path }) => ({
        contents: `module.exports = __assay_mockable(${JSON.stringify(path)}, () => require(${JSON.stringify(path)}));`,
        loader: 'js',
        resolveDir: isBuiltin(path) ? dirname(entry) : dirname(path),
      }));
    },
  };
}

/** The line of every declaration, of the first one of a name. */
function linesOf(source: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of source.split('\n').entries()) {
    for (const [, name = ''] of line.matchAll(DECLARATION)) if (!lines.has(name)) lines.set(name, index + 1);
  }
  return lines;
}

const DECLARATION = /\b(?:function\s*\*?|const|let|var)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;
