// An application folder in, the folders of its skills out, in order of precedence.

import type { Dirent } from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { isFile, isFolder } from '../../platform/file-stats.ts';
import { displayPath, isInside } from '../../platform/paths.ts';

/** A folder with a descriptor. */
export type SkillFolder = {
  skillDir: string;
  /** Paths of the descriptor and of others beside it. */
  filePath: string;
  others: string[];
  /** The application, or the plugin that the skill belongs to. */
  owner: string;
};

/** `SKILL.md`, `skill.md`, `cskill.md`, `pricing.skill.md`; the group is the type. */
const DESCRIPTOR = /(?:^|\.)([a-z]*skill)\.md$/i;
/** Goes before other descriptors in the same folder. */
const SKILL = /^skill\.md$/i;
/** Folders of tools in order of precedence; others follow by name. */
const TOOLS = ['.claude', '.agents', '.github'];
const IGNORED = new Set(['.assay', '.git', 'node_modules']);
/** `skills/<group>/<group>/<skill>` */
const MAX_DEPTH = 3;

type Warn = (message: string) => void;
/** `isSkill`: the folder may itself be a skill. */
type Place = { folder: string; owner: string; isSkill?: true };

/** Finds every folder with a descriptor. A broken plugin manifest causes a warning. */
export function* findSkillFolders(root: string, warn: Warn): Generator<SkillFolder> {
  for (const { folder, owner, isSkill } of listPlaces(root, warn)) {
    const found = isSkill === true ? findIn(folder, MAX_DEPTH) : findBelow(folder, MAX_DEPTH);
    for (const skill of found) yield { ...skill, owner };
  }
}

/** `cskill` for `cskill.md` */
export function descriptorType(fileName: string): string {
  return DESCRIPTOR.exec(fileName)?.[1]?.toLowerCase() ?? 'unknown';
}

function* listPlaces(root: string, warn: Warn): Generator<Place> {
  const folders = foldersIn(root);
  const hidden = folders.filter((name) => name.startsWith('.') && !TOOLS.includes(name));
  const tools = [...TOOLS.filter((name) => folders.includes(name)), ...hidden];
  yield { folder: join(root, 'skills'), owner: root };
  for (const tool of tools) yield { folder: join(root, tool, 'skills'), owner: root };
  yield { folder: join(root, '.AchillesSkills'), owner: root };

  yield* manifestPlaces(root, root, warn);
  const parents = [join(root, 'plugins'), ...tools.map((tool) => join(root, tool, 'plugins'))];
  const plugins = [
    ...parents.flatMap((parent) => foldersIn(parent).map((name) => join(parent, name))),
    ...folders.map((name) => join(root, name)).filter((folder) => isFolder(join(folder, '.claude-plugin'))),
  ];
  for (const plugin of plugins) {
    yield { folder: join(plugin, 'skills'), owner: plugin };
    yield* manifestPlaces(root, plugin, warn);
  }
  yield* marketplacePlaces(root, warn);
}

/** The further folders that the manifest of a plugin names. */
function manifestPlaces(root: string, plugin: string, warn: Warn): Place[] {
  const file = join(plugin, '.claude-plugin', 'plugin.json');
  const { skills } = readManifest(file, root, warn);
  return namedFolders(skills, { root, plugin, file, warn }).map((folder) => ({
    folder,
    owner: plugin,
    isSkill: true,
  }));
}

/** The folders of the plugins that a marketplace lists, as far as they are in this application. */
function* marketplacePlaces(root: string, warn: Warn): Generator<Place> {
  const file = join(root, '.claude-plugin', 'marketplace.json');
  const { plugins } = readManifest(file, root, warn);
  for (const entry of Array.isArray(plugins) ? (plugins as unknown[]) : []) {
    if (!isObject(entry)) continue;
    for (const plugin of namedFolders(entry['source'], { root, plugin: root, file, warn })) {
      yield { folder: join(plugin, 'skills'), owner: plugin };
      const named = namedFolders(entry['skills'], { root, plugin, file, warn });
      for (const folder of named) yield { folder, owner: plugin, isSkill: true };
      if (plugin !== root) yield* manifestPlaces(root, plugin, warn);
    }
  }
}

/** Reads a path or a list of paths; a plugin that is elsewhere has an object instead. */
function namedFolders(
  value: unknown,
  { root, plugin, file, warn }: { root: string; plugin: string; file: string; warn: Warn },
): string[] {
  return [value].flat().flatMap((path) => {
    if (typeof path !== 'string') return [];
    const folder = resolve(plugin, path);
    if (isInside(root, folder)) return [folder];
    warn(`${displayPath(file, root)}: ${path} is left out: it is outside the application`);
    return [];
  });
}

function readManifest(file: string, root: string, warn: Warn): Record<string, unknown> {
  if (!isFile(file)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : {};
  } catch (error) {
    warn(`${displayPath(file, root)}: ${messageOf(error)}`);
    return {};
  }
}

type Found = Omit<SkillFolder, 'owner'>;

function* findBelow(folder: string, depth: number): Generator<Found> {
  for (const name of foldersIn(folder)) yield* findIn(join(folder, name), depth);
}

/** A folder without a descriptor groups the skills below it. */
function* findIn(skillDir: string, depth: number): Generator<Found> {
  const [filePath, ...others] = entriesIn(skillDir)
    .map(({ name }) => name)
    .filter((name) => DESCRIPTOR.test(name))
    .sort((a, b) => Number(SKILL.test(b)) - Number(SKILL.test(a)))
    .map((name) => join(skillDir, name))
    .filter(isFile);
  if (filePath !== undefined) yield { skillDir, filePath, others };
  else if (depth > 1) yield* findBelow(skillDir, depth - 1);
}

/** The names of the folders in a folder, and of links that may lead to one. */
function foldersIn(folder: string): string[] {
  return entriesIn(folder)
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !IGNORED.has(entry.name))
    .map(({ name }) => name);
}

/** Sorted; empty if it is not a readable folder. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
