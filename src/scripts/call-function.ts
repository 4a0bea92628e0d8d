// Calls a user's function by name.

import { importScript } from './globals/import-script.ts';
import { explainMissingGlobal } from './globals/missing-global.ts';
import type { SearchPath } from './locate-function.ts';
import { locateFunction, missingFunction } from './locate-function.ts';
import { raceSignal } from '../platform/race.ts';
import { trimStack } from './stack.ts';
import type { UserContext } from './user-context.ts';
import { explainMissingMember, userContext } from './user-context.ts';
import { AttemptError } from '../errors.ts';
import type { ContextData } from '../model/context.ts';
import { findFunction } from '../compile/bundle.ts';

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

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
