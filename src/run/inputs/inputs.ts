// The values of `-i` in, files and messages out.

import { randomUUID } from 'node:crypto';
import { createWriteStream, readdirSync, realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Problem } from '../../errors.ts';
import { ConfigError, messageOf } from '../../errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { editsBetween } from '../../text/nearest.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import { displayPath } from '../../platform/paths.ts';
import { quote } from '../../text/quote.ts';
import { statsOf } from '../../platform/file-stats.ts';
import { hasRunLogName, isRunLogFile } from '../../log/is-run-log.ts';
import type { Kind, TestPattern } from '../../kinds/kind.ts';
import { isCaseModule } from '../../kinds/agent/source.ts';
import type { InputSource } from '../../kinds/registry.ts';
import { KINDS } from '../../kinds/registry.ts';
import { programName } from '../../platform/how-started.ts';

/** An agent, a script or a module that makes cases. */
export type CaseGenerator = {
  type: 'generator';
  /** As it was typed; names the test that the cases belong to. */
  value: string;
  /** The module with the cases, if it is one. */
  file?: string;
  /** `agents:workers.gen` or `scripts:tests.gen.Cases`. */
  reference: string;
  params: Record<string, unknown>;
};

export type InputOptions = {
  cwd: string;
  readStdin: () => AsyncIterable<Uint8Array | string>;
  /** Gives the folder that standard input and pipes are kept in; asked for only when there are any. */
  stdinFolder: () => string;
  /** Told what a pattern leaves out. */
  warn?: ((text: string) => void) | undefined;
  kinds?: readonly Kind[];
};

/** The meaning of a value of `-i`, before names are resolved. */
export type Named = InputSource | CaseGenerator | TestPattern;

type Found = Named[] | Problem;

const EXTENSIONS = /\.(?:csv|[cm]?[jt]s|json|jsonc|jsonl|md|ndjson|parquet|py|tsv|txt|ya?ml)$/i;
/** Definitions of tests, suites and types. */
const DEFINITION = /\.(?<what>test|suite|type)\.(?:json|ya?ml)$/i;
const CASE_FILE = /\.(?:jsonl|ndjson)$/i;
/** Files whose content is cases and nothing else. */
const DATA_FILE = /\.(?:csv|json|jsonl|ndjson|parquet|tsv|ya?ml)$/i;
/** Code in a language that tests cannot be written in. */
const OTHER_CODE = /\.(?:c[jt]s|[jt]sx|go|py)$/;
const GENERATOR = /^(?<reference>(?:agents|scripts):[^\s?]+)(?:\?(?<query>.*))?$/s;
/** As files are named, but not functions: `Jsonl` may well be one. */
const LIKE_A_FILE = /\.(?:jsonl|ndjson)$/;
const IGNORED = ['**/node_modules/**', '**/.assay/**'];

/** Decides for every value what it is. All problems are thrown at once; a file named twice is taken once. */
export async function resolveInputs(values: readonly string[], options: InputOptions): Promise<Named[]> {
  const sources: Named[] = [];
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
      const identity = identityOf(source);
      if (identity !== undefined && seen.has(identity)) continue;
      if (identity !== undefined) seen.add(identity);
      sources.push(source);
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  return sources;
}

/** Identifies an input, so that it is taken once; a message may be sent twice. */
function identityOf(source: Named): string | undefined {
  if (source.type === 'file') return realpathSync(source.path);
  if (source.type === 'pattern' && source.path !== undefined) return source.path;
  return 'value' in source ? source.value : undefined;
}

async function resolveValue(value: string, options: InputOptions): Promise<Found> {
  if (value === '-') return [await spool(options.readStdin(), options.stdinFolder())];
  if (value.trim() === '') return problem('the input is empty', 'give a case file or a message');
  const { kinds = KINDS } = options;
  const file = path.resolve(options.cwd, value.replace(/^~(?=\/)/, homedir()));
  const stats = statsOf(file);
  if (stats?.isDirectory()) return await folderInput(value, file, kinds);
  const ofTests = recognised(value, 'file', kinds);
  if (stats?.isFile()) return fileInput(value, file, { cwd: options.cwd, kinds });
  if (stats !== undefined && ofTests !== undefined) return problem(`"${value}" is not a file`);
  // A device such as /dev/zero may never end.
  if (stats?.isCharacterDevice() || stats?.isBlockDevice())
    return problem(`"${value}" is a device, not a case file`, 'for standard input, use "-"');
  // A pipe, such as the shell's <(…), can be read only once.
  if (stats !== undefined) return [await spoolPipe(file, options.stdinFolder())];
  const generator = generatorOf(value);
  if (generator !== undefined) return [generator];
  const named = CASE_FILE.test(value) ? undefined : recognised(value, 'name', kinds);
  if (named !== undefined) return [{ type: 'pattern', kind: named.id, value }];
  if (isPattern(value)) return await patternInput(value, options);
  if (looksLikePath(value, options.cwd)) return missingFile(value, file, { cwd: options.cwd, kind: ofTests });
  const note = noteOn(value, options.cwd);
  return [{ type: 'message', message: value, ...(note !== undefined && { note }) }];
}

