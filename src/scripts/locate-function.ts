// Finds a user's function by name: `Before`, `env_test.Before`, `src/env_test.Before`, `scripts.…` or `agents.…`.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { topLevelNames } from '../compile/top-level-names.ts';
import type { AgentDefinition } from '../model/agent.ts';
import { isInside } from '../platform/paths.ts';
import { didYouMean } from '../text/nearest.ts';
import { modulesIn } from './globals/called-scripts.ts';
import type { LocatedScript } from './globals/locate-script.ts';
import { locateScript, SCRIPT_EXTENSIONS } from './globals/locate-script.ts';

const FORMS =
  'write <Function>, <module>.<Function>, <folder>/<module>.<Function>, scripts.<path>.<Function> or agents.<id>.<module>.<Function>';

/** Where to look for a function; `folder` defaults to the root. */
export type SearchPath = { root: string; folder?: string | undefined };

/** Finds the file and the function, without running anything. */
export function locateFunction(reference: string, { root, folder = root }: SearchPath): LocatedScript {
  const script = reference.replace(/^(scripts|agents):/, '$1.');
  if (/^(?:scripts|agents)\./.test(script)) return locateScript(script.replaceAll('/', '.'), root);
  if (!/^[\w$-]+(?:[./][\w$-]+)*$/.test(reference))
    return { problem: `"${reference}" is not the name of a function: ${FORMS}` };
  const { module, name } = split(reference);
  if (module === '') return locateByName(name, { root, folder });
  const file = moduleFile(module, folder);
  if (file === undefined) {
    const tried = moduleCandidates(module, folder).map((path) => `${relative(root, path)}.ts`);
    return { problem: `${reference}: no such module; looked for ${tried.join(', ')} below ${root}` };
  }
  const { names, isComplete } = topLevelNames(readFileSync(file, 'utf8'));
  if (!isComplete || names.includes(name)) return { file, name };
  const hint = didYouMean(name, names);
  return {
    problem: `${reference}: ${missingFunction(name, file, root)}${hint === undefined ? '' : `; ${hint}`}`,
  };
}

/** The folder with the module of a hook: the assistant's, else the nearest one around the cases. */
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
  const { module, name } = split(reference);
  const hasModule = (folder: string): boolean =>
    module === '' ? filesWith(name, folder).length > 0 : moduleFile(module, folder) !== undefined;
  return candidates.find(hasModule) ?? candidates[0] ?? root;
}

export function missingFunction(name: string, file: string, root: string): string {
  return `no function "${name}" in ${relative(root, file)}`;
}

/** A function without its module: the only one of that name in `src/`; test files come first. */
function locateByName(name: string, { root, folder }: { root: string; folder: string }): LocatedScript {
  const files = filesWith(name, folder);
  const tests = files.filter((file) => /_test\.\w+$/.test(file));
  const [file, ...others] = tests.length > 0 ? tests : files;
  const source = relative(root, join(folder, 'src'));
  if (file === undefined) {
    const known = sources(folder).flatMap((path) => topLevelNames(readFileSync(path, 'utf8')).names);
    const hint = didYouMean(name, known) ?? FORMS;
    return { problem: `${name}: no function "${name}" in the files of ${source} below ${root}; ${hint}` };
  }
  if (others.length === 0) return { file, name };
  const places = [file, ...others].map((path) => relative(root, path)).join(', ');
  return { problem: `${name}: several files have this function: ${places}; write <module>.${name}` };
}

function filesWith(name: string, folder: string): string[] {
  return sources(folder).filter((file) => topLevelNames(readFileSync(file, 'utf8')).names.includes(name));
}

function sources(folder: string): string[] {
  return modulesIn(join(folder, 'src'), { withTests: true }).map(({ file }) => file);
}

/** `src/env_test.Before` → `src/env_test` and `Before`. */
function split(reference: string): { module: string; name: string } {
  const at = Math.max(reference.lastIndexOf('.'), reference.lastIndexOf('/'));
  return { module: reference.slice(0, Math.max(at, 0)), name: reference.slice(at + 1) };
}

function moduleFile(module: string, folder: string): string | undefined {
  return moduleCandidates(module, folder)
    .flatMap((path) => SCRIPT_EXTENSIONS.map((extension) => path + extension))
    .find((file) => existsSync(file));
}

/** `tests/env` is below the folder or its `src/`; `env` and `deep.env` are in its `src/`. */
function moduleCandidates(module: string, folder: string): string[] {
  const path = module.replaceAll('.', '/');
  const inSource = join(folder, 'src', path);
  return module.includes('/') ? [join(folder, path), inSource] : [inSource];
}
