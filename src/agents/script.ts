// Scripts that are called by name: `scripts.<path>.<Fn>` and `agents.<id>.<module>.<Fn>`.

import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { AttemptError } from '../errors.ts';
import type { ContextData } from '../model/context.ts';
import { bundleModule, findFunction, importModule } from '../platform/bundle.ts';
import { cacheDirectory } from '../platform/bundle-cache.ts';
import { didYouMean } from '../platform/nearest.ts';
import { topLevelNames } from '../platform/top-level-names.ts';
import { raceSignal } from './race.ts';
import { trimStack } from './stack.ts';
import { userContext } from './user-context.ts';

type ScriptOptions = { root: string; context: ContextData; signal: AbortSignal };

/** A script that was found, or what is wrong with the reference. */
type Located = { file: string; name: string; problem?: undefined } | { problem: string };

const EXTENSIONS = ['.ts', '.js', '.mjs'];
/** How long an answer of `locate` is good: it is asked for once per case, and files change under watch mode. */
const FRESH_MS = 500;

/** Scripts this process has imported; it lives no longer than a run. */
const imported = new Map<string, Record<string, unknown>>();
const located = new Map<string, { at: number; result: Located }>();

/**
 * Calls a script with `args` and, after them, the context; only for processes that may run user code.
 * Whatever the script throws is thrown on.
 */
export async function callScript(
  reference: string,
  args: unknown[],
  options: ScriptOptions,
): Promise<unknown> {
  const { root, context, signal } = options;
  const script = locate(reference, root);
  if (script.problem !== undefined) throw new AttemptError('harness', script.problem);
  try {
    const namespace =
      imported.get(script.file) ?? (await raceSignal(importModule(script.file, { root }), signal));
    imported.set(script.file, namespace);
    const call = findFunction(namespace, script.name);
    if (call === undefined) {
      throw new AttemptError(
        'harness',
        `${reference}: ${shown(script.file, root)} has no function "${script.name}"`,
      );
    }
    const result = call(...args, userContext(context, { signal }));
    return isPromiseLike(result) ? await raceSignal(result, signal) : result;
  } catch (error) {
    if (error instanceof Error) trimStack(error);
    throw error;
  }
}

/** What is wrong with a reference to a script, found without running it; nothing if it can be called. */
export function checkScript(reference: string, { root }: { root: string }): string | undefined {
  return locate(reference, root).problem;
}

/**
 * The file of a script and everything it imports from files of the user; none if the reference leads nowhere.
 * Throws a ConfigError if it cannot be compiled; places below `cwd` are shown relative to it.
 */
export async function scriptFiles(
  reference: string,
  { root, cwd = root }: { root: string; cwd?: string },
): Promise<string[]> {
  const script = locate(reference, root);
  if (script.problem !== undefined) return [];
  const { inputs } = await bundleModule(script.file, { cacheDir: cacheDirectory(root), cwd });
  return [...inputs].sort();
}

function locate(reference: string, root: string): Located {
  const key = `${root}\0${reference}`;
  const now = performance.now();
  const known = located.get(key);
  if (known !== undefined && now - known.at < FRESH_MS) return known.result;
  if (located.size > 1000) located.clear();
  const result = search(reference, root);
  located.set(key, { at: now, result });
  return result;
}

function search(reference: string, root: string): Located {
  const [kind, ...rest] = reference.split('.');
  const name = rest.pop() ?? '';
  const isNamed = (kind === 'scripts' || kind === 'agents') && rest.length >= (kind === 'agents' ? 2 : 1);
  if (!isNamed || ![...rest, name].every((part) => /^[\w$-]+$/.test(part))) {
    return {
      problem: `"${reference}" is not the name of a script: write scripts.<path>.<Function> or agents.<id>.<module>.<Function>`,
    };
  }
  const candidates =
    kind === 'scripts' ? ownFiles(rest, root) : assistantFiles(rest, [join(root, 'assistants')], ['']);
  const files = candidates.filter(isFile);
  if (files.length === 0) {
    const tried = candidates.map((file) => shown(file, root)).join(', ');
    return { problem: `${reference}: no such script; looked for ${tried} below ${root}` };
  }
  return pickFile(reference, files, name, root);
}

/** The first file that has the function. */
function pickFile(reference: string, files: string[], name: string, root: string): Located {
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
  const own = EXTENSIONS.map((extension) => join(root, 'scripts', ...path) + extension);
  if (path.length < 2) return own;
  return [...own, ...assistantFiles(path, [join(root, 'assistants'), root], ['_test', ''])];
}

/** Files of the assistant whose folder is the longest part of the path; all that could be meant if there is none. */
function assistantFiles(path: string[], bases: string[], suffixes: string[]): string[] {
  const filesIn = (base: string, length: number): string[] => {
    const module = join(base, ...path.slice(0, length), 'src', ...path.slice(length));
    return suffixes.flatMap((suffix) => EXTENSIONS.map((extension) => module + suffix + extension));
  };
  for (let length = path.length - 1; length > 0; length -= 1) {
    for (const base of bases) {
      const folder = join(base, ...path.slice(0, length));
      if (isFile(join(folder, 'package.yao')) || isFolder(join(folder, 'src'))) return filesIn(base, length);
    }
  }
  return bases.flatMap((base) => filesIn(base, path.length - 1)).filter((file) => file.endsWith('.ts'));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function shown(file: string, root: string): string {
  return relative(root, file);
}
