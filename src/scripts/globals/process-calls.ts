// Finds the scripts that a bundle calls through `Process`, by searching its text.

/** Literal names, and the literal prefixes (may be empty) of names computed at run time. */
export type ProcessCalls = { names: string[]; prefixes: string[] };

/** `Process(` and its first argument, also as a property of the global object or of an import. */
const CALL =
  /(?:(?<![\w$.]|function\s+)(?:globalThis\.)?Process|\(0, [\w$]+\.Process\))(?:\?\.)?\(\s*(?!\))(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|`(?<template>[^`$]*)`?)?(?<end>\s*[,)])?/g;
/** `Process` assigned or passed on: its arguments are unknown. */
const PASSED_ON = /(?:[=(:?]|(?<!\(0),)\s*(?:[\w$]+\.)?Process\s*[;,)}\n]/;
/** The bundler's code for a declared global, also for one that is declared only as a type. */
const REACHABLE = /typeof Process === "undefined" \? (?:void 0|undefined) : Process/;

/** `bundle` is bundled code, without comments and types. */
export function findProcessCalls(bundle: string): ProcessCalls {
  const names = new Set<string>();
  const prefixes = new Set<string>();
  const code = ownCode(bundle);
  for (const { groups = {} } of code.matchAll(CALL)) {
    const name = groups['double'] ?? groups['single'] ?? groups['template'];
    if (name !== undefined && groups['end'] !== undefined) names.add(name);
    else prefixes.add(name ?? '');
  }
  if (PASSED_ON.test(code)) prefixes.add('');
  return { names: [...names], prefixes: [...prefixes] };
}

/** The code without the bundler's additions. */
function ownCode(bundle: string): string {
  const end = bundle.lastIndexOf('\n//# sourceMappingURL=');
  return (end === -1 ? bundle : bundle.slice(0, end)).replace(REACHABLE, '');
}
