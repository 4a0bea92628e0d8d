// The code cache of V8 beside the bundle of a test file. V8 executes it without a check of its own, so it begins with a hash, which
// the coordinator checks: a worker uses a cache only if nothing was written to it since.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileState } from '../platform/file-state.ts';
import { replaceFile } from '../platform/replace-file.ts';

/** Characters of a SHA-256 in hexadecimal. */
const HASH_LENGTH = 64;

/** The state of a bundle's code cache, if it is what was written. */
export function checkCodeCache(bundle: string): string | undefined {
  // Before it is read, so that a change in between is noticed.
  const state = fileState(pathOf(bundle));
  const bytes = readBytes(pathOf(bundle));
  if (bytes === undefined) return undefined;
  const hash = bytes.subarray(0, HASH_LENGTH).toString('latin1');
  return hash === hashOf(bundle, bytes.subarray(HASH_LENGTH)) ? state : undefined;
}

/** The code cache of a bundle, if its state is still the one that was checked. */
export function readCodeCache(bundle: string, checked: string | undefined): Buffer | undefined {
  if (checked === undefined) return undefined;
  const bytes = readBytes(pathOf(bundle));
  return fileState(pathOf(bundle)) === checked ? bytes?.subarray(HASH_LENGTH) : undefined;
}

/** Saves the compiled functions of a bundle, so that the next run need not compile them. */
export function writeCodeCache(bundle: string, compiled: Buffer): void {
  try {
    const hash = Buffer.from(hashOf(bundle, compiled), 'latin1');
    replaceFile(pathOf(bundle), Buffer.concat([hash, compiled]));
  } catch {
    // Only an optimization: go on without the cache.
  }
}

/** Also of the name of the bundle, which has a hash of its code. */
function hashOf(bundle: string, compiled: Uint8Array): string {
  // Loaded only here: it takes two milliseconds, and a worker that reads a cache does not need it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256')
    .update(`${basename(bundle)}\n`)
    .update(compiled)
    .digest('hex');
}

function pathOf(bundle: string): string {
  return `${bundle}.bin`;
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
