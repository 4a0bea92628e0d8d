// Functions that hooks name: `env_test.Before` in the `src/` of an assistant, or any script by its full name.

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
import type { Attempt } from '../model/attempt.ts';
import type { ContextData } from '../model/context.ts';
import { bundleModule, findFunction } from '../compile/bundle.ts';
import { cacheDirectory } from '../compile/bundle-cache.ts';
import { didYouMean } from '../text/nearest.ts';
import { isInside } from '../platform/paths.ts';
import { topLevelNames } from '../compile/top-level-names.ts';

/** Where a function is looked for; without `folder`, below the root. */
type Place = { root: string; folder?: string | undefined };

/**
 * Calls a function of the user with the arguments made from its context; only for processes that may run user code.
 * Whatever it throws is thrown on.
 * @example await callFunction('env_test.Before', (ctx) => [ctx, testCase], { root, folder, context, signal })
 */
export async function callFunction(
  reference: string,
  makeArgs: (context: UserContext) => unknown[],
  { root, folder, context, signal }: Place & { context: ContextData; signal: AbortSignal },
): Promise<unknown> {
  const found = locate(reference, { root, folder });
  if (found.problem !== undefined) throw new AttemptError('harness', found.problem);
  try {
    const namespace = await raceSignal(importScript(found.file, { root }), signal);
    const call = findFunction(namespace, found.name);
    if (call === undefined) throw new AttemptError('harness', noFunction(found.name, found.file, root));
    return await raceSignal(Promise.resolve(call(...makeArgs(userContext(context, { signal })))), signal);
  } catch (thrown) {
    const error = explainMissingGlobal(thrown);
    if (error instanceof Error) trimStack(error);
    throw error;
  }
}

/**
 * The files that a function is made of, with everything it may call through `Process`. Throws a ConfigError if there is
 * no such function or its files cannot be compiled.
 */
export async function checkFunction(
  reference: string,
  { root, folder, cwd }: Place & { cwd: string },
): Promise<{ files: string[] }> {
  const found = locate(reference, { root, folder });
  if (found.problem !== undefined) throw new ConfigError(found.problem);
  const { inputs } = await bundleModule(found.file, { cacheDir: cacheDirectory(root), cwd });
  const called = await calledScripts(found.file, { root });
  return { files: [...new Set([...inputs, ...called.flatMap((other) => other.inputs)])] };
}

/** The folder whose `src/` holds the module of a hook: the assistant's own, else the nearest one around the cases. */
export function hookFolder(
  reference: string,
  { agent, base, root }: Pick<Attempt, 'agent' | 'base' | 'root'>,
): string {
  const around: string[] = [];
  for (let folder = base; isInside(root, folder); folder = dirname(folder)) {
    around.push(folder);
    if (folder === root) break;
  }
  const own = agent.run.type === 'assistant' ? [agent.run.folder] : [];
  const candidates = [...own, ...around];
  return candidates.find((folder) => fileOf(reference, folder) !== undefined) ?? candidates[0] ?? root;
}

function locate(reference: string, { root, folder = root }: Place): LocatedScript {
  if (/^(?:scripts|agents)\./.test(reference)) return locateScript(reference, root);
  const name = reference.slice(reference.lastIndexOf('.') + 1);
  if (!/^[\w$-]+(?:\.[\w$-]+)+$/.test(reference)) {
    const forms = 'write <module>.<Function>, scripts.<path>.<Function> or agents.<id>.<module>.<Function>';
    return { problem: `"${reference}" is not the name of a function: ${forms}` };
  }
  const file = fileOf(reference, folder);
  if (file === undefined) {
    const wanted = join(relative(root, folder), 'src', `${moduleOf(reference)}.ts`);
    return { problem: `${reference}: no such module; looked for ${wanted} below ${root}` };
  }
  const { names, isComplete } = topLevelNames(readFileSync(file, 'utf8'));
  if (!isComplete || names.includes(name)) return { file, name };
  const hint = didYouMean(name, names);
  return { problem: `${reference}: ${noFunction(name, file, root)}${hint === undefined ? '' : `; ${hint}`}` };
}

function fileOf(reference: string, folder: string): string | undefined {
  const module = join(folder, 'src', moduleOf(reference));
  return SCRIPT_EXTENSIONS.map((extension) => module + extension).find((file) => existsSync(file));
}

function moduleOf(reference: string): string {
  return reference.split('.').slice(0, -1).join('/');
}

function noFunction(name: string, file: string, root: string): string {
  return `no function "${name}" in ${relative(root, file)}`;
}
