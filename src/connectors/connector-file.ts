// A connector's file: `{type, options: {model, key, host, …}}` comes in, checked, with its variables filled in.
// Files are shared with other programs, so that keys nobody knows are left alone.

import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { collectProblems, ConfigError } from '../errors.ts';
import type { Connector, ConnectorType } from '../model/connector.ts';
import { bundleModule } from '../compile/bundle.ts';
import { cacheDirectory } from '../compile/bundle-cache.ts';
import { isObject } from '../json/is-object.ts';
import { didYouMean } from '../text/nearest.ts';
import { displayPath } from '../platform/paths.ts';
import type { YaoFile } from '../json/yao-file.ts';
import { isUnfilled, readYaoFile } from '../json/yao-file.ts';
import type { Report } from './connector-options.ts';
import { readCallOptions, readConcurrency, readHeaders, readPrice, readText } from './connector-options.ts';

export type ReadConnector = {
  connector: Connector;
  /** The files of a module. */
  inputs: string[];
  secrets: string[];
};

type Place = { root: string; env: Record<string, string | undefined>; cwd: string };

const TYPES: readonly ConnectorType[] = ['anthropic', 'google', 'module', 'openai'];

/** What the providers put between the host and the name of a method. */
const VERSIONS = { anthropic: 'v1', google: 'v1beta', openai: 'v1' };

const DEFAULT_OPENAI_URL = 'https://api.openai.com/v1';

/** The variables that providers' own documentation uses, for hints. */
const KEY_VARIABLES = {
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  openai: 'OPENAI_API_KEY',
};

/** Reads and checks a connector; throws one ConfigError with everything that is wrong. */
export async function readConnectorFile(id: string, path: string, place: Place): Promise<ReadConnector> {
  const file = await readYaoFile(path, place);
  const report: Report = (keys, message, hint) => {
    file.problems.push({
      message: `${keys.join('.')}: ${message}`,
      at: file.at(keys),
      ...(hint !== undefined && { hint }),
    });
  };
  const type = readType(file.value['type'], report);
  const options = file.value['options'] ?? {};
  if (!isObject(options)) report(['options'], 'expected an object');
  if (type === undefined || !isObject(options)) throw ConfigError.of(file.problems);

  const read =
    type === 'module' ? readModule(id, options, path, report) : readRemote(id, type, options, report);
  const connector = { ...read, ...readShared(options, report) };
  const inputs = await moduleInputs(connector.file, place, file);
  if (file.problems.length > 0) throw ConfigError.of(file.problems);
  return { connector, inputs, secrets: file.secrets };
}

function readType(value: unknown, report: Report): ConnectorType | undefined {
  const known = `the types are ${TYPES.join(', ')}`;
  if (value === undefined) return void report(['type'], 'is missing', known);
  const type = TYPES.find((name) => name === value);
  if (type === undefined) {
    const hint = (typeof value === 'string' ? didYouMean(value, TYPES) : undefined) ?? known;
    report(['type'], `unknown type ${JSON.stringify(value)}`, hint);
  }
  return type;
}

function readModule(id: string, options: Record<string, unknown>, path: string, report: Report): Connector {
  const model = readText(options, 'model', report) ?? id;
  const name = readText(options, 'file', report);
  const keys = ['options', 'file'];
  if (name === undefined) {
    if (options['file'] === undefined) report(keys, 'is missing', 'write "file": "./model.ts"');
    return { id, type: 'module', model };
  }
  if (isUnfilled(name)) return { id, type: 'module', model };
  const file = resolve(dirname(path), name);
  if (!isFile(file)) report(keys, `no such file: ${file}`);
  else if (!/\.[cm]?[jt]sx?$/.test(file)) report(keys, `${name} is neither TypeScript nor JavaScript`);
  else return { id, type: 'module', model, file };
  return { id, type: 'module', model };
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

function readRemote(
  id: string,
  type: Exclude<ConnectorType, 'module'>,
  options: Record<string, unknown>,
  report: Report,
): Connector {
  const model = readText(options, 'model', report);
  if (model === undefined && options['model'] === undefined)
    report(['options', 'model'], 'is missing', 'write the name that the model has at its provider');
  const url = readUrl(type, options, report);
  const key = readText(options, 'key', report);
  if (key === undefined && (type !== 'openai' || url === undefined)) {
    const hint = `write "key": "$ENV.${KEY_VARIABLES[type]}"`;
    report(['options', 'key'], 'is missing', type === 'openai' ? `${hint}, or give a host` : hint);
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    report(['options', 'key'], 'has characters that no key may have');
  const connector: Connector = { id, type, model: model ?? '' };
  if (key !== undefined) connector.key = key;
  if (url !== undefined) connector.url = url;
  else if (type === 'openai') connector.url = DEFAULT_OPENAI_URL;
  return connector;
}

/** The address below which the methods lie: a host that ends in a slash or a version is one already. */
function readUrl(
  type: keyof typeof VERSIONS,
  options: Record<string, unknown>,
  report: Report,
): string | undefined {
  const name = options['host'] === undefined || options['host'] === '' ? 'proxy' : 'host';
  const host = readText(options, name, report);
  if (host === undefined || isUnfilled(host)) return host;
  if (!/^https?:$/.test(URL.canParse(host) ? new URL(host).protocol : '')) {
    report(
      ['options', name],
      'is not an http:// or https:// address',
      'write https://host or https://host/path/',
    );
    return undefined;
  }
  const url = new URL(host);
  const path = url.pathname.replace(/\/+$/, '');
  const isWhole = /^[^?#]*\/(?:[?#]|$)/.test(host) || /\/v\d+(?:alpha|beta)?$/.test(path);
  url.pathname = isWhole ? path : `${path}/${VERSIONS[type]}`;
  url.hash = '';
  return url.href.replace(/\/$/, '');
}

function readShared(options: Record<string, unknown>, report: Report): Partial<Connector> {
  const headers = readHeaders(options, report);
  const call = readCallOptions(options, report);
  const concurrency = readConcurrency(options, report);
  const price = readPrice(options, report);
  return {
    ...(headers !== undefined && { headers }),
    ...(Object.keys(call).length > 0 && { options: call }),
    ...(concurrency !== undefined && { concurrency }),
    ...(price !== undefined && { price }),
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
