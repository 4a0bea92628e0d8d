import type { UserConfig } from 'tsdown';
import { defineConfig } from 'tsdown';

/** A library's documentation takes time to load, too. */
const COMMENTS = { jsdoc: false };
const CHECKS = { pluginTimings: false, ineffectiveDynamicImport: false };

const common: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  hash: false,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  deps: {
    alwaysBundle: ['ansis', 'commander', 'fastest-levenshtein', 'kysely', 'uuid'],
    // scripts/vendor.mjs copies them.
    neverBundle: ['@photostructure/sqlite', 'esbuild'],
  },
  inputOptions: {
    preserveEntrySignatures: 'allow-extension',
    checks: CHECKS,
  },
};

// Every file costs a millisecond or two to load, so each folder, or group of folders, that is needed at once is one file.
// A folder that only some runs need is loaded with `import()` and has a file of its own.

/** Loaded before anything else, to start the first worker. */
const START = /src\/(errors\.ts|execute\/process\/|model\/|platform\/processes\/)/;
const MODEL = /src\/(agents\/(assistant|tools)\/|connectors\/)/;
const PYTHON = /src\/(agents|scripts)\/python\//;
const DEFINITIONS = /src\/(definitions\/|run\/definitions\/|variables\/(?!substitute|variables-key))/;
const HISTORY = /node_modules\/kysely\/|src\/history\/store\//;
/** Loads a library that only some users need. */
const POSTGRES = /src\/history\/store\/postgres\//;
const DECIDING =
  /src\/(plan\/gates\/|stats\/(confirm|gates|ratios|score-difference)\.|compare\/(?!words|side\.)|report\/comparison\/|run\/against\/|history\/(baseline|complete-runs|read-side|read-history)\.)/;
/** The words of all languages, for the assertion that needs them. */
const LANGUAGE = /src\/judge\/language\/(detect|words)\./;
/** Everything that a run needs. Each verb of `cli/verbs` becomes a file with what only it needs. */
const RUN =
  /src\/(?!cli\.ts|index\.ts|(evaluate|runners)\/|kinds\/agent\/local-worker|cli\/(verbs|skills|usage)\/)|node_modules\/(fastest-levenshtein|uuid)\//;

/** What judges script tests, in a realm of its own: few files of many folders, so this is a list. */
const SCRIPT_CORE =
  /src\/(errors|model\/|kinds\/script\/testing\/(?!mock\/|test-run|testing-t)|judge\/diff|execute\/(worker\/capture|process\/(intrinsics|protocol|signature))|kinds\/script\/worker\/(async-count|foreign-values|source-locations)|text\/|json\/(is-object|json-path|plain-path)|platform\/(file-state|memoize|paths|race|regex|replace-file))|node_modules\/(fastest-levenshtein|uuid)\//;
/** What makes the things that every script test gets, in the realm of the process. Judges, coverage and isolated files load more. */
const SCRIPT_GIVEN =
  /src\/(compile\/code-cache|kinds\/script\/(testing\/mock\/|worker\/(builtins|load-script|mockable|realm|shared-objects|timers))|scripts\/(user-context|context\/|globals\/(exception|http|log))|platform\/tape-scope|secrets\/(basic-auth|learned)|json\/parse-json)/;

/** Everything but the entry, which waits for messages before its module is ready. */
const RECORD_CORE = /src\/(?!history\/record-process)|node_modules\/(fastest-levenshtein|kysely)\//;

