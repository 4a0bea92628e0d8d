// Calls a user's function by name: `env_test.Before` in the `src/` of an assistant, or `scripts.<path>.<Fn>` and
// `agents.<id>.<module>.<Fn>` anywhere in the application.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { calledScripts } from './globals/called-scripts.ts';
import { importScript } from './globals/import-script.ts';
import type { LocatedScript } from './globals/locate-script.ts';
import { locateScript, SCRIPT_EXTENSIONS } from './globals/locate-script.ts';
import { explainMissingGlobal } from './globals/missing-global.ts';
import { raceSignal } from '../platform/race.ts';
import { trimStack } from './stack.ts';
import type { UserContext } from './user-context.ts';
import { userContext } from './user-context.ts';
import { AttemptError, ConfigError } from '../errors.ts';
import type { AgentDefinition } from '../model/agent.ts';
import type { ContextData } from '../model/context.ts';
import { bundleModule, findFunction } from '../compile/bundle.ts';
import { cacheDirectory } from '../compile/bundle-cache.ts';
import { didYouMean } from '../text/nearest.ts';
import { isInside } from '../platform/paths.ts';
import { topLevelNames } from '../compile/top-level-names.ts';

/** Where to look for a function; `folder` defaults to the root. */
type SearchPath = { root: string; folder?: string | undefined };

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
  const found = locate(reference, { root, folder });
  if (found.problem !== undefined) throw new AttemptError('harness', found.problem);
  try {
    const namespace =
      imported.get(found.file) ?? (await raceSignal(importScript(found.file, { root }), signal));
    imported.set(found.file, namespace);
    const call = findFunction(namespace, found.name);
    if (call === undefined)
      throw new AttemptError('harness', `${reference}: ${missingFunction(found.name, found.file, root)}`);
    const result = call(...makeArgs(userContext(context, { signal })));
    return isPromiseLike(result) ? await raceSignal(result, signal) : result;
  } catch (thrown) {
    const error = explainMissingGlobal(thrown);
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
  const found = locate(reference, { root, folder });
  if (found.problem !== undefined) throw new ConfigError(found.problem);
  return { files: await listFiles(found.file, { root, cwd }) };
}

/** The same files of a script, sorted; none if the reference leads nowhere. */
export async function scriptFiles(
  reference: string,
  { root, cwd = root }: { root: string; cwd?: string },
): Promise<string[]> {
  const script = locateScript(reference, root);
  return script.problem === undefined ? (await listFiles(script.file, { root, cwd })).sort() : [];
}

/** The folder whose `src/` has the module of a hook: the assistant's, else the nearest one around the cases. */
export function hookFolder(
  reference: string,
  { agent, base, root }: { agent: AgentDefinition | undefined; base: string; root: string },
): string {
  const around: string[] = [];
  for (let folder = base; isInside(root, folder); folder = dirname(folder)) {
    around.push(folder);
    if (folder === root) break;
  }
  const own = agent?.run.type === 'assistant' ? [agent.run.folder] : [];
  const candidates = [...own, ...around];
  return candidates.find((folder) => moduleFile(reference, folder) !== undefined) ?? candidates[0] ?? root;
}

async function listFiles(file: string, { root, cwd }: { root: string; cwd: string }): Promise<string[]> {
  const { inputs } = await bundleModule(file, { cacheDir: cacheDirectory(root), cwd });
  const called = await calledScripts(file, { root });
  return [...new Set([...inputs, ...called.flatMap((other) => other.inputs)])];
}

function locate(reference: string, { root, folder = root }: SearchPath): LocatedScript {
  if (/^(?:scripts|agents)\./.test(reference)) return locateScript(reference, root);
  const name = reference.slice(reference.lastIndexOf('.') + 1);
  if (!/^[\w$-]+(?:\.[\w$-]+)+$/.test(reference)) {
    const forms = 'write <module>.<Function>, scripts.<path>.<Function> or agents.<id>.<module>.<Function>';
    return { problem: `"${reference}" is not the name of a function: ${forms}` };
  }
  const file = moduleFile(reference, folder);
  if (file === undefined) {
    const wanted = join(relative(root, folder), 'src', `${moduleName(reference)}.ts`);
    return { problem: `${reference}: no such module; looked for ${wanted} below ${root}` };
  }
  const { names, isComplete } = topLevelNames(readFileSync(file, 'utf8'));
  if (!isComplete || names.includes(name)) return { file, name };
  const hint = didYouMean(name, names);
  return {
    problem: `${reference}: ${missingFunction(name, file, root)}${hint === undefined ? '' : `; ${hint}`}`,
  };
}

function moduleFile(reference: string, folder: string): string | undefined {
  const module = join(folder, 'src', moduleName(reference));
  return SCRIPT_EXTENSIONS.map((extension) => module + extension).find((file) => existsSync(file));
}

function moduleName(reference: string): string {
  return reference.split('.').slice(0, -1).join('/');
}

function missingFunction(name: string, file: string, root: string): string {
  return `no function "${name}" in ${relative(root, file)}`;
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
