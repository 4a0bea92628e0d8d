// Bundles of user scripts on disk: one manifest per entry, validated by file times, and by content if the times differ.

import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isObject } from '../json/is-object.ts';
import { fileState } from '../platform/file-state.ts';
import { makeFolder } from '../platform/make-folder.ts';
import type { ScriptFacts } from './build/script-build.ts';
import { stateFolder } from '../platform/state-folder.ts';
import { beginReplacement, replaceFile } from '../platform/replace-file.ts';
import { isTrusted, noteBundle } from './noted-bundles.ts';

/** The state of a file when it was read. */
export type FileState = { path: string; size: number; mtimeMs: number; ctimeMs: number; sha256: string };

export type Manifest = {
  entry: string;
  /** File name of the bundle, in the folder of the manifest. */
  output: string;
  /** Hash of the bundle; one that was cut or changed is built again. */
  sha256: string;
  /** The user's own files inside the bundle. */
  inputs: FileState[];
  /** Files that affect how imports are resolved: tsconfig.json, the package.json of every package. */
  guards: FileState[];
  /** The exported names of an ES module; unknown for CommonJS. */
  exports?: string[];
  /** Set for test files. */
  script?: ScriptFacts;
};

const STALE_MS = 60 * 60 * 1000;
/** Minimum time between two clean-ups of a folder, because many bundles may be written in a row. */
const CLEANING_MS = 1000;
const cleanedAt = new Map<string, number>();

/**
 * The folder for bundles: `.assay/cache` below the application root, or a folder in the system's temporary folder if
 * the root is not writable. Created if missing.
 */
export function cacheDirectory(root: string): string {
  try {
    const cache = stateFolder(root, 'cache');
    accessSync(cache, constants.W_OK | constants.X_OK);
    return cache;
  } catch {
    return temporaryCache();
  }
}

/** The manifest of an entry, if the files it was built from are unchanged. */
export function readManifest(cacheDir: string, key: string): Manifest | undefined {
  const path = manifestPath(cacheDir, key);
  const manifest = parseManifest(path);
  if (manifest === undefined || !isTrusted(path, manifest.sha256)) return undefined;
  const output = join(cacheDir, manifest.output);
  // Before it is read, so that a change in between is noticed.
  const state = fileState(output);
  if (fileHash(output) !== manifest.sha256) return undefined;

  let touched = false;
  const refresh = (states: FileState[]): FileState[] | undefined => {
    const current: FileState[] = [];
    for (const state of states) {
      const now = currentState(state);
      if (now === undefined) return undefined;
      if (now !== state) touched = true;
      current.push(now);
    }
    return current;
  };
  const inputs = refresh(manifest.inputs);
  const guards = inputs === undefined ? undefined : refresh(manifest.guards);
  if (inputs === undefined || guards === undefined) return undefined;

  const valid = { ...manifest, inputs, guards };
  if (touched) tryWrite(path, JSON.stringify(valid));
  noteBundle({ ...manifest, manifest: path, output, state });
  return valid;
}

/** Writes a bundle and its manifest; returns the path of the bundle. Safe with several processes and on a crash. */
export function writeBundle(
  cacheDir: string,
  key: string,
  code: string,
  parts: Omit<Manifest, 'output' | 'sha256'>,
  map?: string,
): string {
  const name = basename(parts.entry).replace(/\.[^.]*$/, '');
  const prefix = `${name}-${key}-`;
  const hash = sha256(code);
  const output = `${prefix}${hash.slice(0, 16)}.mjs`;
  const path = join(cacheDir, output);
  const manifest = manifestPath(cacheDir, key);
  if (map !== undefined) replaceFile(`${path}.map`, map);
  if (fileHash(path) !== hash) placeFile(path, code, hash);
  const state = fileState(path);
  replaceFile(manifest, JSON.stringify({ ...parts, output, sha256: hash } satisfies Manifest));
  noteBundle({ ...parts, manifest, output: path, sha256: hash, state });
  removeStale(cacheDir, prefix, output);
  return path;
}

/** Reads a file and its state. The state is read first, so a change in between is noticed the next time. */
export function readWithState(path: string): { content: Buffer; state: FileState } {
  const { size, mtimeMs, ctimeMs } = statSync(path);
  const content = readFileSync(path);
  return { content, state: { path, size, mtimeMs, ctimeMs, sha256: sha256(content) } };
}

/** The SHA-256 of a text or of bytes, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function fileHash(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** Leaves a file with the right content as it is: another run, which has just written it, would take it for changed. */
function placeFile(path: string, code: string, hash: string): void {
  const { temporary, commit, discard } = beginReplacement(path);
  try {
    writeFileSync(temporary, code);
    try {
      linkSync(temporary, path);
    } catch {
      if (fileHash(path) !== hash) commit();
    }
  } finally {
    discard();
  }
}

function currentState(state: FileState): FileState | undefined {
  const stats = statSync(state.path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.size === state.size && stats.mtimeMs === state.mtimeMs && stats.ctimeMs === state.ctimeMs)
    return state;
  if (stats.size !== state.size) return undefined;
  const { state: now } = readWithState(state.path);
  return now.sha256 === state.sha256 ? now : undefined;
}

function parseManifest(path: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    // Only this module writes manifests; anything else is rebuilt.
    const isKnown = isObject(manifest) && Array.isArray(manifest['inputs']) && isText(manifest['sha256']);
    return isKnown ? (manifest as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';

function manifestPath(cacheDir: string, key: string): string {
  return join(cacheDir, `${key}.json`);
}

function tryWrite(path: string, content: string): void {
  try {
    replaceFile(path, content);
  } catch {
    // The old manifest stays; the next reader compares the contents again.
  }
}

/** Removes old bundles after a while; another process may still be about to import one. */
function removeStale(cacheDir: string, prefix: string, current: string): void {
  const now = Date.now();
  if (now - (cleanedAt.get(cacheDir) ?? 0) < CLEANING_MS) return;
  cleanedAt.set(cacheDir, now);
  for (const name of readdirSync(cacheDir)) {
    const isOld = !name.startsWith(current) && (name.startsWith(prefix) || name.endsWith('.tmp'));
    if (!isOld) continue;
    const path = join(cacheDir, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && now - stats.mtimeMs > STALE_MS) rmSync(path, { force: true });
  }
}

function temporaryCache(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `assay-cache-${String(user)}`);
  makeFolder(folder, { mode: 0o700 });
  // The code in this folder is executed, so other users must not be able to write to it.
  const stats = lstatSync(folder);
  const isPrivate =
    stats.isDirectory() && (process.getuid === undefined || stats.uid === user) && (stats.mode & 0o022) === 0;
  if (isPrivate) return folder;
  const fresh = join(tmpdir(), `assay-cache-${String(user)}-${randomBytes(8).toString('hex')}`);
  mkdirSync(fresh, { mode: 0o700 });
  return fresh;
}
