// Scripts that block their process while they wait for an answer from the network.

import { readFileSync } from 'node:fs';

const CALL = /\bhttp\s*\??\.\s*(?:Get|Head|Post|Put|Patch|Delete|Send)\s*(?:<[^()]*>\s*)?(?:\?\.)?\(/;

/** Whether any of the files calls the synchronous `http`; then its process takes one attempt at a time. */
export function usesBlockingGlobals(files: readonly string[]): boolean {
  return files.some((file) => CALL.test(readText(file)));
}

/** What cannot be read cannot be called either. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
