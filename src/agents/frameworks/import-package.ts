// Imports packages resolved from the agent's file, never from Assay's.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../json/is-object.ts';
import type { Fields } from './framework.ts';

/** Export conditions of `import`. */
const CONDITIONS = ['default', 'import', 'node'];

/** The copies of a package that a file may have loaded: by `import`, then by `require`. */
export async function* packageCopies(file: string, name: string): AsyncGenerator<Fields> {
  const imported = await importFrom(file, name).catch(() => undefined);
  if (isObject(imported)) yield imported;
  const required = requireFrom(file, name);
  if (isObject(required)) yield required;
}

/** `import()` resolves from this file, so the lookup from the agent's file is done by hand. */
async function importFrom(file: string, name: string): Promise<unknown> {
  const parts = name.split('/');
  const folderName = parts.splice(0, name.startsWith('@') ? 2 : 1).join('/');
  const folders = createRequire(file).resolve.paths(name) ?? [];
  const folder = folders
    .map((place) => join(place, folderName))
    .find((place) => existsSync(join(place, 'package.json')));
  if (folder === undefined) return undefined;
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Fields;
  const target = exportTarget(isObject(exports) ? exports[['.', ...parts].join('/')] : exports);
  return target === undefined ? undefined : import(pathToFileURL(join(folder, target)).href);
}

function exportTarget(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (!isObject(target)) return undefined;
  const found = Object.entries(target).find(
    ([condition, value]) => CONDITIONS.includes(condition) && exportTarget(value) !== undefined,
  );
  return found === undefined ? undefined : exportTarget(found[1]);
}

function requireFrom(file: string, name: string): unknown {
  try {
    return createRequire(file)(name) as unknown;
  } catch {
    return undefined;
  }
}
