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
  deps: { alwaysBundle: ['ansis', 'commander', 'fastest-levenshtein', 'kysely', 'uuid'] },
  inputOptions: {
    preserveEntrySignatures: 'allow-extension',
    checks: CHECKS,
  },
};

// Every file costs a millisecond or two to load, so what each part of a run needs lies in one of them.
const START =
  /src\/(errors|model\/(outcome|context)|platform\/process-group|execute\/(early-worker|intrinsics|waiting-record|worker-process|protocol))\.ts$/;
const RARE =
  /src\/(kinds\/script\/coverage\/.*|tapes\/.*|cli\/(report|tapes.*)|run\/(dry-run|hooks|watch)|run\/outputs\/(coverage|reporter-agent|tape-session)|run\/inputs\/(generate|generated-inputs)|history\/record-log|execute\/(side-calls|side-call-process)|kinds\/agent\/after-hook|report\/(formats\/(?!chunks|jsonl).*|fold\/(light-event|overview))|agents\/(a2a\/.*|command|frameworks\/.*|http\/.*|module)|compile\/build\/.*)\.ts$/;
const SKILLS = /src\/(cli\/skills\/|kinds\/skill\/(?!kind\.|last-results|pool))/;
const HISTORY =
  /node_modules\/kysely\/|src\/(history\/(store\/.*|application-store)|cli\/(history|compare))\.ts$/;
const VIEW = /src\/(viewer\/.*|cli\/view)\.ts$/;
/** Loads a library that only few need. */
const POSTGRES = /src\/history\/store\/postgres\.ts$/;
const DEFINITIONS =
  /src\/(definitions\/.*|variables\/(?!substitute|variables-key).*|cli\/(list|validate|check-runs)|run\/inputs\/(application-definitions|select-definitions|combinations|definition-.*|assign-variables))\.ts$/;
const COMPLETION = /src\/cli\/completion\//;
const MODEL = /src\/(agents\/(assistant\/|tools\/)|connectors\/)/;
const RUN = /src\/(?!cli\.ts|index\.ts)|fastest-levenshtein/;

/** What every file of script tests needs; judges, coverage and files with a process of their own load more. */
const SCRIPT_CORE =
  /src\/(errors|model\/|kinds\/script\/testing\/|judge\/diff|execute\/(worker\/capture|intrinsics|protocol)|kinds\/script\/worker\/(?!script-worker|import-in-process|judge)|scripts\/(user-context|globals\/(exception|http|log))|text\/(bounded-text|cut-text|duration|nearest)|json\/(is-object|json-path|plain-path)|platform\/(memoize|paths|race|regex|replace-file|tape-scope)|secrets\/basic-auth)|fastest-levenshtein/;

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
          { name: 'model', test: MODEL, priority: 2 },
          { name: 'rare', test: RARE, priority: 2 },
          { name: 'skills', test: SKILLS, priority: 2 },
          { name: 'postgres', test: POSTGRES, priority: 3 },
          { name: 'history', test: HISTORY, priority: 2 },
          { name: 'view', test: VIEW, priority: 3 },
          { name: 'definitions', test: DEFINITIONS, priority: 2 },
          { name: 'completion', test: COMPLETION, priority: 2 },
          { name: 'run', test: RUN, priority: 1 },
        ],
      },
    },
  },
  {
    ...common,
    entry: { index: 'src/index.ts' },
    dts: { resolver: 'oxc' },
    clean: false,
    // Or its chunks would take the place of those of the program.
    outputOptions: { chunkFileNames: 'index-[name].js' },
    // Nothing but the public API.
    inputOptions: { preserveEntrySignatures: 'strict', checks: CHECKS },
  },
  {
    ...common,
    entry: { worker: 'src/kinds/agent/worker/worker.ts' },
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'worker-[name].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'build', test: /src\/compile\/build\//, priority: 4 },
          { name: 'tapes', test: /src\/tapes\//, priority: 4 },
          { name: 'a2a', test: /src\/agents\/a2a\//, priority: 3 },
          { name: 'http', test: /src\/agents\/http\//, priority: 3 },
          {
            name: 'command',
            test: /src\/(agents\/command|platform\/process-group)\.ts$/,
            priority: 3,
          },
          { name: 'frameworks', test: /src\/agents\/frameworks\//, priority: 3 },
          {
            name: 'model',
            test: /src\/(connectors\/|agents\/(assistant\/|tools\/|directory|resolve|find-agent|package-|built-in-judge))/,
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
    entry: { 'script-worker': 'src/kinds/script/worker/script-worker.ts' },
    // CommonJS and small: a process with it starts a tenth sooner.
    format: 'cjs',
    outExtensions: () => ({ js: '.cjs' }),
    // Without compression, which joins a "\0" and the digit behind it.
    minify: { compress: false, mangle: true, codegen: true },
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'script-worker-[name].cjs',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: 'core', test: SCRIPT_CORE }],
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
          { name: 'core', test: /src\/(?!history\/record-process)|node_modules\/kysely\//, priority: 1 },
        ],
      },
    },
  },
  // One file without chunks: every process of a skill's tests loads it.
  { ...common, entry: { 'skill-runner': 'src/kinds/skill/process/runner.ts' }, dts: false, clean: false },
]);
