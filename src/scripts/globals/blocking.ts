// Detects scripts that block their process during requests to other processes and machines.

import { readFileSync } from 'node:fs';

const CALL = /\bhttp\s*\??\.\s*(?:Get|Head|Post|Put|Patch|Delete|Send)\s*(?:<[^()]*>\s*)?(?:\?\.)?\(/;

/** Members of `ctx.mcp`, `llm`, `agent`, `search` and `sandbox`, however the group is named there. */
const MEMBER =
  /\.\s*(?:All|Any|Call|CallTools?|CallToolsParallel|DB|Exec|GetPrompt|KB|ListPrompts|ListResources|ListTools|Race|ReadResource|Stream|Web)\s*(?:\?\.)?\(/;

/** True if a file calls the synchronous `http` or such a member; its process then runs one attempt at a time. */
export function usesBlockingGlobals(files: readonly string[]): boolean {
  return files.some((file) => {
    const text = readText(file);
    return CALL.test(text) || MEMBER.test(text);
  });
}

/** Empty if the file cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
