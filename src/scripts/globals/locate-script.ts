// Finds the file of a script by name: `scripts.<path>.<Fn>` or `agents.<id>.<module>.<Fn>`.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { didYouMean } from '../../text/nearest.ts';
import { isAgentFolder } from '../../json/agent-file.ts';
import { topLevelNames } from '../../compile/top-level-names.ts';
import { isFile, isFolder } from '../../platform/file-stats.ts';

export type LocatedScript = { file: string; name: string; problem?: undefined } | { problem: string };

/** Extensions of scripts, in the order of precedence. */
export const SCRIPT_EXTENSIONS = ['.ts', '.js', '.mjs'];
/** How long a result is cached: it is needed once per case, and files change in watch mode. */
const FRESH_MS = 500;

const located = new Map<string, { at: number; result: LocatedScript }>();

/** Finds the file and the function that a reference names, without running anything. */
export function locateScript(reference: string, root: string): LocatedScript {
  const key = `${root}\0${reference}`;
  const now = performance.now();
  const known = located.get(key);
  if (known !== undefined && now - known.at < FRESH_MS) return known.result;
  if (located.size > 1000) located.clear();
  const result = search(reference, root);
  located.set(key, { at: now, result });
  return result;
}

function search(reference: string, root: string): LocatedScript {
  const [kind, ...rest] = reference.split('.');
  const name = rest.pop() ?? '';
  const isNamed = (kind === 'scripts' || kind === 'agents') && rest.length >= (kind === 'agents' ? 2 : 1);
  if (!isNamed || ![...rest, name].every((part) => /^[\w$-]+$/.test(part))) {
    return {
      problem: `"${reference}" is not the name of a script: write scripts.<path>.<Function> or agents.<id>.<module>.<Function>`,
    };
  }
  const candidates = candidateFiles(kind, rest, root);
  const files = candidates.filter(isFile);
  if (files.length === 0) {
    const tried = candidates.map((file) => shown(file, root)).join(', ');
    return { problem: `${reference}: no such script; looked for ${tried} below ${root}` };
  }
  return pickFile(reference, files, name, root);
}

/**
 * The files that a reference without its function may mean.
 * @example moduleFiles('scripts.math', root) // ['…/scripts/math.ts']
 */
export function moduleFiles(module: string, root: string): string[] {
  const [kind = '', ...path] = module.split('.');
  const isNamed = kind === 'scripts' ? path.length >= 1 : kind === 'agents' && path.length >= 2;
  return isNamed ? candidateFiles(kind, path, root).filter(isFile) : [];
}

function candidateFiles(kind: string | undefined, path: string[], root: string): string[] {
  return kind === 'scripts' ? ownFiles(path, root) : assistantFiles(path, [join(root, 'assistants')], ['']);
}

function pickFile(reference: string, files: string[], name: string, root: string): LocatedScript {
  const seen: string[] = [];
  for (const file of files) {
    const { names, isComplete } = topLevelNames(readFileSync(file, 'utf8'));
    if (!isComplete || names.includes(name)) return { file, name };
    seen.push(...names);
  }
  const hint = didYouMean(name, seen);
  const places = files.map((file) => shown(file, root)).join(' and ');
  return {
    problem: `${reference}: no function "${name}" in ${places}${hint === undefined ? '' : `; ${hint}`}`,
  };
}

function ownFiles(path: string[], root: string): string[] {
  const own = SCRIPT_EXTENSIONS.map((extension) => join(root, 'scripts', ...path) + extension);
  if (path.length < 2) return own;
  return [...own, ...assistantFiles(path, [join(root, 'assistants'), root], ['_test', ''])];
}

/** Files of the assistant with the longest matching folder; all candidates if no folder matches. */
function assistantFiles(path: string[], bases: string[], suffixes: string[]): string[] {
  const filesIn = (base: string, length: number): string[] => {
    const module = join(base, ...path.slice(0, length), 'src', ...path.slice(length));
    return suffixes.flatMap((suffix) => SCRIPT_EXTENSIONS.map((extension) => module + suffix + extension));
  };
  for (let length = path.length - 1; length > 0; length -= 1) {
    for (const base of bases) {
      const folder = join(base, ...path.slice(0, length));
      if (isFolder(join(folder, 'src')) || isAgentFolder(folder)) return filesIn(base, length);
    }
  }
  return bases.flatMap((base) => filesIn(base, path.length - 1)).filter((file) => file.endsWith('.ts'));
}

function shown(file: string, root: string): string {
  return relative(root, file);
}
