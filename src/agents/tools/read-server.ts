// `mcps/<server>.mcp.yao`: how the tools of a server are reached.

import { resolve } from 'node:path';
import type { Problem } from '../../errors.ts';
import { collectProblems } from '../../errors.ts';
import type { ProcessTool, ToolTransport } from '../../model/tool-server.ts';
import { findProgram, isFile } from '../../platform/find-program.ts';
import { isObject } from '../../json/is-object.ts';
import { didYouMean } from '../../text/nearest.ts';
import { isInside } from '../../platform/paths.ts';
import type { YaoFile } from '../../json/yao-file.ts';
import { isUnfilled, readYaoFile } from '../../json/yao-file.ts';
import { checkScript, scriptFiles } from '../../scripts/call-function.ts';
import type { FoundServer } from './find-server.ts';
import { readSchema } from './read-schema.ts';

export type ReadPlace = { root: string; cwd: string; env: Record<string, string | undefined> };

/** What a server file says. `way` is missing if it cannot be used, which is among the problems. */
export type ReadServer = { way?: ToolTransport; files: string[]; secrets: string[]; problems: Problem[] };

type Report = (path: string[], message: string, hint?: string) => void;
type Reading = { value: Record<string, unknown>; report: Report; place: ReadPlace; read: ReadServer };

const TRANSPORTS = ['http', 'process', 'sse', 'stdio'];

/** Reads and checks the file of a server. No user code runs and no server is started. */
export async function readServer(found: FoundServer, place: ReadPlace): Promise<ReadServer> {
  const read: ReadServer = { files: [found.file], secrets: [], problems: [] };
  const file = await collectProblems(read.problems, () => readYaoFile(found.file, place));
  if (file === undefined) return read;
  read.problems.push(...file.problems);
  read.secrets.push(...secretsOf(file));
  const report: Report = (path, message, hint) => {
    const text = path.length === 0 ? message : `${path.join('.')}: ${message}`;
    read.problems.push({ message: text, at: file.at(path), ...(hint !== undefined && { hint }) });
  };
  const way = await readWay({ value: file.value, report, place, read }, found);
  return read.problems.length > 0 || way === undefined ? read : { ...read, way };
}

/** The names of functions are no secrets, even of one that is called `get_token`. */
function secretsOf({ secrets, value }: YaoFile): string[] {
  const functions = isObject(value['tools']) ? Object.values(value['tools']) : [];
  return secrets.filter((secret) => !functions.includes(secret));
}

async function readWay(reading: Reading, found: FoundServer): Promise<ToolTransport | undefined> {
  const { value, report } = reading;
  const { transport } = value;
  switch (transport) {
    case 'http':
    case 'sse':
      return readHttp(reading);
    case 'process':
      return readProcess(reading, found);
    case 'stdio':
      return readStdio(reading);
    case undefined:
      return void report([], 'has no "transport"', `it is one of ${TRANSPORTS.join(', ')}`);
    default: {
      const hint = didYouMean(String(transport), TRANSPORTS) ?? `known are ${TRANSPORTS.join(', ')}`;
      return void report(['transport'], `unknown transport ${JSON.stringify(transport)}`, hint);
    }
  }
}

async function readProcess(
  { value, report, place, read }: Reading,
  found: FoundServer,
): Promise<ToolTransport | undefined> {
  const { tools } = value;
  if (!isObject(tools) || Object.keys(tools).length === 0) {
    const hint = 'write {"add": "agents.calc.tools.Add"}';
    return void report(['tools'], 'expected an object of names and functions', hint);
  }
  const functions: ProcessTool[] = [];
  for (const [name, process] of Object.entries(tools)) {
    const path = ['tools', name];
    if (!/^[\w.-]+$/.test(name)) {
      report(path, 'the name of a tool has letters, digits, "_", "-" and "."');
      continue;
    }
    if (typeof process !== 'string') {
      report(path, 'expected the name of a function', 'write "agents.<id>.<module>.<Function>"');
      continue;
    }
    if (isUnfilled(process)) continue;
    const problem = checkScript(process, place);
    if (problem !== undefined) report(path, problem);
    const files = await collectProblems(read.problems, () => scriptFiles(process, place));
    const { signature, ...schema } = await readSchema(name, found, place);
    read.files.push(...[...(files ?? []), ...schema.files].filter((file) => !read.files.includes(file)));
    read.problems.push(...schema.problems);
    functions.push({ name, process, ...signature });
  }
  return { transport: 'process', functions };
}

function readStdio({ value, report, place, read }: Reading): ToolTransport | undefined {
  const { command } = value;
  const key = value['arguments'] === undefined ? 'args' : 'arguments';
  const args: unknown = value[key] ?? [];
  const env = readTexts(value['env'], 'env', report);
  if (typeof command !== 'string' || command === '') {
    return void report(['command'], 'expected the program of the server', 'write "command": "node"');
  }
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) {
    return void report([key], 'expected a list of texts', 'write ["server.js"]');
  }
  if (isUnfilled(command)) return undefined;
  const program = findProgram(command, { folder: place.root, path: env['PATH'] ?? place.env['PATH'] ?? '' });
  if (typeof program === 'object') return void report(['command'], program.problem);
  const own = [...(program.includes('/') ? [program] : []), ...args].map((part) => resolve(place.root, part));
  read.files.push(...own.filter((file) => isInside(place.root, file) && isFile(file)));
  return { transport: 'stdio', command: program, arguments: args, env, cwd: place.root };
}

/** `sse` is the older way over HTTP; a server that knows only that one is recognised when it is connected. */
function readHttp({ value, report }: Reading): ToolTransport | undefined {
  const { url } = value;
  const headers = readTexts(value['headers'], 'headers', report);
  for (const [name, text] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) report(['headers', name], 'is not the name of a header');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      report(['headers', name], 'has characters that no header may have');
  }
  if (typeof url !== 'string') return void report(['url'], 'expected the address of the server');
  if (isUnfilled(url)) return undefined;
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    return void report(['url'], 'is not an http:// or https:// address');
  }
  return { transport: 'http', url, headers };
}

function readTexts(value: unknown, key: string, report: Report): Record<string, string> {
  const read: Record<string, string> = {};
  if (value !== undefined && !isObject(value)) report([key], 'expected an object of names and values');
  for (const [name, inner] of Object.entries(isObject(value) ? value : {})) {
    if (typeof inner === 'string') read[name] = inner;
    else if (typeof inner === 'number' || typeof inner === 'boolean') read[name] = String(inner);
    else report([key, name], 'expected text');
  }
  return read;
}
