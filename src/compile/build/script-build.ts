// Builds one script from a file of `Test*` functions, the module it tests, and the imports of both.

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname } from 'node:path';
import type { Plugin } from 'esbuild';
import { ConfigError } from '../../errors.ts';
import type { Built } from './bundle-build.ts';
import { OWN_RESOLVE, buildBundle, isBuildFailure, LOADERS, toProblem, withEsbuild } from './bundle-build.ts';
import type { DeclaredName } from './declared-names.ts';
import { declaredNames } from './declared-names.ts';
import { displayPath } from '../../platform/paths.ts';

/** The facts about a test file that are known without running it. */
export type ScriptFacts = {
  tests: { name: string; line: number }[];
  /** The hooks it defines: TestMain, BeforeAll, AfterAll, BeforeEach, AfterEach. */
  hooks: string[];
  isolation: 'context' | 'process';
  /** The modules that its tests mock: specifier in the source → name in the bundle. */
  mocks: Record<string, string>;
};

export type BuiltScript = Built & { facts: ScriptFacts };

const HOOKS = ['TestMain', 'BeforeAll', 'AfterAll', 'BeforeEach', 'AfterEach'];
/** Code that does not work in a context of a shared process. */
const NEEDS_PROCESS =
  /\bchdir\b|\bdlopen\b|\bumask\b|\bProcess\s*\(|\bcreateRequire\b|\b(?:require|import)\s*\(\s*[^'"`\s)]|\brequire\.(?:resolve|cache)\b|\b(?:require\s*\(|from|import)\s*['"`](?:node:)?module['"`]|\bmainModule\b|\.node['"`]/;
/** Code that changes the state of the whole process. */
const CHANGES_PROCESS = new RegExp(
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
/** Node's deep comparison treats objects of another context as different. */
const USES_NODE_ASSERT = /['"`](?:node:)?(?:assert|test)(?:\/\w+)?['"`]/;
/** Child processes inherit the environment of the process, and signals go to the process. */
const STARTS_PROCESSES = /['"`](?:node:)?(?:child_process|worker_threads)['"`]/;
const USES_ENVIRONMENT = /\bprocess\s*\.\s*env\b/;
const HANDLES_PROCESS_EVENTS =
  /\bprocess\s*\.\s*(?:on|once|addListener|prependListener)\s*\(\s*['"`](?:SIG|warning|message|disconnect)/;
/** Package code that changes the state of the whole process. */
const PACKAGE_CHANGES_PROCESS = /\b(?:dns|stream|v8|net|tls|crypto|os)\s*\.\s*set[A-Z]\w+\s*\(/;
/** Packages that load their own files cannot find them from inside a bundle. */
const PACKAGE_NEEDS_ITS_FOLDER =
  /__dirname|__filename|\bimport\.meta\b|\bcreateRequire\b|\brequire\s*\(\s*[^'"`\s)]|\.node['"`]|\bprocess\s*\.\s*(?:chdir|umask)\b/;
/** From this size on, package code is imported instead of compiled into every test file. */
const MAX_PACKAGE_LENGTH = 2_000_000;
const MOCKED = /\bmock\s*\.\s*module\s*\(\s*(['"`])([^'"`\n]+)\1/g;

/** Compiles a test file; `module` is the file under test. Throws a ConfigError with all errors. */
export async function buildScript(
  entry: string,
  { module, outdir, cwd }: { module?: string | undefined; outdir: string; cwd: string },
): Promise<BuiltScript> {
  return withEsbuild(async (esbuild) => {
    const readNames = async (file: string): Promise<DeclaredName[]> => {
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
        if (error instanceof SyntaxError) throw rejectedByParser(error, file, cwd);
        if (!isBuildFailure(error)) throw error;
        throw ConfigError.of(error.errors.map((message) => toProblem(message, file, cwd)));
      }
    };

    const source = readFileSync(entry, 'utf8');
    const own = await readNames(entry);
    const shown = own.filter(({ name, isFunction }) => isFunction && (isTest(name) || HOOKS.includes(name)));
    const visible = module === undefined ? [] : visibleNames(await readNames(module), own, source);
    const decorate = createDecorator({ entry, module, visible, shown: shown.map(({ name }) => name) });
    const mocks = new Map<string, string>();
    const plugins = [mockPlugin(entry, source, mocks)];

    const sources = inspectSources();
    const standalone = await buildStandalone(entry, { outdir, cwd, decorate, plugins, standalone: sources });
    const isShared = standalone !== undefined && !sources.needProcess();
    const built = isShared ? standalone : await buildBundle(entry, { outdir, cwd, decorate, plugins });

    const lines = declarationLines(source);
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

/**
 * Reports code that esbuild accepts and the parser rejects, such as a duplicate declaration. The parser knows only the
 * position in esbuild's output, so the line is searched in the source.
 */
function rejectedByParser(error: SyntaxError, file: string, cwd: string): ConfigError {
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  const name = /^Identifier '(.+)' has already been declared$/.exec(message)?.[1];
  const shown = displayPath(file, cwd);
  if (name === undefined) return new ConfigError(message, { at: shown });
  const lines = readFileSync(file, 'utf8').split('\n');
  const isDeclared = (line: string): boolean => declarationPattern(name).test(line);
  const index = lines.findLastIndex(isDeclared);
  const gutter = `${String(index + 1)} | `;
  if (index === -1) return new ConfigError(message, { at: shown });
  return new ConfigError(message, {
    at: `${shown}:${String(index + 1)}`,
    hint: `${gutter}${lines[index] ?? ''}`,
  });
}

function declarationPattern(name: string): RegExp {
  return new RegExp(
    `\\b(?:function\\s*\\*?|const|let|var|class|enum)\\s+${name.replaceAll('$', '\\$')}(?![\\w$])`,
  );
}

/** Looks at all source files of a script and decides whether its tests need a process of their own. */
function inspectSources(): { onSource(path: string, text: string): void; needProcess(): boolean } {
  let isProcessNeeded = false;
  let startsProcesses = false;
  let usesEnvironment = false;
  let packageLength = 0;
  return {
    onSource(path, text) {
      if (/[\\/]node_modules[\\/]/.test(path)) {
        packageLength += text.length;
        isProcessNeeded ||= PACKAGE_NEEDS_ITS_FOLDER.test(text) || PACKAGE_CHANGES_PROCESS.test(text);
      } else {
        startsProcesses ||= STARTS_PROCESSES.test(text);
        usesEnvironment ||= USES_ENVIRONMENT.test(text);
        isProcessNeeded ||= needsProcess(text);
      }
    },
    needProcess: () =>
      isProcessNeeded || (startsProcesses && usesEnvironment) || packageLength >= MAX_PACKAGE_LENGTH,
  };
}

/** True if user code needs a process of its own. */
function needsProcess(text: string): boolean {
  return [NEEDS_PROCESS, CHANGES_PROCESS, USES_NODE_ASSERT, HANDLES_PROCESS_EVENTS].some((sign) =>
    sign.test(text),
  );
}

function isTest(name: string): boolean {
  return name.startsWith('Test') && !HOOKS.includes(name);
}

/** Returns undefined for code that must be an ES module: it has a top-level await or loads an addon. */
async function buildStandalone(
  entry: string,
  options: Parameters<typeof buildBundle>[1],
): Promise<Built | undefined> {
  try {
    return await buildBundle(entry, options);
  } catch (error) {
    const needsModule =
      !(error instanceof ConfigError) || error.problems.some(({ message }) => MODULE_ONLY.test(message));
    if (needsModule) return undefined;
    throw error;
  }
}

const MODULE_ONLY = /Top-level await|No loader is configured for "\.node"/;

/** The names of the tested module that the test file uses without importing them. */
function visibleNames(names: DeclaredName[], own: DeclaredName[], source: string): string[] {
  const taken = new Set(own.map(({ name }) => name));
  const words = new Set(source.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
  return names
    .filter(({ name, isImport }) => !isImport && !taken.has(name) && words.has(name))
    .map(({ name }) => name);
}

/** Connects test file and tested module without moving a line of either. */
function createDecorator(parts: {
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

/** Lets tests mock modules: importers get a module whose content can be replaced. */
function mockPlugin(entry: string, source: string, mocks: Map<string, string>): Plugin {
  const wanted = new Set([...source.matchAll(MOCKED)].map((match) => match[2] ?? ''));
  return {
    name: 'assay-mocks',
    setup(build) {
      if (wanted.size === 0) return;
      const known = new Map<string, string>();
      const ask = { pluginData: OWN_RESOLVE };
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
          if (pluginData === OWN_RESOLVE || kind === 'entry-point' || namespace === 'assay-mock')
            return undefined;
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

/** The line of the first declaration of each name. */
function declarationLines(source: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of source.split('\n').entries()) {
    for (const [, name = ''] of line.matchAll(DECLARATION)) if (!lines.has(name)) lines.set(name, index + 1);
  }
  return lines;
}

const DECLARATION = /\b(?:function\s*\*?|const|let|var)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;
