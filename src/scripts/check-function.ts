// Checks a user's function by name before anything runs, without calling it.

import { calledScripts } from './globals/called-scripts.ts';
import { locateScript } from './globals/locate-script.ts';
import type { SearchPath } from './locate-function.ts';
import { locateFunction } from './locate-function.ts';
import { readPythonReference } from './python-reference.ts';
import { ConfigError } from '../errors.ts';
import { bundleModule } from '../compile/bundle.ts';
import { cacheDirectory } from '../compile/bundle-cache.ts';

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
