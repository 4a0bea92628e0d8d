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
  /src\/(coverage\/.*|tapes\/.*|commands\/(coverage|watch|record-log|dry-run|report|reporter|generated-inputs|run-hooks|taping|tapes.*)|execute\/(errands|errand-process|after-hook)|load\/generate|report\/(html.*|packets|page|light-event|script-html.*|json|jsonl|markdown.*|junit.*|summary|write-report|overview|chunks)|agents\/(a2a\/.*|command|frameworks\/.*|http.*|module|event-stream)|platform\/(bundle-build|script-build|declared-names))\.ts$/;
const SKILLS = /src\/(commands\/skills.*|load\/skill-.*|skills\/(?!last-results).*)\.ts$/;
const HISTORY = /node_modules\/kysely\/|src\/(store\/.*|commands\/(history|compare|application-store))\.ts$/;
const VIEW = /src\/(server\/.*|commands\/view.*|definitions\/(edit-variables|remove-property))\.ts$/;
/** Loads a library that only few need. */
const POSTGRES = /src\/store\/postgres\.ts$/;
const DEFINITIONS =
  /src\/(definitions\/.*|variables\/(?!substitute).*|commands\/(list|validate|application-definitions|check-runs|chosen-tests|combinations|definition-.*|given-to-inputs))\.ts$/;
const COMPLETION = /src\/commands\/(complete|complete-.*|completion|completion-scripts)\.ts$/;
const MODEL = /src\/(agents\/(assistant\/(?!calls-model)|tools\/)|connectors\/)/;
const RUN = /src\/(?!cli|index)|fastest-levenshtein/;

/** What every file of script tests needs; judges, coverage and files with a process of their own load more. */
const SCRIPT_CORE =
  /src\/(errors|model\/|testing\/|judge\/diff|execute\/(capture|intrinsics|protocol|scripts\/(?!script-worker|import-alone|judge))|agents\/(user-context|globals\/(exception|http|log))|platform\/(bounded-text|duration|is-object|json-path|memoize|nearest|paths|plain-path|race|regex|traffic|url-credentials)\.ts)|fastest-levenshtein/;

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
    entry: { worker: 'src/execute/worker.ts' },
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'worker-[name].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'build', test: /src\/platform\/bundle-build\.ts$/, priority: 4 },
          { name: 'tapes', test: /src\/tapes\//, priority: 4 },
          { name: 'a2a', test: /src\/agents\/a2a\//, priority: 3 },
          { name: 'http', test: /src\/agents\/(http.*|event-stream)\.ts$/, priority: 3 },
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
          { name: 'core', test: /src\/(?!execute\/worker\.ts)|fastest-levenshtein/, priority: 1 },
        ],
      },
    },
  },
  {
    ...common,
    entry: { 'script-worker': 'src/execute/scripts/script-worker.ts' },
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
    entry: { 'record-process': 'src/commands/record-process.ts' },
    dts: false,
    clean: false,
    outputOptions: {
      chunkFileNames: 'record-process-[name].js',
      comments: COMMENTS,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'postgres', test: POSTGRES, priority: 2 },
          { name: 'core', test: /src\/(?!commands\/record-process)|node_modules\/kysely\//, priority: 1 },
        ],
      },
    },
  },
  // One file without chunks: every process of a skill's tests loads it.
  { ...common, entry: { 'skill-runner': 'src/skills/runner.ts' }, dts: false, clean: false },
]);
