// Scripts that are called by name: `scripts.<path>.<Fn>` and `agents.<id>.<module>.<Fn>`.

import { relative } from 'node:path';
import { AttemptError } from '../errors.ts';
import type { ContextData } from '../model/context.ts';
import { bundleModule, findFunction } from '../compile/bundle.ts';
import { cacheDirectory } from '../compile/bundle-cache.ts';
import { calledScripts } from './globals/called-scripts.ts';
import { importScript } from './globals/import-script.ts';
import { locateScript } from './globals/locate-script.ts';
import { explainMissingGlobal } from './globals/missing-global.ts';
import { raceSignal } from '../platform/race.ts';
import { trimStack } from './stack.ts';
import { userContext } from './user-context.ts';

type ScriptOptions = { root: string; context: ContextData; signal: AbortSignal };

/** Scripts this process has imported; it lives no longer than a run. */
const imported = new Map<string, Record<string, unknown>>();

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
  const script = locateScript(reference, root);
  if (script.problem !== undefined) throw new AttemptError('harness', script.problem);
  try {
    const namespace =
      imported.get(script.file) ?? (await raceSignal(importScript(script.file, { root }), signal));
    imported.set(script.file, namespace);
    const call = findFunction(namespace, script.name);
    if (call === undefined) {
      throw new AttemptError(
        'harness',
        `${reference}: ${relative(root, script.file)} has no function "${script.name}"`,
      );
    }
    const result = call(...args, userContext(context, { signal }));
    return isPromiseLike(result) ? await raceSignal(result, signal) : result;
  } catch (thrown) {
    const error = explainMissingGlobal(thrown);
    if (error instanceof Error) trimStack(error);
    throw error;
  }
}

/** What is wrong with a reference to a script, found without running it; nothing if it can be called. */
export function checkScript(reference: string, { root }: { root: string }): string | undefined {
  return locateScript(reference, root).problem;
}

/**
 * The file of a script, everything it imports from files of the user and everything it calls through `Process`;
 * none if the reference leads nowhere. Throws a ConfigError if it cannot be compiled; places below `cwd` are shown
 * relative to it.
 */
export async function scriptFiles(
  reference: string,
  { root, cwd = root }: { root: string; cwd?: string },
): Promise<string[]> {
  const script = locateScript(reference, root);
  if (script.problem !== undefined) return [];
  const { inputs } = await bundleModule(script.file, { cacheDir: cacheDirectory(root), cwd });
  const called = await calledScripts(script.file, { root });
  return [...new Set([...inputs, ...called.flatMap((other) => other.inputs)])].sort();
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
