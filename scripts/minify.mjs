// Makes the files of the program small, which saves a twentieth of the start of a run. ASCII only, because V8 parses that faster.
// The library stays readable, and so does everything after `npx tsdown` alone.

import { transform } from 'esbuild';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIST = 'dist';
const LIBRARY = /^(?:config|index|node-test|vitest)\b/;

const files = readdirSync(DIST).filter((name) => /\.c?js$/.test(name) && !LIBRARY.test(name));
await Promise.all(
  files.map(async (name) => {
    const file = join(DIST, name);
    const { code } = await transform(readFileSync(file, 'utf8'), {
      charset: 'ascii',
      format: name.endsWith('.cjs') ? 'cjs' : 'esm',
      legalComments: 'none',
      minify: true,
      target: 'node20',
    });
    writeFileSync(file, code);
  }),
);
