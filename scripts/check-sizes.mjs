// Fails on source files over 400 lines, which usually have a second subject.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LIMIT = 400;
const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '--', 'src', 'test', 'scripts', 'bench', 'web'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|js)$/.test(file));
const long = files
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > LIMIT);
for (const { file, lines } of long) console.error(`${file}: ${lines} lines, at most ${LIMIT} are allowed`);
process.exit(long.length > 0 ? 1 : 0);
