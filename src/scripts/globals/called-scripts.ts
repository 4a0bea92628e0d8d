// Finds all scripts that a script may call through `Process`, directly or indirectly, without running them.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { bundleModule } from '../../compile/bundle.ts';
import type { Bundle } from '../../compile/bundle.ts';
import { cacheDirectory } from '../../compile/bundle-cache.ts';
import { isAgentFolder } from '../../json/agent-file.ts';
import { moduleFiles, locateScript, SCRIPT_EXTENSIONS } from './locate-script.ts';
import { findProcessCalls } from './process-calls.ts';

/** A script and the user's files it is built from. */
export type CalledScript = { file: string; inputs: string[] };

/**
 * The scripts that `file` may call, callees before callers, including those that cannot be compiled.
 * Throws a ConfigError only if `file` itself cannot be compiled; `bundle` is its bundle, if it exists already.
 */
export async function calledScripts(
  file: string,
  { root, bundle }: { root: string; bundle?: Bundle },
): Promise<CalledScript[]> {
  const cacheDir = cacheDirectory(root);
  const seen = new Set([file]);
  const called: CalledScript[] = [];
  const visit = async (caller: string, bundle: Bundle): Promise<void> => {
    for (const callee of findCallees(caller, bundle, root)) {
      if (seen.has(callee)) continue;
      seen.add(callee);
      // A compile error is reported when the script is really called.
      const part = await bundleModule(callee, { cacheDir }).catch(() => undefined);
      if (part !== undefined) await visit(callee, part);
      called.push({ file: callee, inputs: part?.inputs ?? [callee] });
    }
  };
  await visit(file, bundle ?? (await bundleModule(file, { cacheDir })));
  return called;
}

function findCallees(caller: string, bundle: Bundle, root: string): string[] {
  const { names, prefixes } = findProcessCalls(readFileSync(bundle.file, 'utf8'));
  const files: string[] = [];
  for (const name of names) {
    if (!/^(?:scripts|agents)\./.test(name)) continue;
    const script = locateScript(name, root);
    if (script.problem === undefined) files.push(script.file);
  }
  return [...files, ...prefixes.flatMap((prefix) => filesWithPrefix(prefix, caller, root))];
}

/** Files that a name with this prefix may mean: scripts of the application and modules of the caller's assistant. */
function filesWithPrefix(prefix: string, caller: string, root: string): string[] {
  const module = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0));
  const assistant = assistantFolder(caller, root);
  const candidates = [
    ...modulesIn(join(root, 'scripts')).map(({ file, name }) => ({ file, names: [`scripts.${name}.`] })),
    ...modulesIn(assistant === undefined ? undefined : join(assistant, 'src')).map(({ file, name }) => {
      const id = relative(root, assistant ?? root).split(sep);
      const path = `${(id[0] === 'assistants' ? id.slice(1) : id).join('.')}.${name}.`;
      return { file, names: [`agents.${path}`, `scripts.${path}`] };
    }),
  ];
  const isMeant = (name: string): boolean => name.startsWith(prefix) || prefix.startsWith(name);
  const listed = candidates.filter(({ names }) => names.some(isMeant)).map(({ file }) => file);
  return [...moduleFiles(module, root), ...listed];
}

/** The nearest assistant folder above a file, inside the application. */
function assistantFolder(file: string, root: string): string | undefined {
  for (let folder = dirname(file); folder.startsWith(root + sep); folder = dirname(folder)) {
    if (isAgentFolder(folder)) return folder;
  }
  return undefined;
}

/** All scripts below a folder and their names, without type declarations and, unless wanted, tests. */
export function modulesIn(
  folder: string | undefined,
  { withTests = false }: { withTests?: boolean } = {},
): { file: string; name: string }[] {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const modules: { file: string; name: string }[] = [];
  // Sorted, so that the load order is the same on every machine.
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const extension = SCRIPT_EXTENSIONS.find((ending) => path.endsWith(ending));
    if (extension === undefined || /\.d\.\w+$|(?:^|[\\/])node_modules[\\/]/.test(path)) continue;
    if (!withTests && /(?:_test|\.test)\.\w+$/.test(path)) continue;
    modules.push({
      file: join(folder, path),
      name: path.slice(0, -extension.length).split(sep).join('.'),
    });
  }
  return modules;
}
