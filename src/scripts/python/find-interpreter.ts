// Finds the Python that runs a user's file.

import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isFile } from '../../platform/file-stats.ts';
import { isInside } from '../../platform/paths.ts';

/** The environment variable of `--python`. */
const VARIABLE = 'ASSAY_PYTHON';
const NAMES = ['python3', 'python'];
const INSTALL = 'install Python 3.9 or later, or name its program with --python';

type Place = { root: string; cwd: string; env: Record<string, string | undefined> };

/**
 * The path of the interpreter for a file: the one of `--python`, of the active virtual environment, of a `.venv` in the file's folder
 * or above it up to the root, else `python3` or `python` in PATH. Throws ConfigError if there is none.
 */
export function findInterpreter(file: string, { root, cwd, env }: Place): string {
  const chosen = env[VARIABLE] ?? '';
  if (chosen !== '') return findChosen(chosen, cwd, env);

  const active = env['VIRTUAL_ENV'] ?? '';
  const folders = active === '' ? [] : [active];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    folders.push(join(folder, '.venv'));
    if (folder === root || !isInside(root, folder) || dirname(folder) === folder) break;
  }
  const local = folders.map((folder) => join(folder, 'bin/python')).find(isExecutable);
  const found = local ?? NAMES.map((name) => findInPath(name, env)).find((path) => path !== undefined);
  if (found !== undefined) return found;
  throw new ConfigError('no Python was found: neither a virtual environment, nor python3 or python in PATH', {
    hint: INSTALL,
  });
}

function findChosen(chosen: string, cwd: string, env: Place['env']): string {
  const at = '--python';
  if (!/[\\/]/.test(chosen)) {
    const found = findInPath(chosen, env);
    if (found !== undefined) return found;
    throw new ConfigError(`no program "${chosen}" in PATH`, { at, hint: INSTALL });
  }
  const path = resolve(cwd, chosen);
  if (isExecutable(path)) return path;
  const problem = isFile(path) ? 'is not executable' : 'does not exist';
  throw new ConfigError(`${path} ${problem}`, { at, hint: INSTALL });
}

function findInPath(name: string, env: Place['env']): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => resolve(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