export default defineConfig([
  {
    ...common,
    entry: { cli: 'src/cli.ts' },
    dts: false,
    clean: true,
    outputOptions: {
      comments: COMMENTS,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'start', test: START, priority: 3 },
          { name: 'postgres', test: POSTGRES, priority: 3 },
          { name: 'build', test: /src\/compile\/build\//, priority: 2 },
          // Files of cases that are no JSON Lines.
          {
            name: 'case-formats',
            test: /src\/(kinds\/agent\/cases\/formats\/|json\/json-list|text\/csv)/,
            priority: 2,
          },
          { name: 'completion', test: /src\/cli\/completion\//, priority: 2 },
          { name: 'convert', test: /src\/convert\//, priority: 2 },
          { name: 'coverage', test: /src\/kinds\/script\/coverage\//, priority: 2 },
          { name: 'deciding', test: DECIDING, priority: 2 },
          { name: 'definitions', test: DEFINITIONS, priority: 2 },
          { name: 'forecast', test: /src\/(run\/forecast\/|stats\/planning)/, priority: 2 },
          // The kinds of tests have their own JSON, which needs the counts.
          { name: 'formats', test: /src\/report\/formats\/(?!json-counts)/, priority: 2 },
          { name: 'grade', test: /src\/grade\//, priority: 2 },
          { name: 'history', test: HISTORY, priority: 2 },
          { name: 'init', test: /src\/init\//, priority: 2 },
          { name: 'language', test: LANGUAGE, priority: 2 },
          { name: 'model', test: MODEL, priority: 2 },
          { name: 'python', test: PYTHON, priority: 2 },
          { name: 'optional', test: /src\/(run\/optional|quarantine)\//, priority: 2 },
          { name: 'tapes', test: /src\/tapes\//, priority: 2 },
          {
            name: 'user-code',
            test: /src\/judge\/(user-code\/|presets\/(preset-question|prompts))/,
            priority: 2,
          },
          { name: 'view', test: /src\/viewer\//, priority: 2 },
          { name: 'watch', test: /src\/(run\/watch\/|kinds\/agent\/expected-value)/, priority: 2 },
          { name: 'run', test: RUN, priority: 1 },
        ],
      },
    },
  },
  {
    ...common,
    entry: {
      config: 'src/config.ts',
      index: 'src/index.ts',
      'node-test': 'src/runners/node-test.ts',
      vitest: 'src/runners/vitest.ts',
    },
    dts: { resolver: 'oxc' },
    clean: false,
    // Or its chunks would take the place of those of the program.
    outputOptions: { chunkFileNames: 'index-[name].js', comments: COMMENTS },
    // Nothing but the public API.
    inputOptions: { preserveEntrySignatures: 'strict', checks: CHECKS },
  },
  {
    ...common,
    entry: { worker: 'src/kinds/agent/worker/worker.ts' },
    copy: 'src/scripts/python/python-runner.py',
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'worker-[name].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'build', test: /src\/compile\/build\//, priority: 4 },
          { name: 'tapes', test: /src\/tapes\//, priority: 4 },
          { name: 'language', test: LANGUAGE, priority: 3 },
          { name: 'a2a', test: /src\/agents\/a2a\//, priority: 3 },
          {
            name: 'http',
            test: /src\/agents\/http\/(?!http-(?:events|stream)\.|message-forms\.)/,
            priority: 3,
          },
          {
            name: 'user-code',
            test: /src\/judge\/(user-code\/|presets\/(preset-question|prompts))/,
            priority: 3,
          },
          {
            name: 'command',
            // The debugger is looked for before anything else is loaded.
            test: /src\/(agents\/command\/|platform\/processes\/(?!debugger))/,
            priority: 3,
          },
          { name: 'evaluate', test: /src\/scripts\/expressions\/evaluate/, priority: 3 },
          { name: 'python', test: PYTHON, priority: 3 },
          { name: 'frameworks', test: /src\/agents\/frameworks\//, priority: 3 },
          { name: 'returned', test: /src\/agents\/returned\//, priority: 3 },
          {
            name: 'streams',
            test: /src\/agents\/(streams\/|http\/(http-events|http-stream|message-forms)\.)/,
            priority: 3,
          },
          // Only a process that judges needs it.
          { name: 'judge', test: /src\/judge\//, priority: 2 },
          {
            name: 'model',
            test: /src\/(connectors\/|agents\/(assistant|resolve|tools)\/)/,
            priority: 2,
          },
          {
            name: 'core',
            test: /src\/(?!kinds\/agent\/worker\/worker\.ts)|fastest-levenshtein/,
            priority: 1,
          },
        ],
      },
    },
  },
  {
    ...common,
    entry: { 'context-thread': 'src/agents/context-thread/context-thread.ts' },
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'context-thread-[name].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'build', test: /src\/compile\/build\//, priority: 3 },
          {
            name: 'other',
            test: /src\/(agents\/(a2a|http|command|frameworks|python|returned|streams)|scripts\/python)\//,
            priority: 2,
          },
          {
            name: 'core',
            test: /src\/(?!agents\/context-thread\/context-thread\.ts)|fastest-levenshtein/,
            priority: 1,
          },
        ],
      },
    },
  },
  {
    ...common,
    entry: {
      'script-worker': 'src/kinds/script/worker/start-worker.ts',
      'script-worker-main': 'src/kinds/script/worker/script-worker.ts',
    },
    // CommonJS and small: a process with it starts a tenth sooner.
    format: 'cjs',
    outExtensions: () => ({ js: '.cjs' }),
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'script-worker-[name].cjs',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'core', test: SCRIPT_CORE },
          { name: 'given', test: SCRIPT_GIVEN },
        ],
      },
    },
  },
  {
    ...common,
    entry: { 'record-process': 'src/history/record-process.ts' },
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'record-process-[name].js',
      comments: COMMENTS,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'postgres', test: POSTGRES, priority: 2 },
          { name: 'core', test: RECORD_CORE, priority: 1 },
        ],
      },
    },
  },
  // One file without chunks: every process of a skill's tests loads it.
  { ...common, entry: { 'skill-runner': 'src/kinds/skill/process/runner.ts' }, dts: false, clean: false },
]);
