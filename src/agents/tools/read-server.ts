// `mcps/<server>.mcp.yao`: how the tools of a server are reached.

import { resolve } from 'node:path';
import type { Problem } from '../../errors.ts';
import { collectProblems } from '../../errors.ts';
import type { ProcessTool, ToolTransport } from '../../model/tool-server.ts';
import { isFile } from '../../platform/file-stats.ts';
import { findProgram } from '../../platform/find-program.ts';
import { isObject } from '../../json/is-object.ts';
import { isInside } from '../../platform/paths.ts';
import type { YaoFile } from '../../json/yao-file.ts';
import { addressProblem, findUnset, isUnfilled, readYaoFile } from '../../json/yao-file.ts';
import { environment, headers, toTexts } from '../../schema/headers.ts';
import type { Fields, FieldTypes } from '../../schema/object.ts';
import { list, object, optional, record, required } from '../../schema/object.ts';
import { findProblems } from '../../schema/problems.ts';
import type { Infer, Shape } from '../../schema/shape.ts';
import { name, oneOf, processText, stringFor, withRule } from '../../schema/values.ts';
import { checkScript, scriptFiles } from '../../scripts/check-function.ts';
import type { FoundServer } from './find-server.ts';
import { readSchema } from './read-schema.ts';

export type ReadPlace = { root: string; cwd: string; env: Record<string, string | undefined> };

/** The content of a server file. `way` is missing if the file has problems. */
export type ReadServer = { way?: ToolTransport; files: string[]; secrets: string[]; problems: Problem[] };

const TRANSPORTS = ['http', 'process', 'sse', 'stdio'] as const;
const TOOL_NAME = /^[\w.-]+$/;
const TOOLS_HINT = 'write {"add": "agents.calc.tools.Add"}';

const transport = required(oneOf(...TRANSPORTS), undefined, `it is one of ${TRANSPORTS.join(', ')}`);
const tools = record(stringFor('the name of a function', 'write "agents.<id>.<module>.<Function>"'), {
  expected: 'an object of names and functions',
  hint: TOOLS_HINT,
  isEmptyFine: false,
  nameProblem: (name) =>
    TOOL_NAME.test(name) ? undefined : 'the name of a tool has letters, digits, "_", "-" and "."',
});
const texts = list(processText, {
  isEmptyFine: true,
  expected: 'a list of texts',
  hint: 'write ["server.js"]',
});

const httpShape = serverShape({
  url: required(withRule(stringFor('the address of the server'), addressProblem)),
  headers: optional(headers),
});
const stdioShape = serverShape({
  command: required(name, undefined, 'write "command": "node"'),
  args: optional(texts),
  arguments: optional(texts),
  env: optional(environment),
});

/** `sse` is the older way over HTTP; a server that knows only that one is recognised when it is connected. */
const SHAPES = {
  http: httpShape,
  process: serverShape({ tools: required(tools, undefined, TOOLS_HINT) }),
  sse: httpShape,
  stdio: stdioShape,
};

/** The fields that each transport uses. */
const USED = {
  http: ['transport', 'url', 'headers'],
  process: ['transport', 'tools'],
  sse: ['transport', 'url', 'headers'],
  stdio: ['transport', 'command', 'args', 'arguments', 'env'],
};

/** Reads and checks the file of a server. No user code runs and no server is started. */
export async function readServer(found: FoundServer, place: ReadPlace): Promise<ReadServer> {
  const read: ReadServer = { files: [found.file], secrets: [], problems: [] };
  const file = await collectProblems(read.problems, () => readYaoFile(found.file, place));
  if (file === undefined) return read;
  const kind = TRANSPORTS.find((name) => name === file.value['transport']);
  const shape = kind === undefined ? serverShape({ transport }) : SHAPES[kind];
  const wrong = findProblems(shape, file.value, { wrong: 'expected', at: file.at });
  const used = kind === undefined ? ['transport'] : USED[kind];
  read.problems.push(...findUnset(file, ([key = '']) => used.includes(key)), ...wrong);
  read.secrets.push(...secretsOf(file));

  const way = kind === 'process' ? await readProcess(file, place, found, read) : readWay(file, place, read);
  return read.problems.length > 0 ? read : { ...read, way };
}

/** Other programs share these files, so fields that are not listed are accepted. */
function serverShape<F extends Fields>(fields: F): Shape<FieldTypes<F>> {
  return object(fields, { others: 'free' });
}

/** The names of functions are no secrets, even of one that is called `get_token`. */
function secretsOf({ secrets, value }: YaoFile): string[] {
  const functions = isObject(value['tools']) ? Object.values(value['tools']) : [];
  return secrets.filter((secret) => !functions.includes(secret));
}

/** The functions of a process server; those that are right are checked further, in spite of other problems. */
async function readProcess(
  { value, at }: YaoFile,
  place: ReadPlace,
  found: FoundServer,
  read: ReadServer,
): Promise<ToolTransport> {
  const functions: ProcessTool[] = [];
  for (const [name, process] of Object.entries(isObject(value['tools']) ? value['tools'] : {})) {
    if (!TOOL_NAME.test(name) || typeof process !== 'string' || isUnfilled(process)) continue;
    const problem = checkScript(process, place);
    if (problem !== undefined)
      read.problems.push({ message: `tools.${name}: ${problem}`, at: at(['tools', name]) });
    const files = await collectProblems(read.problems, () => scriptFiles(process, place));
    const { signature, ...schema } = await readSchema(name, found, place);
    read.files.push(...[...(files ?? []), ...schema.files].filter((file) => !read.files.includes(file)));
    read.problems.push(...schema.problems);
    functions.push({ name, process, ...signature });
  }
  return { transport: 'process', functions };
}

/** The connection to a server that is started or reached over HTTP. */
function readWay({ value, at }: YaoFile, place: ReadPlace, read: ReadServer): ToolTransport | undefined {
  if (read.problems.length > 0) return undefined;
  // Safe: both shapes were checked.
  if (value['transport'] !== 'stdio') {
    const { url, headers: given = {} } = value as Infer<typeof httpShape>;
    return { transport: 'http', url, headers: toTexts(given) };
  }
  const server = value as Infer<typeof stdioShape>;
  const { arguments: args = server.args ?? [] } = server;
  const env = toTexts(server.env ?? {});
  const path = env['PATH'] ?? place.env['PATH'] ?? '';
  const program = findProgram(server.command, { folder: place.root, path });
  if (typeof program === 'object') {
    read.problems.push({ message: `command: ${program.problem}`, at: at(['command']), hint: program.hint });
    return undefined;
  }
  const own = [...(program.includes('/') ? [program] : []), ...args].map((part) => resolve(place.root, part));
  read.files.push(...own.filter((file) => isInside(place.root, file) && isFile(file)));
  return { transport: 'stdio', command: program, arguments: args, env, cwd: place.root };
}
