// Which scripts a bundle calls through `Process`, found by a cheap look at its text.

/** Names that are written out, and the beginnings (perhaps empty) of those that are put together while the script runs. */
export type ProcessCalls = { names: string[]; prefixes: string[] };

/** `Process(`, also of the global object and of an import as a bundle writes it, with the text it is called with. */
const CALL =
  /(?:(?<![\w$.]|function\s+)(?:globalThis\.)?Process|\(0, [\w$]+\.Process\))(?:\?\.)?\(\s*(?!\))(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|`(?<template>[^`$]*)`?)?(?<end>\s*[,)])?/g;
/** `Process` under another name or as an argument: what it will be called with cannot be seen. */
const HANDED_ON = /(?:[=(:?]|(?<!\(0),)\s*(?:[\w$]+\.)?Process\s*[;,)}\n]/;
/** How a bundle makes a declared name reachable, also one that is declared for its type only. */
const REACHABLE = /typeof Process === "undefined" \? (?:void 0|undefined) : Process/;

/** Looks at the code of a bundle, which has neither comments nor types. */
export function findProcessCalls(bundle: string): ProcessCalls {
  const names = new Set<string>();
  const prefixes = new Set<string>();
  const code = ownCode(bundle);
  for (const { groups = {} } of code.matchAll(CALL)) {
    const name = groups['double'] ?? groups['single'] ?? groups['template'];
    if (name !== undefined && groups['end'] !== undefined) names.add(name);
    else prefixes.add(name ?? '');
  }
  if (HANDED_ON.test(code)) prefixes.add('');
  return { names: [...names], prefixes: [...prefixes] };
}

/** Without what bundling adds. */
function ownCode(bundle: string): string {
  const end = bundle.lastIndexOf('\n//# sourceMappingURL=');
  return (end === -1 ? bundle : bundle.slice(0, end)).replace(REACHABLE, '');
}
