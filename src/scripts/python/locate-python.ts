// Finds a Python function by reference, and says what is wrong with it, without running anything.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isFile } from '../../platform/file-stats.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import { displayPath } from '../../platform/paths.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { PythonReference } from '../python-reference.ts';
import { mayDefine, topLevelFunctions } from './python-source.ts';

/** The file of a reference: relative to the first of the folders that has it. Throws ConfigError if none has it. */
export function locatePythonFile({ path }: PythonReference, folders: readonly string[], cwd: string): string {
  const candidates = [...new Set(folders.map((folder) => resolve(folder, path)))];
  const file = candidates.find(isFile);
  if (file !== undefined) return file;
  const tried = candidates.map((candidate) => displayPath(candidate, cwd)).join(', ');
  const hints = candidates.flatMap((candidate) => didYouMeanFile(candidate, cwd) ?? []);
  throw new ConfigError(`no such file: ${tried}`, hints[0] === undefined ? {} : { hint: hints[0] });
}

/** Throws ConfigError if the file cannot define the function; `write` is what to do in a file without functions. */
export function checkPythonFunction(
  file: string,
  name: string,
  { cwd, write }: { cwd: string; write: string },
): void {
  const source = readFileSync(file, 'utf8');
  if (mayDefine(source, name)) return;
  const known = topLevelFunctions(source);
  const has = known.length === 0 ? 'it has no functions' : `it has ${known.join(', ')}`;
  const [first] = known;
  const path = displayPath(file, cwd);
  const hint =
    first === undefined ? write : (didYouMean(name, known) ?? `name the function: ${path}:${first}`);
  throw new ConfigError(`has no function "${name}" (${has})`, { at: path, hint });
}
