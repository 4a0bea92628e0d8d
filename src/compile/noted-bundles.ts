// The bundles that this process has checked or built. User code of the same user can write to the cache, so what it changed there
// is found at the end of a run and removed, and processes that judge are told the hashes of what they may load.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileState, MISSING } from '../platform/file-state.ts';

export type NotedBundle = {
  manifest: string;
  output: string;
  /** The file it was built from. */
  entry: string;
  sha256: string;
  /** The state of the bundle when its hash was checked. */
  state: string;
  /** Files that affect how imports are resolved. */
  guards: readonly { path: string }[];
};

/** By the path of the manifest. */
const noted = new Map<string, NotedBundle & { manifestState: string }>();
let trusted: Readonly<Record<string, string>> = {};

/** Notes a bundle; one that is known keeps its first state. */
export function noteBundle(bundle: NotedBundle): void {
  if (noted.get(bundle.manifest)?.output === bundle.output) return;
  noted.set(bundle.manifest, { ...bundle, manifestState: fileState(bundle.manifest) });
}

/** The hashes of the noted bundles by their manifests, for another process. */
export function bundleHashes(): Record<string, string> {
  return Object.fromEntries([...noted.values()].map(({ manifest, sha256 }) => [manifest, sha256]));
}

/** The package.json of every package that noted bundles of these files import. */
export function importedPackages(entries: readonly string[]): string[] {
  const wanted = new Set(entries);
  const bundles = [...noted.values()].filter(({ entry }) => wanted.has(entry));
  const paths = bundles.flatMap(({ guards }) => guards.map(({ path }) => path));
  return paths.filter((path) => basename(path) === 'package.json');
}

/** From here on a bundle whose hash is known must have it, or it is built again. */
export function trustBundles(hashes: Readonly<Record<string, string>>): void {
  trusted = hashes;
}

/** False if the bundle must have another hash. */
export function isTrusted(manifest: string, hash: string): boolean {
  return trusted[manifest] === undefined || trusted[manifest] === hash;
}

/**
 * Removes what something has written to since it was noted; gives the files whose bundles it was. A manifest may be written by
 * another run, too, so it is only removed: that costs the time to build the bundle again.
 */
export function removeChangedBundles(): string[] {
  const changed: string[] = [];
  for (const { manifest, manifestState, output, entry, state, sha256 } of noted.values()) {
    const now = fileState(output);
    if (now === state && fileState(manifest) === manifestState) continue;
    rmSync(manifest, { force: true });
    // Another first run at the same time builds the same bundle and puts it in this place.
    if (now === state || hashOf(output) === sha256) continue;
    for (const file of [output, `${output}.map`, `${output}.bin`]) rmSync(file, { force: true });
    if (now !== MISSING) changed.push(entry);
  }
  noted.clear();
  return changed;
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
