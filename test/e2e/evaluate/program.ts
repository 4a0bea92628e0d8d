// Programs that import the built package.

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { write } from '../support/assay.ts';

const API = pathToFileURL(resolve('dist/index.js')).href;

/** Runs code that calls `print(value)` once, in a folder; gives that value and what went to stderr. */
export async function program(cwd: string, code: string): Promise<{ value: unknown; stderr: string }> {
  const head = `import { ConfigError, evaluate } from ${JSON.stringify(API)};
const print = (value) => process.stdout.write(JSON.stringify(value));
const failure = (error) => ({ isConfigError: error instanceof ConfigError, problems: error.problems, message: error.message });\n`;
  write(join(cwd, 'program.mjs'), head + code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.mjs'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  });
  return { value: JSON.parse(stdout), stderr };
}