/** A file of cases, of tests of another kind, or a module that makes cases. */
function fileInput(
  value: string,
  file: string,
  { cwd, kinds }: { cwd: string; kinds: readonly Kind[] },
): Found {
  const kind = recognised(value, 'file', kinds);
  const definition = DEFINITION.exec(file)?.groups?.['what']?.toLowerCase();
  if (definition !== undefined) return definitionProblem(value, definition);
  if (kind !== undefined) return [{ type: 'pattern', kind: kind.id, value, path: file }];
  if (recognised(file.replace(OTHER_CODE, '.ts'), 'file', kinds) !== undefined)
    return problem(`${quote(value)} is no test file`, 'test files end in .ts, .mts, .js or .mjs');
  return [isCaseModule(file) ? moduleInput(file, cwd) : { type: 'file', path: file }];
}

function moduleInput(file: string, cwd: string): CaseGenerator {
  const value = path.relative(cwd, file);
  return { type: 'generator', value, file, reference: file, params: {} };
}

/** A definition says what to run, so other commands take it. */
function definitionProblem(value: string, what: string): Problem {
  const id = path.basename(value).replace(DEFINITION, '');
  const hint =
    what === 'test'
      ? `run it: ${programName()} run ${id}`
      : what === 'suite'
        ? `run it: ${programName()} suite ${id}`
        : `a test names its type; run the test: ${programName()} run <id>`;
  return problem(`${quote(value)} defines a ${what}, it is not a case file`, hint);
}

/** The kind whose test files, or whose names of tests, look like this value. */
function recognised(value: string, as: 'file' | 'name', kinds: readonly Kind[]): Kind | undefined {
  return kinds.find(({ recognises }) => recognises?.[as].test(value) === true);
}

/** `agents:<id>` or `scripts:<path>.<Function>`, each with parameters as in an address. */
export function generatorOf(value: string): CaseGenerator | undefined {
  const { reference, query } = GENERATOR.exec(value)?.groups ?? {};
  if (reference === undefined || LIKE_A_FILE.test(reference)) return undefined;
  const params: [string, unknown][] = [];
  for (const [name, text] of new URLSearchParams(query ?? '')) params.push([name, paramOf(text)]);
  return { type: 'generator', value, reference, params: Object.fromEntries(params) };
}

/** Numbers, true and false as such, everything else as text. */
function paramOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  const isNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}

async function folderInput(value: string, folder: string, kinds: readonly Kind[]): Promise<Found> {
  const files = await expand('**/*.jsonl', { cwd: folder, kinds });
  if (files.length > 0) return files;
  return problem(`folder "${value}" has no case files (*.jsonl)`, await testsHint(value, folder, kinds));
}

/** A folder means its case files only, so a pattern has to name its tests. */
async function testsHint(value: string, folder: string, kinds: readonly Kind[]): Promise<string | undefined> {
  for (const { recognises } of kinds) {
    if (recognises?.files === undefined) continue;
    const pattern = `**/${recognises.files}`;
    const tests = await expand(pattern, { cwd: folder, kinds });
    if (tests.length > 0) return `to run its tests: -i "${path.posix.join(value, pattern)}"`;
  }
  return undefined;
}

async function patternInput(value: string, options: InputOptions): Promise<Found> {
  const { cwd, warn, kinds = KINDS } = options;
  const isPath =
    looksLikePath(value, cwd) || (!/\s/.test(value) && value.includes('/') && value.includes('*'));
  try {
    const files = await expand(value, { cwd, warn, kinds });
    if (files.length > 0) return files;
  } catch (error) {
    if (isPath)
      return problem(`the pattern ${quote(value)} ${messageOf(error)}`, 'name files or a folder instead');
  }
  if (isPath) return problem(`no file matches "${value}"`, `patterns start from ${cwd}`);
  return [{ type: 'message', message: value }];
}

