// A connector's file: `{type, options: {model, key, host, …}}` comes in, checked, with its variables filled in.

import { dirname, resolve } from 'node:path';
import { collectProblems, ConfigError } from '../errors.ts';
import type { Connector, ConnectorType } from '../model/connector.ts';
import { bundleModule } from '../compile/bundle.ts';
import { cacheDirectory } from '../compile/bundle-cache.ts';
import { isFile } from '../platform/file-stats.ts';
import { displayPath } from '../platform/paths.ts';
import type { YaoFile } from '../json/yao-file.ts';
import { findUnset, isUnfilled, readYaoFile } from '../json/yao-file.ts';
import { findProblems } from '../schema/problems.ts';
import type { ConnectorOptions } from './connector-options.ts';
import { callOptions, connectorShape, givenOptions } from './connector-options.ts';

export type ReadConnector = {
  connector: Connector;
  /** The files of a module. */
  inputs: string[];
  secrets: string[];
};

type Place = { root: string; env: Record<string, string | undefined>; cwd: string };

/** The path that each provider puts between the host and the name of a method. */
const VERSIONS = { anthropic: 'v1', google: 'v1beta', openai: 'v1' };

const DEFAULT_OPENAI_URL = 'https://api.openai.com/v1';

/** Reads and checks a connector; throws one ConfigError with everything that is wrong. */
export async function readConnectorFile(id: string, path: string, place: Place): Promise<ReadConnector> {
  const file = await readYaoFile(path, place);
  const value = { ...file.value, options: givenOptions(file.value['options']) };
  file.problems.push(
    ...findUnset(file, ([key]) => key === 'type' || key === 'options'),
    ...findProblems(connectorShape(value), value, { wrong: 'expected', at: file.at }),
  );
  // Safe: the file has this shape if it has no problems; otherwise only its module is used.
  const { type, options } = value as unknown as { type: ConnectorType; options: ConnectorOptions };
  const module = type === 'module' ? findModule(options.file, path, file) : undefined;
  const inputs = await moduleInputs(module, place, file);
  if (file.problems.length > 0) throw ConfigError.of(file.problems);
  return { connector: toConnector(id, type, options, module), inputs, secrets: file.secrets };
}

/** The file of a module connector; undefined if it cannot be used, which is then among the problems. */
function findModule(name: unknown, path: string, { problems, at }: YaoFile): string | undefined {
  if (typeof name !== 'string' || isUnfilled(name)) return undefined;
  const file = resolve(dirname(path), name);
  let problem: string | undefined;
  if (!isFile(file)) problem = `no such file: ${file}`;
  else if (!/\.[cm]?[jt]sx?$/.test(file)) problem = `${name} is neither TypeScript nor JavaScript`;
  if (problem === undefined) return file;
  problems.push({ message: `options.file: ${problem}`, at: at(['options', 'file']) });
  return undefined;
}

/** The files of a module; its syntax errors and imports that lead nowhere join the problems. */
async function moduleInputs(
  path: string | undefined,
  place: Place,
  { problems }: YaoFile,
): Promise<string[]> {
  if (path === undefined) return [];
  const { root, cwd } = place;
  const bundle = await collectProblems(problems, () =>
    bundleModule(path, { cacheDir: cacheDirectory(root), cwd }),
  );
  if (bundle?.exports?.includes('default') === false)
    problems.push({
      message: 'has no default export',
      at: displayPath(path, cwd),
      hint: 'a model is: export default async ({ messages }) => "text"',
    });
  return [...(bundle?.inputs ?? [])].sort();
}

function toConnector(id: string, type: ConnectorType, options: ConnectorOptions, file?: string): Connector {
  const { azure, concurrency, host, key, model = id, price, proxy } = options;
  const remote = type === 'module' ? { file } : { key, url: baseUrl(type, host ?? proxy) };
  // Azure expects the key in a header of its own.
  const keyHeader = String(azure) === 'true' && key !== undefined && { 'api-key': key };
  return {
    id,
    type,
    model,
    ...remote,
    headers: unlessEmpty({ ...keyHeader, ...options.headers }),
    options: unlessEmpty(callOptions(options)),
    concurrency,
    price: price && { input: price.input, output: price.output },
  };
}

/** The address that the names of methods are added to. A host that ends in a slash or a version is one already. */
function baseUrl(type: keyof typeof VERSIONS, host: string | undefined): string | undefined {
  if (host === undefined) return type === 'openai' ? DEFAULT_OPENAI_URL : undefined;
  const url = new URL(host);
  const path = url.pathname.replace(/\/+$/, '');
  const isWhole = /^[^?#]*\/(?:[?#]|$)/.test(host) || /\/v\d+(?:alpha|beta)?$/.test(path);
  url.pathname = isWhole ? path : `${path}/${VERSIONS[type]}`;
  url.hash = '';
  return url.href.replace(/\/$/, '');
}

function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
