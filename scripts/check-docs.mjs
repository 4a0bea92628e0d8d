// Source files that the docs for contributors name must exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

const pages = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/processes.md',
  'docs/security.md',
  ...readdirSync('docs/internals').map((name) => `docs/internals/${name}`),
];
const sources = ['src', 'web'].flatMap((folder) =>
  readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`),
);

const missing = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs))`/g)]
    .map(([, path]) => path)
    .filter((path) => !existsSync(path) && !sources.some((source) => source.endsWith(`/${path}`)))
    .map((path) => `${page}: there is no file ${path}`),
);
for (const problem of missing) console.error(problem);
process.exit(missing.length > 0 ? 1 : 0);
