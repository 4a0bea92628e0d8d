// Loads the package that turns V8's counts into reports; users install it only if they want coverage.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../../errors.ts';

type Monocart = typeof import('monocart-coverage-reports');

/** Loads the package, or throws a ConfigError with the install command. Call it before the tests run. */
export async function loadMonocart(root: string): Promise<Monocart> {
  const { default: monocart } = await loadPeer('monocart-coverage-reports', root);
  // The default export of the package's ES module.
  return monocart as Monocart;
}

/** Loads a package installed beside Assay or, if Assay is installed globally, in the user's project. */
export async function loadPeer(name: string, root: string): Promise<Record<string, unknown>> {
  for (const from of [import.meta.url, pathToFileURL(join(root, 'package.json')).href]) {
    const path = resolveFrom(name, from);
    if (path !== undefined) return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  }
  throw new ConfigError(`--coverage needs the package ${name}`, { hint: `npm i -D ${name}` });
}

function resolveFrom(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
