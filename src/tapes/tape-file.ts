// A tape: what was asked and answered in the attempts of one case, in a file that people can read and compare.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../errors.ts';
import { hash96 } from '../platform/hash.ts';
import { isObject } from '../json/is-object.ts';
import { isNestedDeeper, TOO_DEEP } from '../json/nesting.ts';
import type { Fields, FieldTypes } from '../schema/object.ts';
import { list, object, optional, record, required } from '../schema/object.ts';
import { findProblems } from '../schema/problems.ts';
import type { Infer, Shape } from '../schema/shape.ts';
import { anything, integer, number, oneOf, string, that, variants } from '../schema/values.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { prettyJson } from './pretty-json.ts';
import { replaceFile } from '../platform/replace-file.ts';

/** Later versions read every earlier one. */
export const TAPE_VERSION = 1;
const TAPE_ENDING = '.tape.json';

const milliseconds = that<number>('a time', {}, (value) => typeof value === 'number' && value >= 0);

/** At most one of these. */
const body = { json: optional(anything), text: optional(string), base64: optional(string) };

const httpRequest = open({ method: required(string), url: required(string), ...body });
/** A call of something by its name. */
const callRequest = open({ to: required(string), method: required(string), params: optional(anything) });

/** A piece of a streamed answer is text or a server-sent event. */
const event = open({ event: optional(string), data: required(anything) });
const piece = variants<Piece>([string, event], (value) => (typeof value === 'string' ? string : event));

const httpResponse = open({
  status: required(integer('a status from 100 to 999', { minimum: 100, maximum: 999 })),
  headers: optional(record(string)),
  after_ms: required(number),
  stream: optional(anyList(piece)),
  // When each piece came.
  at_ms: optional(anyList(milliseconds)),
  // The answer was cut off.
  ended: optional(oneOf('early')),
  ...body,
});
const callResponse = open({ result: required(anything), after_ms: required(number) });
const failure = open({ code: required(string), message: required(string), is_final: optional(oneOf(true)) });
const failedResponse = open({ failure: required(failure), after_ms: required(number) });

/** Without a response, the attempt ended before one came. */
const exchange: Shape<Exchange> = {
  check(value, findings) {
    const { request, response } = isObject(value) ? value : {};
    const isCall = isObject(request) && 'to' in request;
    const received = isCall ? callResponse : httpResponse;
    const isFailed = isObject(response) && 'failure' in response;
    findings.checkInside('request', isCall ? callRequest : httpRequest, request);
    if (response !== undefined)
      findings.checkInside('response', isFailed ? failedResponse : received, response);
    if (isObject(value) && value['by'] !== undefined) findings.checkInside('by', oneOf('judge'), value['by']);
  },
  schema: () => ({}),
};

const run = open({
  run: required(number),
  exchanges: required(anyList(exchange)),
  // Measurements in milliseconds by name, in the order in which they began.
  times: required(record(anyList(milliseconds))),
  // The attempt waited for an answer until its time was over.
  ended: optional(oneOf('timeout')),
});
const tape = open({
  tape_version: required(number),
  test: required(string),
  case: required(string),
  // The agent that it was recorded with.
  agent: optional(string),
  variables: optional(record(anything)),
  // In the order of their numbers; repeats are recorded apart.
  runs: required(anyList(run)),
});

export type TapeFile = Infer<typeof tape>;
export type TapedRun = Infer<typeof run>;
export type Exchange = {
  /** Set for requests of judges and simulated users. */
  by?: 'judge';
  request: TapedRequest;
  response?: TapedResponse;
};
export type TapedBody = FieldTypes<typeof body>;
export type TapedRequest = Infer<typeof callRequest> | Infer<typeof httpRequest>;
export type TapedResponse = Infer<typeof callResponse | typeof failedResponse | typeof httpResponse>;
export type Piece = string | Infer<typeof event>;

/** Fields that are not listed are accepted. */
function open<F extends Fields>(fields: F): Shape<FieldTypes<F>> {
  return object(fields, { others: 'free' });
}

function anyList<T>(shape: Shape<T>): Shape<T[]> {
  return list(shape, { isEmptyFine: true });
}

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

/** Maximum bytes of the readable part of a name; file systems allow 255 in total. */
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

/** Reads a tape; undefined if the file does not exist. Throws ConfigError if it cannot be read. */
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
    if (isNestedDeeper(text)) throw new Error(TOO_DEEP);
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
  if (version !== TAPE_VERSION) throw new ConfigError('is no recording', { at, hint });
  const [problem] = findProblems(tape, value, { wrong: 'must be', whole: 'the recording' });
  if (problem !== undefined) throw new ConfigError(problem.message, { at, hint });
  // Safe: the shape was just checked.
  return value as TapeFile;
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
