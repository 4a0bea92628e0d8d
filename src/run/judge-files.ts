// The files that judge answers or run around the cases: scripts, hooks, judging agents and their connectors.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { importedPackages } from '../compile/noted-bundles.ts';
import { packageFiles } from '../compile/package-files.ts';
import { fileState } from '../platform/file-state.ts';

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

/** Notes the files that judge, and the packages that they import. */
export function noteJudges(files: readonly string[]): () => string[] {
  return noteFiles([...files, ...packageFiles(importedPackages(files))]);
}

/** Notes the state of files; the result lists those that have changed since. Even a file with its old content and time is noticed. */
function noteFiles(files: readonly string[]): () => string[] {
  const before = new Map(files.map((file) => [file, fileState(file)]));
  return () => files.filter((file) => fileState(file) !== before.get(file));
}
