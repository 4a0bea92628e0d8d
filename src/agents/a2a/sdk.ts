// The official SDK of the protocol, which people install only if they test such agents.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';

/** What of the SDK is used. */
export type A2aSdk = typeof import('@a2a-js/sdk/client');

const PACKAGE = '@a2a-js/sdk';
const HINT = `npm i -D ${PACKAGE}`;

/** Where the SDK lies: in one of these folders or above them, else beside Assay. Throws a ConfigError that says how to get it. */
export function findSdk(folders: readonly string[]): string {
  const places = [
    ...folders.map((folder) => pathToFileURL(join(folder, 'package.json')).href),
    import.meta.url,
  ];
  for (const place of places) {
    const path = resolveFrom(place);
    if (path === undefined) continue;
    const version = versionOf(path);
    if (!version.startsWith('0.')) return path;
    const message = `A2A agents need version 1.3 or newer of the package ${PACKAGE}, not ${version}`;
    throw new ConfigError(message, { hint: `${HINT}@latest` });
  }
  throw new ConfigError(`A2A agents need the package ${PACKAGE}`, { hint: HINT });
}

/** Loads it. */
export async function loadSdk(folders: readonly string[]): Promise<A2aSdk> {
  // What this module of the package exports.
  return (await import(pathToFileURL(findSdk(folders)).href)) as A2aSdk;
}

function resolveFrom(place: string): string | undefined {
  try {
    return createRequire(place).resolve(`${PACKAGE}/client`);
  } catch {
    return undefined;
  }
}

/** The version in the package's own package.json; empty if it is not to be found. */
function versionOf(path: string): string {
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
