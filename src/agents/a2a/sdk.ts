// The official A2A SDK, an optional dependency of the user's project.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';

export type A2aSdk = typeof import('@a2a-js/sdk/client');

const PACKAGE = '@a2a-js/sdk';
const HINT = `npm i -D ${PACKAGE}`;

/** Resolves the SDK from one of the folders, else from Assay's own. Throws a ConfigError with the install command. */
export function findSdk(folders: readonly string[]): string {
  const starts = [
    ...folders.map((folder) => pathToFileURL(join(folder, 'package.json')).href),
    import.meta.url,
  ];
  for (const start of starts) {
    const path = resolveFrom(start);
    if (path === undefined) continue;
    const version = packageVersion(path);
    if (!version.startsWith('0.')) return path;
    const message = `A2A agents need version 1.3 or newer of the package ${PACKAGE}, not ${version}`;
    throw new ConfigError(message, { hint: `${HINT}@latest` });
  }
  throw new ConfigError(`A2A agents need the package ${PACKAGE}`, { hint: HINT });
}

export async function loadSdk(folders: readonly string[]): Promise<A2aSdk> {
  // The package's documented exports.
  return (await import(pathToFileURL(findSdk(folders)).href)) as A2aSdk;
}

function resolveFrom(from: string): string | undefined {
  try {
    return createRequire(from).resolve(`${PACKAGE}/client`);
  } catch {
    return undefined;
  }
}

/** The version in the package's package.json; empty if there is no such file. */
function packageVersion(path: string): string {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    const read = readJson(join(folder, 'package.json'));
    if (read?.['name'] === PACKAGE) return String(read['version']);
  }
  return '';
}

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
