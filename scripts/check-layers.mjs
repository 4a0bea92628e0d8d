// Who may import whom: fails on the first folder that reaches upstream.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const EVERYONE = ['errors.ts', 'platform'];
const ALLOWED = {
  model: [],
  'errors.ts': ['model'],
  platform: ['errors.ts'],
  stats: ['model'],
  config: ['model'],
  plan: ['model'],
  store: ['model', 'stats'],
  connectors: ['model'],
  coverage: ['model'],
  tapes: ['model'],
  skills: ['model'],
  variables: ['model'],
  definitions: ['model', 'variables'],
  agents: ['model', 'connectors'],
  report: ['model', 'stats'],
  judge: ['model', 'agents'],
  testing: ['model', 'judge', 'agents'],
  kinds: ['model', 'agents', 'connectors', 'judge'],
  load: ['model', 'kinds', 'agents', 'connectors', 'judge', 'skills', 'variables'],
  execute: ['model', 'agents', 'kinds', 'judge', 'testing', 'coverage', 'skills', 'tapes'],
  'pipeline.ts': ['model', 'load', 'plan', 'execute'],
  server: ['model', 'store', 'stats', 'report', 'pipeline.ts'],
  'test-engine.ts': ['model'],
  'index.ts': 'anything',
  commands: 'anything',
  'cli.ts': 'anything',
  /** The pages; what they import must also be there without Node. */
  web: ['model', 'stats', 'variables', 'definitions', 'report', 'store'],
};

const root = resolve('src');
const problems = [];
const entries = [root, resolve('web')].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }),
);
for (const entry of entries) {
  if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.name.endsWith('.test.ts')) continue;
  const file = join(entry.parentPath ?? entry.path, entry.name);
  const from = layerOf(file);
  const allowed = ALLOWED[from];
  if (allowed === undefined)
    problems.push(`${relative('.', file)}: folder "${from}" has no rule in scripts/check-layers.mjs`);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const to = layerOf(resolve(dirname(file), target));
    if (to === 'cli.ts') problems.push(`${relative('.', file)}: nothing imports cli.ts`);
    const isFine =
      to === from ||
      allowed === 'anything' ||
      allowed?.includes(to) ||
      (from !== 'model' && EVERYONE.includes(to));
    if (!isFine && !to.startsWith('..'))
      problems.push(`${relative('.', file)}: ${from} may not import ${to} (${target})`);
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function layerOf(file) {
  const place = relative(root, file);
  return place.startsWith('../web/') ? 'web' : place.split('/')[0];
}
