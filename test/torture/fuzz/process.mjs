// Gives damaged inputs to the built program, many in one process. Tells its parent what it does and what is wrong.
// Arguments: folder, seed, first, last.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkEnd } from '../check.mjs';
import { CLI } from '../program.mjs';
import { randomFrom } from '../random.mjs';
import { readFiles } from './application.mjs';
import { makeInput } from './targets.mjs';

/** Longer output is not read by anybody; damaged files are small. */
const MAX_OUTPUT = 200_000;
const SLOW_MS = 8000;

const [folder, seed, first, last] = process.argv.slice(2);
const { main } = await import(join(dirname(CLI), 'main.js'));
const files = readFiles(folder);
process.chdir(folder);
const captured = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'])
  process[name].write = (chunk, encoding, done) => {
    captured[name] += String(chunk);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback !== undefined) process.nextTick(callback);
    return true;
  };
process.on('unhandledRejection', (error) => tell({ stray: String(error?.stack ?? error) }));
process.on('uncaughtException', (error) => tell({ stray: String(error?.stack ?? error) }));

for (let index = Number(first); index < Number(last); index += 1) {
  const input = makeInput(randomFrom(Number(seed) * 1_000_003 + index), files);
  process.send({ index, kind: input.kind, args: input.args });
  const problems = await give(input);
  for (const problem of problems) tell({ index, kind: input.kind, args: input.args, problem });
}
process.send({ isDone: true }, () => process.exit(0));

function tell(message) {
  process.send(message);
}

async function give({ file, bytes, args, hides }) {
  const before = file === undefined || !existsSync(file) ? undefined : readFileSync(file);
  if (file !== undefined) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(file, bytes);
  }
  if (hides !== undefined) renameSync(hides, `${hides}.hidden`);
  captured.stdout = captured.stderr = '';
  const began = performance.now();
  const code = await main(args, {
    version: '0.0.0',
    exit: () => {
      throw new Error('the program wants to exit');
    },
  }).catch((error) => `thrown: ${error?.stack ?? error}`);
  const ms = performance.now() - began;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  if (hides !== undefined) renameSync(`${hides}.hidden`, hides);
  if (before !== undefined) writeFileSync(file, before);
  else if (file !== undefined) rmSync(file, { force: true });
  const problems = checkEnd({ code, signal: null, isLate: ms > SLOW_MS, ms, ...captured }, [0, 1, 2, 3]);
  const length = captured.stderr.length + (code === 0 ? 0 : captured.stdout.length);
  if (length > MAX_OUTPUT) problems.push(`printed ${length} characters`);
  if (code === 2 && captured.stderr.trim() === '') problems.push('exit code 2 without a word');
  return problems;
}
