// Reads what is in the folder that `assay init` is about. Nothing is written here.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { configFiles } from '../application/config-file.ts';
import { listAgents } from '../agents/resolve/find-agent.ts';
import { ConfigError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import { parseJsonDocument } from '../json/jsonc.ts';
import { readTextFile } from '../json/text-file.ts';
import { isFile } from '../platform/file-stats.ts';
import type { FrameworkType } from './agent-type.ts';
import { FRAMEWORK_PACKAGES } from './agent-type.ts';

/** The package manager of a project, by its lock file. */
export type PackageManager = 'bun' | 'npm' | 'pnpm' | 'yarn';

export type Project = {
  folder: string;
  /** The text and the value of package.json. */
  manifest?: { text: string; value: Record<string, unknown> };
  manager: PackageManager;
  hasLock: boolean;
  /** All packages that package.json names. */
  packages: { [name: string]: string };
  frameworks: FrameworkType[];
  isPython: boolean;
  /** The ids of assistants. */
  assistants: string[];
  /** The configuration files that are there. */
  configs: string[];
  /** The path of the folder below the root of its Git repository; empty if it is the root, or if there is none. */
  belowGit: string;
};

const LOCKS: readonly [string, PackageManager][] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

const PYTHON_FILES = /^(?:pyproject\.toml|requirements.*\.txt|setup\.py|Pipfile|uv\.lock)$|\.py$/;

/** Throws ConfigError if package.json cannot be read. */
export async function readProject(folder: string): Promise<Project> {
  const manifest = await readManifest(folder);
  const packages = dependenciesIn(manifest?.value ?? {});
  const lock = LOCKS.find(([name]) => existsSync(join(folder, name)));
  const isThere = (type: FrameworkType): boolean => Object.hasOwn(packages, FRAMEWORK_PACKAGES[type]);
  return {
    folder,
    ...(manifest !== undefined && { manifest }),
    manager: lock?.[1] ?? 'npm',
    hasLock: lock !== undefined,
    packages,
    // The cast is safe: these are the keys of the table.
    frameworks: (Object.keys(FRAMEWORK_PACKAGES) as FrameworkType[]).filter(isThere),
    isPython: readdirSync(folder).some((name) => PYTHON_FILES.test(name)),
    assistants: await listAgents(folder),
    configs: configFiles(folder).map((file) => relative(folder, file)),
    belowGit: pathBelowGit(folder),
  };
}

async function readManifest(folder: string): Promise<Project['manifest']> {
  const file = join(folder, 'package.json');
  if (!isFile(file)) return undefined;
  const text = readTextFile(file, 'package.json');
  const { value } = await parseJsonDocument(text, 'package.json');
  if (!isObject(value)) throw new ConfigError('expected an object in braces', { at: 'package.json:1' });
  if (value['scripts'] !== undefined && !isObject(value['scripts']))
    throw new ConfigError('scripts: expected an object', { at: 'package.json' });
  return { text, value };
}

function dependenciesIn(manifest: Record<string, unknown>): { [name: string]: string } {
  const packages: { [name: string]: string } = {};
  for (const key of ['devDependencies', 'peerDependencies', 'optionalDependencies', 'dependencies']) {
    const listed = manifest[key];
    for (const [name, range] of isObject(listed) ? Object.entries(listed) : [])
      packages[name] = String(range);
  }
  return packages;
}

function pathBelowGit(folder: string): string {
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return relative(above, folder).split(sep).join('/');
    if (dirname(above) === above) return '';
  }
}
