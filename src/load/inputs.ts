// The values of `-i` in, files and messages out.

import { randomUUID } from 'node:crypto';
import { createWriteStream, readdirSync, realpathSync, statSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { editsBetween } from '../platform/nearest.ts';
import { didYouMeanFile } from '../platform/nearest-file.ts';
import { displayPath } from '../platform/paths.ts';
import { isRunLogFile } from './first-lines.ts';

/** Where cases come from. Standard input is kept in a file, because cases are read twice. */
export type InputSource =
  | { type: 'file'; path: string; stdin?: true }
  /** `note` tells a person why the value may have been meant otherwise. */
  | { type: 'message'; message: string; note?: string };

export type InputOptions = {
  cwd: string;
  readStdin: () => AsyncIterable<Uint8Array | string>;
  /** Gives the folder that standard input and pipes are kept in; asked for only when there are any. */
  stdinFolder: () => string;
};

type Found = InputSource[] | Problem;

const EXTENSIONS = /\.(?:csv|c?js|json|jsonc|jsonl|md|m[jt]s|ndjson|ts|txt|ya?ml)$/i;
const CASE_FILE = /\.(?:jsonl|ndjson)$/i;
const RUN_LOG = /^output-\d{14}.*\.jsonl$/;
const NOT_YET = /^(?:(?:scripts|skills)\.|(?:agents|scripts):)\S+$/;
const IGNORED = ['**/node_modules/**', '**/.assay/**'];

/** Decides for every value what it is. All problems are thrown at once; a file named twice is taken once. */
export async function resolveInputs(
  values: readonly string[],
  options: InputOptions,
): Promise<InputSource[]> {
  const sources: InputSource[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const value of values) {
    if (value === '-' && seen.has('-')) continue;
    if (value === '-') seen.add('-');
    const found = await resolveValue(value, options);
    if (!Array.isArray(found)) {
      problems.push(found);
      continue;
    }
    for (const source of found) {
      const real = source.type === 'file' ? realpathSync(source.path) : undefined;
      if (real !== undefined && seen.has(real)) continue;
      if (real !== undefined) seen.add(real);
      sources.push(source);
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  return sources;
}

async function resolveValue(value: string, options: InputOptions): Promise<Found> {
  if (value === '-') return [await spool(options.readStdin(), options.stdinFolder())];
  if (value.trim() === '') return problem('the input is empty', 'give a case file or a message');
  const file = path.resolve(options.cwd, value.replace(/^~(?=\/)/, homedir()));
  const stats = statOf(file);
  if (stats?.isDirectory()) return await folderInput(value, file);
  if (stats?.isFile()) return [{ type: 'file', path: file }];
  // A pipe, such as the shell's <(…), can be read only once.
  if (stats !== undefined) return [await spoolPipe(file, options.stdinFolder())];
  if (NOT_YET.test(value) && !CASE_FILE.test(value)) {
    const kind = /^\w+[.:]/.exec(value)?.[0] ?? '';
    return problem(
      `input "${value}": this kind of input (${kind}…) is not available yet`,
      'give a case file or a message',
    );
  }
  if (isPattern(value)) return await patternInput(value, options.cwd);
  if (looksLikePath(value, options.cwd)) return missingFile(value, file, options.cwd);
  const note = noteOn(value, options.cwd);
  return [{ type: 'message', message: value, ...(note !== undefined && { note }) }];
}

async function folderInput(value: string, folder: string): Promise<Found> {
  const files = await expand('**/*.jsonl', folder);
  if (files.length > 0) return files;
  return problem(`folder "${value}" has no case files (*.jsonl)`);
}

async function patternInput(value: string, cwd: string): Promise<Found> {
  const files = await expand(value, cwd);
  if (files.length > 0) return files;
  const isPath =
    looksLikePath(value, cwd) || (!/\s/.test(value) && value.includes('/') && value.includes('*'));
  if (isPath) return problem(`no file matches "${value}"`, `patterns start from ${cwd}`);
  return [{ type: 'message', message: value }];
}

async function expand(pattern: string, cwd: string): Promise<InputSource[]> {
  const { glob } = await import('tinyglobby');
  const files = await glob(pattern, { cwd, absolute: true, ignore: IGNORED, expandDirectories: false });
  // A pattern without extension means the case files among its matches.
  const wanted = EXTENSIONS.test(pattern) ? files : files.filter((file) => CASE_FILE.test(file));
  return wanted
    .filter((file) => !RUN_LOG.test(path.basename(file)) && !isRunLogFile(file))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((file) => ({ type: 'file', path: path.resolve(file) }));
}

/** White space makes a message, unless what it ends in could only be a file. */
function isPattern(value: string): boolean {
  return /[*?[\]{}]/.test(value) && (!/\s/.test(value) || CASE_FILE.test(value));
}

/** True for what nobody would write as a message: it has the form of a path, or begins with a folder that is there. */
function looksLikePath(value: string, cwd: string): boolean {
  if (/\s/.test(value)) return false;
  if (EXTENSIONS.test(value) || /^(?:\.\.?|~)\/|\/$/.test(value)) return true;
  const first = /^\/?[^/]+(?=\/)/.exec(value)?.[0];
  return first !== undefined && (statOf(path.resolve(cwd, first))?.isDirectory() ?? false);
}

/** A single word that is nearly the name of a file may be a message all the same. */
function noteOn(value: string, cwd: string): string | undefined {
  if (value.length < 5 || value.length > 255 || /[\s/]/.test(value)) return undefined;
  const [near] = (namesIn(cwd) ?? [])
    .filter((name) => !name.startsWith('.') && editsBetween(value, name) <= 2)
    .sort((a, b) => editsBetween(value, a) - editsBetween(value, b));
  if (near === undefined) return undefined;
  return `there is no file or folder "${value}" (did you mean "${near}"?), so it is sent as a message`;
}

function missingFile(value: string, file: string, cwd: string): Problem {
  const kind = EXTENSIONS.test(value) ? 'input file' : value.endsWith('/') ? 'folder' : 'file or folder';
  const message = `${kind} "${value}" does not exist`;
  const near = didYouMeanFile(file, cwd);
  if (near !== undefined) return problem(message, near);
  const folder = path.dirname(file);
  const names = namesIn(folder);
  if (names === undefined) return problem(message, `there is no folder ${displayPath(folder, cwd)}`);
  const others = names.filter((name) => CASE_FILE.test(name) && !RUN_LOG.test(name)).slice(0, 3);
  const shown = others.map((name) => displayPath(path.join(folder, name), cwd));
  if (shown.length > 0) return problem(message, `there is ${shown.join(', ')}`);
  return problem(message, 'a message has a space, or neither the form nor the ending of a path');
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined;
  }
}

async function spoolPipe(file: string, folder: string): Promise<InputSource> {
  const handle = await open(file, 'r');
  return await spool(handle.createReadStream(), folder);
}

async function spool(content: AsyncIterable<Uint8Array | string>, folder: string): Promise<InputSource> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `stdin-${randomUUID()}.jsonl`);
  await pipeline(Readable.from(content, { objectMode: true }), createWriteStream(file, { flags: 'wx' }));
  return { type: 'file', path: file, stdin: true };
}

function statOf(file: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(file);
  } catch {
    // A message can be too long for a path or hold characters that no path has.
    return undefined;
  }
}

function problem(message: string, hint?: string): Problem {
  return hint === undefined ? { message } : { message, hint };
}
