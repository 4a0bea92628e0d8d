// Packages that only some users need and install themselves: resolved when they are used.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../errors.ts';

/** Loads a package from Assay's folder or from one above `folder`; throws ConfigError that says how to install it. */
export async function loadPeer(
  name: string,
  { folder, need, at }: { folder: string; need: string; at?: string },
): Promise<Record<string, unknown>> {
  for (const from of [import.meta.url, pathToFileURL(join(folder, 'package.json')).href]) {
    const path = resolveFrom(name, from);
    if (path !== undefined) return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  }
  throw new ConfigError(`${need} the package ${name}`, {
    hint: `npm i -D ${name}`,
    ...(at !== undefined && { at }),
  });
}

function resolveFrom(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
