// The `run` of a package.yao: how the agent is started.

import { resolve } from 'node:path';
import { messageOf } from '../errors.ts';
import type { A2aRun, AgentRun, HttpRun } from '../model/agent.ts';
import { findProgram, isFile } from '../platform/find-program.ts';
import { didYouMean } from '../text/nearest.ts';
import { compileJsonPath } from '../json/json-path.ts';
import type { PackageFile } from './package-file.ts';
import { hasPlaceholder, isUnfilled } from '../json/yao-file.ts';
import { isObject } from '../json/is-object.ts';

const RUN_KINDS = ['a2a', 'command', 'http', 'module'];
const RUN_KEYS = ['a2a', 'command', 'env', 'http', 'module'];
const A2A_KEYS = ['headers', 'url'];
const HTTP_KEYS = ['body', 'headers', 'method', 'output', 'tool_calls', 'url', 'usage'];
const HTTP_PATHS = ['output', 'tool_calls', 'usage'] as const;
const SCRIPT = /\.[cm]?[jt]sx?$/;

type Place = { folder: string; env: Record<string, string | undefined> };
type Report = (path: string[], message: string, hint?: string) => void;

/** True for names of files that Node or esbuild can read as a module. */
export function isScriptName(name: string): boolean {
  return SCRIPT.test(name);
}

/** Reads `run`; everything wrong with it goes to the package's problems, and nothing is returned. */
export function readRun(file: PackageFile, place: Place): AgentRun | undefined {
  const before = file.problems.length;
  const report: Report = (path, message, hint) => {
    const key = path.join('.');
    file.problems.push({
      message: `${key}: ${message}`,
      at: file.at(path),
      ...(hint !== undefined && { hint }),
    });
  };
  const run = readAnyRun(file.value['run'], place, report);
  return file.problems.length === before ? run : undefined;
}

function readAnyRun(run: unknown, place: Place, report: Report): AgentRun | undefined {
  if (!isObject(run)) {
    report(['run'], 'expected an object', 'write {"module": …}, {"http": …}, {"a2a": …} or {"command": …}');
    return undefined;
  }
  reportUnknown(run, ['run'], RUN_KEYS, report);
  const kinds = RUN_KINDS.filter((kind) => run[kind] !== undefined);
  if (kinds.length !== 1) {
    const found = kinds.length === 0 ? 'nothing to run' : `${kinds.join(' and ')} at once`;
    report(['run'], found, 'give one of module, http, a2a and command');
    return undefined;
  }
  if (run['env'] !== undefined && kinds[0] !== 'command')
    report(['run', 'env'], 'only a command has an environment');
  if (kinds[0] === 'module') return readModule(run['module'], place, report);
  if (kinds[0] === 'a2a') return readA2a(run['a2a'], report);
  return kinds[0] === 'http'
    ? readHttp(run['http'], report)
    : readCommand(run['command'], run['env'], place, report);
}

function readModule(module: unknown, { folder }: Place, report: Report): AgentRun | undefined {
  const path = ['run', 'module'];
  if (typeof module !== 'string') return void report(path, 'expected the path of a file');
  if (isUnfilled(module)) return undefined;
  const file = resolve(folder, module);
  if (!isFile(file)) return void report(path, `no such file: ${file}`);
  if (!isScriptName(file)) return void report(path, `${module} is neither TypeScript nor JavaScript`);
  return { type: 'module', file };
}

function readHttp(http: unknown, report: Report): AgentRun | undefined {
  const path = ['run', 'http'];
  if (!isObject(http)) return void report(path, 'expected an object', 'write {"url": "http://…"}');
  reportUnknown(http, path, HTTP_KEYS, report);
  const { method, headers, body } = http;
  const url = readUrl(http['url'], path, report);
  if (url === undefined) return undefined;
  const run: HttpRun = { url };
  if (typeof method === 'string' && /^[A-Za-z]+$/.test(method)) run.method = method;
  else if (method !== undefined) report([...path, 'method'], 'expected a method such as POST');
  if (headers !== undefined) run.headers = readHeaders(headers, [...path, 'headers'], report);
  if (body !== undefined) run.body = body;
  for (const key of HTTP_PATHS) {
    const value = http[key];
    if (typeof value === 'string') run[key] = checkedPath(value, [...path, key], report);
    else if (value !== undefined) report([...path, key], 'expected a JSONPath such as $.answer');
  }
  return { type: 'http', http: run };
}

function readA2a(a2a: unknown, report: Report): AgentRun | undefined {
  const path = ['run', 'a2a'];
  if (!isObject(a2a)) return void report(path, 'expected an object', 'write {"url": "http://…"}');
  reportUnknown(a2a, path, A2A_KEYS, report);
  const { headers } = a2a;
  const url = readUrl(a2a['url'], path, report);
  if (url === undefined) return undefined;
  const run: A2aRun = { url };
  if (headers !== undefined) run.headers = readHeaders(headers, [...path, 'headers'], report);
  return { type: 'a2a', a2a: run };
}

function readUrl(url: unknown, path: string[], report: Report): string | undefined {
  if (typeof url !== 'string') return void report([...path, 'url'], 'expected the address of the agent');
  const isKnown = !isUnfilled(url) && !hasPlaceholder(url);
  if (isKnown && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    report([...path, 'url'], 'is not an http:// or https:// address');
  }
  return url;
}

function readHeaders(headers: unknown, path: string[], report: Report): Record<string, string> {
  const read: Record<string, string> = {};
  if (!isObject(headers)) report(path, 'expected an object of names and values');
  for (const [name, value] of Object.entries(isObject(headers) ? headers : {})) {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) report([...path, name], 'is not the name of a header');
    if (typeof text !== 'string') report([...path, name], 'expected text');
    else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      report([...path, name], 'has characters that no header may have');
    else read[name] = text;
  }
  return read;
}

function checkedPath(value: string, path: string[], report: Report): string {
  try {
    compileJsonPath(value);
  } catch (error) {
    report(path, `is not a JSONPath: ${messageOf(error)}`);
  }
  return value;
}

function readCommand(command: unknown, env: unknown, place: Place, report: Report): AgentRun | undefined {
  const path = ['run', 'command'];
  const isList = Array.isArray(command) && command.length > 0;
  if (!isList || !command.every((part) => typeof part === 'string') || command[0] === '') {
    return void report(
      path,
      'expected a list of a program and its arguments',
      'write ["python3", "agent.py"]',
    );
  }
  const [name = '', ...args] = command;
  const variables = readEnv(env, report);
  const program = isUnfilled(name)
    ? name
    : findProgram(name, { folder: place.folder, path: { ...place.env, ...variables }['PATH'] });
  if (typeof program === 'object') return void report(path, program.problem);
  const run: AgentRun = { type: 'command', command: [program, ...args], cwd: place.folder };
  return variables === undefined ? run : { ...run, env: variables };
}

function readEnv(env: unknown, report: Report): Record<string, string> | undefined {
  if (env === undefined) return undefined;
  if (!isObject(env)) return void report(['run', 'env'], 'expected an object of names and values');
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === 'string') read[name] = value;
    else report(['run', 'env', name], 'expected text');
  }
  return read;
}

function reportUnknown(
  value: Record<string, unknown>,
  path: string[],
  known: string[],
  report: Report,
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      report([...path, key], 'unknown key', didYouMean(key, known) ?? `known are ${known.join(', ')}`);
  }
}
