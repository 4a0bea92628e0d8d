// Checks imports between folders. Fails on an import that the table does not allow, on a cycle between files, and on `node:` in
// files that the web app uses.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Every folder below may import these. */
const EVERYONE = ['errors.ts', 'platform', 'text'];

/** Other folders that each folder may import; a folder that is missing here is an error. */
const ALLOWED = {
  // words and arithmetic
  model: [],
  'errors.ts': ['model'],
  text: [],
  stats: ['model'],
  // what everything else stands on
  platform: [],
  json: ['secrets'],
  secrets: ['json'],
  compile: ['json'],
  log: ['model', 'json', 'schema'],
  schema: ['json'],
  // what a run is made of
  variables: ['model', 'secrets'],
  definitions: ['model', 'json', 'variables', 'schema'],
  plan: ['model', 'stats'],
  quarantine: ['model', 'stats', 'json', 'schema'],
  tapes: ['model', 'json', 'secrets', 'variables', 'schema'],
  connectors: ['model', 'json', 'compile', 'schema'],
  scripts: ['model', 'json', 'secrets', 'compile'],
  agents: ['model', 'json', 'secrets', 'compile', 'connectors', 'scripts', 'schema'],
  judge: ['model', 'json', 'agents', 'scripts', 'schema'],
  execute: ['model', 'json', 'agents', 'tapes'],
  kinds: [
    'model',
    'json',
    'schema',
    'secrets',
    'compile',
    'log',
    'variables',
    'tapes',
    'connectors',
    'scripts',
    'agents',
    'judge',
    'execute',
  ],
  compare: ['model', 'stats', 'json', 'secrets'],
  report: ['model', 'stats', 'json', 'variables', 'compare'],
  // one run, and what becomes of it
  application: ['model', 'json', 'execute'],
  history: ['model', 'stats', 'json', 'secrets', 'log', 'variables', 'compare', 'application'],
  run: [
    'model',
    'stats',
    'json',
    'schema',
    'secrets',
    'compile',
    'log',
    'variables',
    'definitions',
    'plan',
    'quarantine',
    'compare',
    'tapes',
    'connectors',
    'scripts',
    'agents',
    'execute',
    'kinds',
    'report',
    'application',
    'history',
  ],
  init: ['model', 'json', 'scripts', 'agents', 'application', 'run'],
  grade: [
    'model',
    'json',
    'log',
    'variables',
    'plan',
    'tapes',
    'agents',
    'execute',
    'kinds',
    'application',
    'run',
  ],
  viewer: [
    'model',
    'json',
    'schema',
    'secrets',
    'variables',
    'definitions',
    'quarantine',
    'compare',
    'report',
    'history',
    'run',
  ],
  /** The configurations of other tools: nothing but the verb `convert` loads it. */
  convert: ['model', 'json', 'scripts', 'judge'],
  // what users call
  runners: ['model', 'json', 'judge', 'report', 'evaluate'],
  evaluate: ['model', 'json', 'application', 'agents', 'execute', 'kinds', 'report', 'run', 'scripts'],
  cli: [
    'convert',
    'model',
    'json',
    'secrets',
    'log',
    'variables',
    'definitions',
    'quarantine',
    'tapes',
    'connectors',
    'agents',
    'execute',
    'kinds',
    'compare',
    'report',
    'application',
    'history',
    'init',
    'run',
    'grade',
    'viewer',
    'evaluate',
  ],
  'cli.ts': 'anything',
  'config.ts': ['application'],
  'index.ts': 'anything',
  /** The pages; what they import must also be there without Node. */
  web: ['model', 'stats', 'json', 'secrets', 'variables', 'definitions', 'compare', 'report', 'history'],
};

/** The web app uses these, so they hold nothing of Node. */
const WITHOUT_NODE = ['compare', 'model', 'report/fold', 'report/kinds', 'schema', 'stats', 'text'];

/** The files that processes start with: only they may end a process. */
const ENTRY_POINTS = [
  'cli.ts',
  'history/record-process.ts',
  'kinds/agent/worker/worker.ts',
  'kinds/script/worker/script-worker.ts',
  'kinds/skill/process/runner.ts',
];

const root = resolve('src');
const problems = [];
/** Files and the files they load; types are gone by then. */
const graph = new Map();

for (const file of sourceFiles()) {
  const from = layerOf(file);
  const allowed = ALLOWED[from];
  const name = relative('.', file);
  if (allowed === undefined)
    problems.push(`${name}: folder "${from}" has no rule in scripts/check-layers.mjs`);
  const text = readFileSync(file, 'utf8');
  if (
    /process\.exit(?:\(|\.bind)/.test(text.replaceAll(/`[^`]*`|\/\/.*/g, '')) &&
    !ENTRY_POINTS.includes(relative(root, file))
  )
    problems.push(`${name}: only entry points call process.exit`);
  const loads = [];
  for (const [statement, target] of text.matchAll(/(?:import type[^;]*?from|from|import\()\s*'([^']+)'/g)) {
    if (target.startsWith('node:') && WITHOUT_NODE.some((folder) => isInside(file, folder)))
      problems.push(`${name}: the web app uses this folder, so it cannot import ${target}`);
    if (!target.startsWith('.')) continue;
    const path = resolve(dirname(file), target);
    if (!statement.startsWith('import type')) loads.push(path);
    const to = layerOf(path);
    if (to === 'cli.ts') problems.push(`${name}: nothing imports cli.ts`);
    if (!to.startsWith('..') && !mayImport(from, to, allowed))
      problems.push(`${name}: ${from} may not import ${to} (${target})`);
  }
  graph.set(file, loads);
}
problems.push(...cycles(graph));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function sourceFiles() {
  return [root, resolve('web')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(?:test|fixture)\.ts$/.test(entry.name),
      )
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
}

function layerOf(file) {
  const place = relative(root, file);
  return place.startsWith('../web/') ? 'web' : place.split('/')[0];
}

function isInside(file, folder) {
  return relative(root, file).startsWith(`${folder}/`);
}

function mayImport(from, to, allowed) {
  if (to === from || allowed === 'anything' || allowed?.includes(to)) return true;
  return from !== 'model' && EVERYONE.includes(to);
}

/** One line for each file that loads itself by way of others. */
function cycles(files) {
  const found = [];
  const state = new Map();
  const path = [];
  function visit(file) {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      const cycle = [...path.slice(path.indexOf(file)), file];
      found.push(`cycle: ${cycle.map((step) => relative('.', step)).join(' → ')}`);
      return;
    }
    state.set(file, 'open');
    path.push(file);
    for (const next of files.get(file) ?? []) visit(next);
    path.pop();
    state.set(file, 'done');
  }
  for (const file of files.keys()) visit(file);
  return found;
}
