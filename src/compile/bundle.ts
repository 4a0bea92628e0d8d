// User scripts in TypeScript or JavaScript: a path in, an ES module that Node can import out.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Manifest } from './bundle-cache.ts';
import { cacheDirectory, readManifest, sha256, writeBundle } from './bundle-cache.ts';
import { vendoredFile } from '../platform/vendored.ts';

/** A script as one ES module, the files it was built from, and its exports if they are known. */
export type Bundle = { file: string; inputs: string[]; exports?: string[] };

/** Increase it when bundles are built differently, so that old ones are not reused. */
const FORMAT_VERSION = 5;

let esbuildVersion: string | undefined;

/**
 * Bundles a script, or finds its bundle in the cache, which takes a few file-system calls and no esbuild.
 * Throws a ConfigError with all syntax errors and unresolved imports; paths below `cwd` are shown relative to it.
 */
export async function bundleModule(
  file: string,
  options: { cacheDir: string; cwd?: string },
): Promise<Bundle> {
  const { cacheDir, cwd = '/' } = options;
  const key = sha256(`${file}\0${readEsbuildVersion()}\0${String(FORMAT_VERSION)}`).slice(0, 16);
  const known = readManifest(cacheDir, key);
  if (known !== undefined) return toBundle(join(cacheDir, known.output), known);

  const { buildBundle } = await import('./build/bundle-build.ts');
  const { code, ...parts } = await buildBundle(file, { outdir: cacheDir, cwd });
  return toBundle(writeBundle(cacheDir, key, code, { entry: file, ...parts }), parts);
}

function toBundle(file: string, { inputs, exports }: Pick<Manifest, 'exports' | 'inputs'>): Bundle {
  return { file, inputs: inputs.map(({ path }) => path), exports };
}

/**
 * Imports a user script; only for processes that may run user code. `direct` imports plain JavaScript without bundling,
 * which is faster, but only its exports can be found then.
 */
export async function importModule(
  file: string,
  { root, direct = false }: { root: string; direct?: boolean },
): Promise<Record<string, unknown>> {
  process.setSourceMapsEnabled(true);
  const isPlain = direct && /\.[cm]?js$/.test(file);
  const path = isPlain ? file : (await bundleModule(file, { cacheDir: cacheDirectory(root) })).file;
  // A module namespace is a record of its exports.
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}

/** Finds a function of an imported script: an export, a member of its default export, or a top-level declaration. */
export function findFunction(
  namespace: Record<string, unknown>,
  name: string,
): ((...args: unknown[]) => unknown) | undefined {
  for (const holder of [namespace, namespace['default'], namespace['__assay']]) {
    if ((typeof holder !== 'object' && typeof holder !== 'function') || holder === null) continue;
    const value: unknown = Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
    // The author of the script decides on the parameters, so any arguments are fine.
    if (typeof value === 'function') return value as (...args: unknown[]) => unknown;
  }
  return undefined;
}

/** The version of esbuild; part of the cache key of every bundle. */
export function readEsbuildVersion(): string {
  if (esbuildVersion !== undefined) return esbuildVersion;
  const load = createRequire(import.meta.url);
  const { version } = load(vendoredFile('./esbuild/package.json') ?? 'esbuild/package.json') as {
    version: string;
  };
  esbuildVersion = version;
  return version;
}
