// References to files: `file://prompts/*.txt`, `file://checks.js:isShort`.

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import { ConfigError } from '../../errors.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import { readTextFile } from '../../json/text-file.ts';

/** Where the configuration is, and the folder that paths in messages start from. */
export type Folders = { base: string; cwd: string };

export type FileReference = { path: string; function?: string };

const CODE = /^(.*\.(?:[cm]?[jt]sx?|py|rb|go))(?::([\w.]+))?$/;

/** The file and the function that `file://path.js:name` names; undefined for other texts. */
export function fileReference(text: unknown, { base }: Folders): FileReference | undefined {
  if (typeof text !== 'string' || !text.startsWith('file://')) return undefined;
  const path = text.slice('file://'.length);
  const [, file = path, name] = CODE.exec(path) ?? [];
  return { path: resolve(base, file), ...(name !== undefined && { function: name }) };
}

export function isCode(path: string): boolean {
  return CODE.test(path);
}

/** The files that a path with or without wildcards names, in order. */
export async function matchingFiles(path: string, at: string, { cwd }: Folders): Promise<string[]> {
  if (existsSync(path)) return [path];
  const shown = relative(cwd, path);
  if (!/[*?[{]/.test(path))
    throw new ConfigError(`no such file: ${shown}`, { at, hint: didYouMeanFile(path, cwd) });
  const found = await glob(path.replaceAll('\\', '/'), { absolute: true, expandDirectories: false });
  if (found.length === 0) throw new ConfigError(`no file matches ${shown}`, { at });
  return found.sort();
}

/** The text of a file that the configuration names at `at`. */
export async function readNamedFile(path: string, at: string, folders: Folders): Promise<string> {
  const [file = path] = await matchingFiles(path, at, folders);
  return readTextFile(file, relative(folders.cwd, file));
}

/** A path from a folder to a file, as modules name it. */
export function pathFrom(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
