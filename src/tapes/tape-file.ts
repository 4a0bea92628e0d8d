// A tape: what was asked and answered in the attempts of one case, in a file that people can read and compare.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../errors.ts';
import { hash96 } from '../platform/hash.ts';
import { isObject } from '../json/is-object.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { prettyJson } from './pretty-json.ts';
import { replaceFile } from '../platform/replace-file.ts';

/** Later versions read every earlier one. */
export const TAPE_VERSION = 1;
const TAPE_ENDING = '.tape.json';

export type TapeFile = {
  tape_version: number;
  test: string;
  case: string;
  /** The agent that it was recorded with. */
  agent?: string;
  variables?: Record<string, unknown>;
  /** In the order of their numbers; repeats are recorded apart. */
  runs: TapedRun[];
};

export type TapedRun = {
  run: number;
  exchanges: Exchange[];
  /** What was measured, in milliseconds by name, in the order in which the measuring began. */
  times: Record<string, number[]>;
  /** The attempt waited for an answer until its time was over. */
  ended?: 'timeout';
};

export type Exchange = {
  request: TapedRequest;
  /** Nothing if the attempt ended before it came. */
  response?: TapedResponse;
};

/** Exactly one of the bodies, or none. */
export type TapedBody = { json?: unknown; text?: string; base64?: string };

/** Over HTTP, or a call of something by its name. */
export type TapedRequest =
  ({ method: string; url: string } & TapedBody) | { to: string; method: string; params: unknown };

/**
 * `stream` has the pieces of an answer that came bit by bit, `at_ms` when each came. A piece is the text itself, or a
 * server-sent event. `ended`: it was cut off. `failure`: there was none, and why.
 */
export type TapedResponse =
  | ({
      status: number;
      headers?: Record<string, string>;
      after_ms: number;
      stream?: Piece[];
      at_ms?: number[];
      ended?: 'early';
    } & TapedBody)
  | { result: unknown; after_ms: number }
  | { failure: { code: string; message: string; is_final?: true }; after_ms: number };

export type Piece = string | { event?: string; data: unknown };

/** Where the tape of a case is, below the folder of tapes. The same names on every machine. */
export function tapePath(test: string, caseId: string, variant: string): string {
  const name = fileName(caseId) + (variant === '' ? '' : `@${hash96(variant).slice(0, 8)}`);
  return [...test.split(/[\\/]/).map(fileName), `${name}${TAPE_ENDING}`].join('/');
}

/** A name that every file system takes; if it had to be changed, a hash tells it from others. */
function fileName(name: string): string {
  const plain = cutToBytes(name.slice(0, MAX_NAME), MAX_NAME)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  const isSame = plain === name && !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
  return isSame ? plain : `${plain === '' ? 'x' : plain}~${hash96(name).slice(0, 8)}`;
}

/** The tapes below a folder of tapes, as paths from there, sorted; `below`: only those directly in that folder. */
export function tapesIn(folder: string, below?: string): string[] {
  const start = below === undefined ? folder : join(folder, below);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: below === undefined, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(TAPE_ENDING))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** So many bytes of a name are readable; file systems take 255 with everything around it. */
const MAX_NAME = 80;

function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    cut += character;
  }
  return cut;
}

/** Reads a tape; nothing if there is none. Throws ConfigError if it cannot be read. */
export function readTape(file: string): TapeFile | undefined {
  let text: string;
  try {
    // Reading a pipe would wait for ever.
    if (!statSync(file).isFile()) throw new Error('it is no file');
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ConfigError(`the recording cannot be read: ${messageOf(error)}`, { at: file });
  }
  return parseTape(text, file);
}

function parseTape(text: string, at: string): TapeFile {
  const hint = 'record the case again with --record, or restore the file';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`the recording is not JSON: ${messageOf(error)}`, { at, hint });
  }
  const version = isObject(value) ? value['tape_version'] : undefined;
  if (typeof version === 'number' && version > TAPE_VERSION) {
    throw new ConfigError(`the recording is of a later version (${String(version)})`, {
      at,
      hint: 'it was made by a newer Assay: update, or record the case again',
    });
  }
  const problem = isObject(value) && version === TAPE_VERSION ? problemOf(value) : 'is no recording';
  if (problem !== undefined) throw new ConfigError(problem, { at, hint });
  // Its shape was checked as far as anything here relies on it.
  return value as TapeFile;
}

function problemOf({ runs, test, case: caseId }: Record<string, unknown>): string | undefined {
  if (typeof test !== 'string' || typeof caseId !== 'string' || !Array.isArray(runs))
    return 'is no recording';
  for (const run of runs) {
    if (!isObject(run) || typeof run['run'] !== 'number' || !Array.isArray(run['exchanges']))
      return 'has a run without "run" and "exchanges"';
    const name = `run ${String(run['run'])}`;
    if (!isObject(run['times'])) return `${name} has no "times"`;
    if (!Object.values(run['times']).every(areTimes)) return `${name} has "times" that are none`;
    const broken = run['exchanges'].findIndex((exchange) => !isExchange(exchange));
    if (broken !== -1) return `exchange ${String(broken + 1)} of ${name} is broken`;
  }
  return undefined;
}

function areTimes(value: unknown): boolean {
  return Array.isArray(value) && value.every((ms) => typeof ms === 'number' && ms >= 0);
}

function isExchange(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['request'])) return false;
  const { request, response } = value;
  const isHttp = typeof request['url'] === 'string';
  if (typeof request['method'] !== 'string' || isHttp === (typeof request['to'] === 'string')) return false;
  if (response === undefined) return true;
  if (!isObject(response) || typeof response['after_ms'] !== 'number') return false;
  const { failure } = response;
  if (isObject(failure)) return typeof failure['code'] === 'string' && typeof failure['message'] === 'string';
  return isHttp ? isHttpResponse(response) : 'result' in response;
}

function isHttpResponse({ status, headers, stream, at_ms, text, base64 }: Record<string, unknown>): boolean {
  const isText = (value: unknown): boolean => typeof value === 'string';
  const isPiece = (piece: unknown): boolean => isText(piece) || (isObject(piece) && 'data' in piece);
  return (
    typeof status === 'number' &&
    Number.isInteger(status) &&
    status >= 100 &&
    status <= 999 &&
    (headers === undefined || (isObject(headers) && Object.values(headers).every(isText))) &&
    (stream === undefined || (Array.isArray(stream) && stream.every(isPiece))) &&
    (at_ms === undefined || areTimes(at_ms)) &&
    [text, base64].every((body) => body === undefined || isText(body))
  );
}

/** Writes a tape whole or not at all. Throws RuntimeError. */
export function writeTape(file: string, tape: TapeFile): void {
  try {
    makeFolder(dirname(file));
    replaceFile(file, `${prettyJson(tape)}\n`);
  } catch (error) {
    throw new RuntimeError(`cannot write the recording ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
