// Compiles test files once: a path in, the bundle and facts about the file out.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest, sha256, writeBundle } from './bundle-cache.ts';
import { checkCodeCache } from './code-cache.ts';
import { readEsbuildVersion } from './bundle.ts';
import type { ScriptFacts } from './build/script-build.ts';

export type ScriptBundle = ScriptFacts & {
  bundle: string;
  inputs: string[];
  sha256: string;
  /** The state of its code cache, if there is one that can be used. */
  code_cache?: string;
};

/** Increase it when bundles are built differently, so that old ones are not reused. */
const FORMAT_VERSION = 8;

/** Compiles a test file, or finds it in the cache without loading esbuild. Throws a ConfigError with all errors. */
export async function bundleScript(
  path: string,
  options: { module?: string | undefined; cacheDir: string; cwd: string },
): Promise<ScriptBundle> {
  const { cacheDir, cwd } = options;
  // A symbolic link is compiled as its target.
  const file = realpathSync(path);
  const module = options.module === undefined ? undefined : realpathSync(options.module);
  const parts = [file, module ?? '', readEsbuildVersion(), 'script', String(FORMAT_VERSION)];
  const key = sha256(parts.join('\0')).slice(0, 16);
  const known = readManifest(cacheDir, key);
  if (known?.script !== undefined)
    return toScriptBundle(join(cacheDir, known.output), known.inputs, known.script);

  const { buildScript } = await import('./build/script-build.ts');
  const { code, map, facts, ...built } = await buildScript(file, { module, outdir: cacheDir, cwd });
  const bundle = writeBundle(cacheDir, key, code, { entry: file, ...built, script: facts }, map);
  return toScriptBundle(bundle, built.inputs, facts);
}

function toScriptBundle(
  bundle: string,
  inputs: readonly { path: string; sha256: string }[],
  facts: ScriptFacts,
): ScriptBundle {
  const hashes = inputs.map(({ sha256: hash }) => hash).join('\n');
  const code_cache = facts.isolation === 'context' ? checkCodeCache(bundle) : undefined;
  return {
    ...facts,
    bundle,
    inputs: inputs.map(({ path }) => path),
    sha256: sha256(hashes),
    ...(code_cache !== undefined && { code_cache }),
  };
}
