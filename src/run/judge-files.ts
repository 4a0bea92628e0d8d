// The files that judge answers or run around the cases: scripts, hooks, judging agents and their connectors.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';

/** The fingerprint of files by their paths below the root and their content; undefined without files. */
export function judgeFingerprint(files: readonly string[], root: string): string | undefined {
  if (files.length === 0) return undefined;
  const hash = createHash('sha256');
  for (const file of [...files].sort()) hash.update(`${relative(root, file)}\0${contentHash(file)}\n`);
  return hash.digest('hex');
}

function contentHash(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return 'missing';
  }
}

/** Notes the state of files; the result lists those that have changed since. Even a file with its old content and time is noticed. */
export function noteFiles(files: readonly string[]): () => string[] {
  const before = new Map(files.map((file) => [file, stateOf(file)]));
  return () => files.filter((file) => stateOf(file) !== before.get(file));
}

function stateOf(file: string): string {
  try {
    const { ctimeNs, ino, size } = statSync(file, { bigint: true });
    return [ctimeNs, ino, size].join(' ');
  } catch {
    return 'missing';
  }
}
