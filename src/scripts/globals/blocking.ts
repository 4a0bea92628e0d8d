// Detects scripts that block their process during network requests.

import { readFileSync } from 'node:fs';

const CALL = /\bhttp\s*\??\.\s*(?:Get|Head|Post|Put|Patch|Delete|Send)\s*(?:<[^()]*>\s*)?(?:\?\.)?\(/;

/** True if a file calls the synchronous `http`; its process then runs one attempt at a time. */
export function usesBlockingGlobals(files: readonly string[]): boolean {
  return files.some((file) => CALL.test(readText(file)));
}

/** Empty if the file cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