async function expand(
  pattern: string,
  { cwd, warn, kinds }: { cwd: string; warn?: InputOptions['warn']; kinds: readonly Kind[] },
): Promise<Named[]> {
  const [{ glob }, { compileGlob }] = await Promise.all([
    import('tinyglobby'),
    import('../../platform/glob.ts'),
  ]);
  const { folder, coarse, hasDots, matches } = compileGlob(pattern);
  const base = path.resolve(cwd, folder);
  // The library matches by backtracking, so it only gets the coarse pattern.
  const options = { cwd: base, absolute: true, ignore: IGNORED, expandDirectories: false, dot: hasDots };
  const found = await glob(coarse, options);
  const files = found.filter((file) => matches(path.relative(base, file).split(path.sep).join('/')));
  const wanted = files.filter((file) => isMeant(file, pattern) || isMeantTest(file, pattern, kinds));
  const left = files.filter(
    (file) => !wanted.includes(file) && DATA_FILE.test(file) && !DEFINITION.test(file),
  );
  if (wanted.length > 0 && left.length > 0)
    warn?.(
      `${quote(pattern)} also matches ${shortNames(left, cwd)}, which is left out: a pattern without an ending means .jsonl files`,
    );
  return wanted
    .filter((file) => !hasRunLogName(path.basename(file)) && !isRunLogFile(file))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((file) => path.resolve(file))
    .filter((file) => !DEFINITION.test(file))
    .map((file) => {
      const kind = recognised(file, 'file', kinds);
      if (kind === undefined)
        return isCaseModule(file) ? moduleInput(file, cwd) : { type: 'file', path: file };
      const glob = path.resolve(cwd, pattern);
      return { type: 'pattern', kind: kind.id, value: path.relative(cwd, file), path: file, glob };
    });
}

/** A pattern such as `*_test.*` names tests by what stands before the ending. */
function isMeantTest(file: string, pattern: string, kinds: readonly Kind[]): boolean {
  const ending = recognised(file, 'file', kinds)?.recognises?.file.exec(file)?.[0];
  return ending !== undefined && pattern.includes(ending.slice(0, ending.lastIndexOf('.') + 1));
}

/** A pattern that ends in an ending means files of that ending; one with some ending, case files; one without, `.jsonl` files. */
function isMeant(file: string, pattern: string): boolean {
  if (EXTENSIONS.test(pattern)) return true;
  const hasEnding = path.basename(pattern).includes('.') && !pattern.endsWith('.*');
  return (hasEnding ? DATA_FILE : CASE_FILE).test(file);
}

function shortNames(files: readonly string[], cwd: string): string {
  const shown = files.slice(0, 3).map((file) => displayPath(path.resolve(file), cwd));
  return files.length > 3 ? `${shown.join(', ')} and ${files.length - 3} more` : shown.join(', ');
}

/** White space makes a message, unless what it ends in could only be a file. */
export function isPattern(value: string): boolean {
  return /[*?[\]{}]/.test(value) && (!/\s/.test(value) || CASE_FILE.test(value));
}

/** True if a value is not meant as a message: it looks like a path, or begins with an existing folder. */
function looksLikePath(value: string, cwd: string): boolean {
  if (/\s/.test(value)) return false;
  if (EXTENSIONS.test(value) || /^(?:\.\.?|~)\/|\/$/.test(value)) return true;
  const first = /^\/?[^/]+(?=\/)/.exec(value)?.[0];
  return first !== undefined && (statsOf(path.resolve(cwd, first))?.isDirectory() ?? false);
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

function missingFile(
  value: string,
  file: string,
  { cwd, kind: ofTests }: { cwd: string; kind: Kind | undefined },
): Problem {
  const kind = EXTENSIONS.test(value) ? 'input file' : value.endsWith('/') ? 'folder' : 'file or folder';
  const message = `${kind} "${value}" does not exist`;
  const near = didYouMeanFile(file, cwd);
  if (near !== undefined) return problem(message, near);
  const { file: isTest, hint } = ofTests?.recognises ?? {};
  const folder = path.dirname(file);
  const names = namesIn(folder);
  if (names === undefined && hint === undefined)
    return problem(message, `there is no folder ${displayPath(folder, cwd)}`);
  const isAlike = (name: string): boolean =>
    isTest === undefined ? CASE_FILE.test(name) && !hasRunLogName(name) : isTest.test(name);
  const others = (names ?? []).filter(isAlike).slice(0, 3);
  const shown = others.map((name) => displayPath(path.join(folder, name), cwd));
  if (shown.length > 0) return problem(message, `there is ${shown.join(', ')}`);
  if (hint !== undefined) return problem(message, hint);
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
  makeFolder(folder);
  const file = path.join(folder, `stdin-${randomUUID()}.jsonl`);
  await pipeline(Readable.from(content, { objectMode: true }), createWriteStream(file, { flags: 'wx' }));
  return { type: 'file', path: file, stdin: true };
}

function problem(message: string, hint?: string): Problem {
  return hint === undefined ? { message } : { message, hint };
}
