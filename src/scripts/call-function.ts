// Calls a user's function by name.

import { calledScripts } from './globals/called-scripts.ts';
import { importScript } from './globals/import-script.ts';
import { locateScript } from './globals/locate-script.ts';
import { explainMissingGlobal } from './globals/missing-global.ts';
import type { SearchPath } from './locate-function.ts';
import { locateFunction, missingFunction } from './locate-function.ts';
import { readPythonReference } from './python-reference.ts';
import { raceSignal } from '../platform/race.ts';
import { trimStack } from './stack.ts';
import type { UserContext } from './user-context.ts';
import { explainMissingMember, userContext } from './user-context.ts';
import { AttemptError, ConfigError } from '../errors.ts';
import type { ContextData } from '../model/context.ts';
import { bundleModule, findFunction } from '../compile/bundle.ts';
import { cacheDirectory } from '../compile/bundle-cache.ts';

/** Modules that this process has imported. */
const imported = new Map<string, Record<string, unknown>>();

/**
 * Calls a user's function; `args` builds its arguments from the context. For worker processes only.
 * Rethrows errors of the function.
 * @example await callFunction('env_test.Before', (ctx) => [ctx, testCase], { root, folder, context, signal })
 */
export async function callFunction(
  reference: string,
  makeArgs: (context: UserContext) => unknown[],
  { root, folder, context, signal }: SearchPath & { context: ContextData; signal: AbortSignal },
): Promise<unknown> {
  const found = locateFunction(reference, { root, folder });
  if (found.problem !== undefined) throw new AttemptError('harness', found.problem);
  const host = { root, folder: folder ?? root, agentId: context.assistant_id };
  const ctx = userContext(context, { signal }, host);
  try {
    const namespace =
      imported.get(found.file) ?? (await raceSignal(importScript(found.file, { root }), signal));
    imported.set(found.file, namespace);
    const call = findFunction(namespace, found.name);
    if (call === undefined)
      throw new AttemptError('harness', `${reference}: ${missingFunction(found.name, found.file, root)}`);
    const result = call(...makeArgs(ctx));
    return isPromiseLike(result) ? await raceSignal(result, signal) : result;
  } catch (thrown) {
    const error = explainMissingGlobal(explainMissingMember(thrown, ctx));
    if (error instanceof Error) trimStack(error);
    throw error;
  }
}

/** Calls a script with `args`, followed by the context. */
export async function callScript(
  reference: string,
  args: unknown[],
  options: { root: string; context: ContextData; signal: AbortSignal },
): Promise<unknown> {
  return callFunction(reference, (context) => [...args, context], options);
}

/** The problem with a reference to a script, found without running it; undefined if it can be called. */
export function checkScript(reference: string, { root }: { root: string }): string | undefined {
  return locateScript(reference, root).problem;
}

/**
 * The files that a function is made of, with everything it may call through `Process`. Throws a ConfigError if there is
 * no such function or its files cannot be compiled.
 */
export async function checkFunction(
  reference: string,
  { root, folder, cwd }: SearchPath & { cwd: string },
): Promise<{ files: string[] }> {
  const found = locateFunction(reference, { root, folder });
  if (found.problem !== undefined) throw new ConfigError(found.problem);
  return { files: await listFiles(found.file, { root, cwd }) };
}

/** The same files of a script, sorted; none if the reference leads nowhere. `folder` may have Python files beside the root. */
export async function scriptFiles(
  reference: string,
  { root, cwd = root, folder = root, env = {} }: ScriptPlace,
): Promise<string[]> {
  const python = readPythonReference(reference);
  if (python !== undefined) {
    const { checkPython } = await import('./python/call-python.ts');
    return checkPython(python, { root, cwd, folder, env });
  }
  const script = locateScript(reference, root);
  return script.problem === undefined ? (await listFiles(script.file, { root, cwd })).sort() : [];
}

type ScriptPlace = {
  root: string;
  cwd?: string;
  folder?: string;
  env?: Record<string, string | undefined>;
};

async function listFiles(file: string, { root, cwd }: { root: string; cwd: string }): Promise<string[]> {
  const { inputs } = await bundleModule(file, { cacheDir: cacheDirectory(root), cwd });
  const called = await calledScripts(file, { root });
  return [...new Set([...inputs, ...called.flatMap((other) => other.inputs)])];
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
