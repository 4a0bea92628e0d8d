// Copies two libraries into dist/ without their install scripts, which npm warns about in the project of every user. Both work
// without them: esbuild finds its program in an optional dependency, and SQLite comes with its binaries.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

copyEsbuild('node_modules/esbuild', 'dist/esbuild');
copySqlite('node_modules/@photostructure/sqlite', 'dist/sqlite');

function copyEsbuild(from, to) {
  const main = readFileSync(join(from, 'lib/main.js'), 'utf8');
  // The copy has no package of its name around it; it looks for its own folder only.
  const own = main.replaceAll('require.resolve("esbuild")', '__filename');
  if (own === main)
    throw new Error(`${from}/lib/main.js looks for itself in another way: adapt scripts/vendor.mjs`);
  write(join(to, 'lib/main.js'), own);
  cpSync(join(from, 'LICENSE.md'), join(to, 'LICENSE.md'));
  writePackage(from, to);
}

function copySqlite(from, to) {
  for (const name of ['LICENSE', 'prebuilds']) cpSync(join(from, name), join(to, name), { recursive: true });
  write(join(to, 'dist/index.cjs'), readFileSync(join(from, 'dist/index.cjs'), 'utf8'));
  writePackage(from, to);
}

/** Says what the folder is a copy of. The files are CommonJS, the package around them is not. */
function writePackage(from, to) {
  const { name, version, license } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const facts = { name, version, license, private: true, type: 'commonjs' };
  write(join(to, 'package.json'), `${JSON.stringify(facts, null, 2)}\n`);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
