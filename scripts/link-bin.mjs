// Makes `npx assay` in a checkout run the program that was just built.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs';

if (process.platform !== 'win32') {
  mkdirSync('node_modules/.bin', { recursive: true });
  rmSync('node_modules/.bin/assay', { force: true });
  symlinkSync('../../dist/cli.js', 'node_modules/.bin/assay');
}
