// Finds a connector by name and checks it.

import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { collectProblems, ConfigError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import { nearest } from '../text/nearest.ts';
import { displayPath } from '../platform/paths.ts';
import { readYaoFile } from '../json/yao-file.ts';
import { readConnectorFile } from './connector-file.ts';

export type FoundConnector = {
  connector: Connector;
  /** The file that defines it. */
  file: string;
  /** All files it is made of; the defining file is first. */
  files: string[];
  /** Values that must be masked. */
  secrets: string[];
};

export type ConnectorPlaces = {
  /** The application root. */
  root: string;
  /** The folder of an assistant, which may have its own connectors. */
  folder?: string;
};

const ENDING = /\.conn\.(?:yao|jsonc?)$/;

/**
 * Finds a connector and checks it; throws one ConfigError with all problems.
 * @example await findConnector('openai.gpt-4o', { root, env, cwd }) // connectors/openai/gpt-4o.conn.yao
 */
export async function findConnector(
  id: string,
  options: ConnectorPlaces & { env: Record<string, string | undefined>; cwd: string },
): Promise<FoundConnector> {
  const { root, env, cwd } = options;
  const known = connectorFiles(options);
  const file = known.get(id);
  if (file === undefined) throw notFound(id, [...known.keys()].sort(), options);
  const { connector, inputs, secrets } = await readConnectorFile(id, file, { root, env, cwd });
  return { connector, file, files: [file, ...inputs], secrets };
}

/** The ids of all connectors, sorted. */
export function listConnectors(places: ConnectorPlaces): string[] {
  return [...connectorFiles(places).keys()].sort();
}

/** The secrets of all connectors of the application, also of unused and invalid ones. */
export async function secretsOfConnectors(options: {
  root: string;
  env: Record<string, string | undefined>;
  cwd: string;
}): Promise<string[]> {
  const { env, cwd } = options;
  const secrets: string[] = [];
  for (const file of connectorFiles(options).values()) {
    const read = await collectProblems([], () => readYaoFile(file, { env, cwd }));
    secrets.push(...(read?.secrets ?? []));
  }
  return secrets;
}

/** All connector files by id. Ids are looked up as a whole, because file names may contain dots. */
function connectorFiles(places: ConnectorPlaces): Map<string, string> {
  const files = new Map<string, string>();
  for (const base of connectorFolders(places)) {
    for (const file of filesBelow(base)) {
      const id = relative(base, file).replace(ENDING, '').split(sep).join('.');
      if (!files.has(id)) files.set(id, file);
    }
  }
  return files;
}

function connectorFolders({ root, folder }: ConnectorPlaces): string[] {
  const own = folder === undefined || folder === root ? [] : [join(folder, 'connectors')];
  return [...own, join(root, 'connectors')];
}

function filesBelow(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return filesBelow(path);
    return ENDING.test(entry.name) ? [path] : [];
  });
}

function notFound(id: string, ids: string[], places: ConnectorPlaces & { cwd: string }): ConfigError {
  const looked = connectorFolders(places).map((folder) => displayPath(folder, places.cwd));
  const similar = nearest(id, ids);
  const file = `connectors/${id.replace('.', '/')}.conn.yao`;
  const hint =
    similar.length > 0
      ? `did you mean ${similar.join(' or ')}?`
      : ids.length > 0
        ? `known connectors: ${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ` and ${String(ids.length - 10)} more` : ''}`
        : `there are no connectors yet; write ${file}`;
  return new ConfigError(`no connector "${id}"; looked in ${looked.join(' and ')}`, { hint });
}
