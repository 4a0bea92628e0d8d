// `scripts.expense.setup` or a path in, the test files it means out. Nothing is read or run.

import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { nearest } from '../../text/nearest.ts';
import { isInside } from '../../platform/paths.ts';
import { isAgentFolder } from '../../json/agent-file.ts';
import { isFile, isFolder } from '../../platform/file-stats.ts';

/** Endings of test files, in the order of search. */
const ENDINGS = ['_test.ts', '_test.mts', '_test.js', '_test.mjs'];
const MODULE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'];
const SKIPPED = new Set(['node_modules', 'coverage', 'dist']);
const LISTED = 10;

/** A file of `Test*` functions that was found. */
export type ScriptSource = {
  type: 'script';
  /** As it was typed; a path or a pattern starts from the application root. */
  input: string;
  /** `scripts.expense.setup`; of a file that no such name means, its path. */
  name: string;
  /** Absolute. */
  file: string;
  /** As people know it: `expense/src/setup_test.ts`; of a file named by its path, that path. */
  path: string;
  /** The module it tests, which may be missing. */
  module?: string;
  /** The assistant it belongs to; `scripts` for a script of the application. */
  assistant: string;
};

/** A folder with scripts: of an assistant, or of the application itself. */
type Home = {
  assistant: string;
  folder: string;
  /** Names start with this. */ prefix: string[];
  base: string;
};

/** Finds the files that one value of `-i` means, sorted. Throws ConfigError with what there is instead. */
export function findScripts(
  input: string,
  { root, file, glob }: { root: string; file?: string | undefined; glob?: string | undefined },
): ScriptSource[] {
  if (file !== undefined) {
    const found = scriptOf(file, root);
    return [{ ...found, input: glob === undefined ? found.name : pathBelow(root, glob) }];
  }
  const parts = input.replace(/\.\*$/, '').split('.').slice(1);
  const isAll = parts.length === 0 || (parts.length === 1 && parts[0] === '*');
  const isSound = isAll || isName(parts);
  const found = isAll ? allScripts(root) : isSound ? namedScripts(parts, root) : [];
  if (found.length > 0) return found.map((source) => Object.assign(source, { input }));
  throw notFound(input, parts, root);
}

type Found = Omit<ScriptSource, 'input'>;

/**
 * A file that is given by its path. It belongs to the assistant around it, and has the name that leads to it; any other file
 * is named by its path from the application root.
 */
function scriptOf(file: string, root: string): Found {
  const home = homeAround(file, root);
  const found = sourceOf(file, home ?? ownHome(root));
  const parts = found.name.split('.').slice(1);
  const [named] = home !== undefined && isName(parts) ? namedScripts(parts, root) : [];
  if (named?.file === file) return found;
  const path = pathBelow(root, file);
  return { ...found, name: path, path };
}

/** The nearest folder around a file that has scripts of an assistant, or of the application. */
function homeAround(file: string, root: string): Home | undefined {
  for (let folder = dirname(file); isInside(root, folder) && folder !== root; folder = dirname(folder)) {
    const assistant = dirname(folder);
    if (folder === join(root, 'scripts')) return ownHome(root);
    const isSource = basename(folder) === 'src' && (assistant !== root || isRootAssistant(root));
    if (!isSource) continue;
    return homeOf(assistant, isInside(join(root, 'assistants'), assistant) ? join(root, 'assistants') : root);
  }
  return undefined;
}

function isName(parts: readonly string[]): boolean {
  return parts.every((part) => /^[\w$-]+$/.test(part));
}

function pathBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

function ownHome(root: string): Home {
  return { assistant: 'scripts', folder: join(root, 'scripts'), prefix: [], base: root };
}

/** One file if the name means exactly one; else all below what it means. */
function namedScripts(parts: string[], root: string): Found[] {
  for (const { home, rest } of homesOf(parts, root)) {
    const stem = join(home.folder, ...rest);
    const file = rest.length === 0 ? undefined : ENDINGS.map((ending) => stem + ending).find(isFile);
    if (file !== undefined) return [sourceOf(file, home)];
    if (!isFolder(stem)) continue;
    const files = testFilesBelow(stem);
    if (files.length > 0) return files.map((below) => sourceOf(below, home));
  }
  // A folder that only holds assistants: all of theirs.
  const folders = [join(root, 'assistants', ...parts), join(root, ...parts)].filter(isFolder);
  const below = folders.flatMap((folder) => assistantsBelow(folder, root)).flatMap(scriptsOf);
  return unique(below);
}

/**
 * Where the scripts of a name may be, and the path below: the longest assistant first, then the application's own. An
 * assistant in the application root may be left out of the name, because the name of its folder differs between checkouts.
 */
function homesOf(parts: string[], root: string): { home: Home; rest: string[] }[] {
  const homes: { home: Home; rest: string[] }[] = [];
  for (let length = parts.length; length > 0; length -= 1) {
    for (const base of [join(root, 'assistants'), root]) {
      const folder = join(base, ...parts.slice(0, length));
      if (isAssistant(folder)) homes.push({ home: homeOf(folder, base), rest: parts.slice(length) });
    }
  }
  const [atRoot] = rootHomes(root);
  if (atRoot !== undefined && atRoot.prefix.every((part, index) => part === parts[index]))
    homes.push({ home: atRoot, rest: parts.slice(atRoot.prefix.length) });
  if (isFolder(join(root, 'scripts'))) homes.push({ home: ownHome(root), rest: parts });
  if (atRoot !== undefined) homes.push({ home: atRoot, rest: parts });
  return homes;
}

function allScripts(root: string): Found[] {
  return unique([...assistantsBelow(root, root), ...rootHomes(root), ownHome(root)].flatMap(scriptsOf));
}

/** All assistants in a folder, itself included. */
function assistantsBelow(folder: string, root: string): Home[] {
  const base = `${folder}${sep}`.startsWith(`${join(root, 'assistants')}${sep}`)
    ? join(root, 'assistants')
    : root;
  const homes: Home[] = folder !== root && isAssistant(folder) ? [homeOf(folder, base)] : [];
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory() && entry.name !== 'src')
      homes.push(...assistantsBelow(join(folder, entry.name), root));
  }
  return homes;
}

function scriptsOf(home: Home): Found[] {
  return testFilesBelow(home.folder).map((file) => sourceOf(file, home));
}

/** The assistant in the application root, if there is one. */
function rootHomes(root: string): Home[] {
  return isRootAssistant(root) ? [homeOf(root, root)] : [];
}

/** Only with a file that describes it: the `src` of an application may hold anything. */
function isRootAssistant(root: string): boolean {
  return isAgentFolder(root);
}

function homeOf(folder: string, base: string): Home {
  // The same as the id of the agent in this folder.
  const prefix = folder === base ? basename(folder).split('.') : relative(base, folder).split(sep);
  return { assistant: prefix.join('.'), folder: join(folder, 'src'), prefix, base };
}

function sourceOf(file: string, { assistant, folder, prefix, base }: Home): Found {
  const stem = basename(file).replace(/_test\.\w+$/, '');
  const below = relative(folder, dirname(file));
  const name = ['scripts', ...prefix, ...(below === '' ? [] : below.split(sep)), stem].join('.');
  const module = MODULE_ENDINGS.map((ending) => join(dirname(file), stem + ending)).find(isFile);
  const path = pathBelow(base, file);
  return { type: 'script', name, file, path, assistant, ...(module !== undefined && { module }) };
}

function testFilesBelow(folder: string): string[] {
  const files: string[] = [];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...testFilesBelow(path));
    else if (ENDINGS.some((ending) => entry.name.endsWith(ending)) && isFile(path)) files.push(path);
  }
  return withoutTwins(files);
}

/** Of `a_test.ts` and `a_test.js` the first counts. */
function withoutTwins(files: string[]): string[] {
  const stems = new Map<string, string>();
  const rank = (file: string): number => ENDINGS.findIndex((ending) => file.endsWith(ending));
  for (const file of files) {
    const stem = file.replace(/\.\w+$/, '');
    const known = stems.get(stem);
    if (known === undefined || rank(file) < rank(known)) stems.set(stem, file);
  }
  return [...stems.values()];
}

function unique(sources: Found[]): Found[] {
  return [...new Map(sources.map((source) => [source.file, source])).values()];
}

function notFound(input: string, parts: string[], root: string): ConfigError {
  const known = allScripts(root).map(({ name }) => name);
  const wanted = `no test file for "${input}"`;
  if (known.length === 0) {
    return new ConfigError(`${wanted}: there is none below ${root}`, {
      hint: 'tests of assistants/expense/src/setup.ts are functions Test…(t, ctx) in setup_test.ts beside it',
    });
  }
  const expected = `${parts[0] || '<assistant>'}/src/${parts.slice(1).join('/') || '<module>'}_test.ts`;
  const near = nearest(input, known);
  const listed = near.length > 0 ? near : known.slice(0, LISTED);
  const more = known.length > listed.length ? ` (of ${String(known.length)})` : '';
  return new ConfigError(`${wanted}: there is no ${expected}`, {
    hint: `${near.length > 0 ? 'did you mean' : 'there is'} ${listed.join(', ')}${near.length > 0 ? '?' : more}`,
  });
}

function isAssistant(folder: string): boolean {
  return isFolder(join(folder, 'src')) || isAgentFolder(folder);
}

function entriesOf(folder: string): { name: string; isDirectory(): boolean }[] {
  // An assistant without scripts has no such folder.
  if (!isFolder(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const isWanted = (name: string): boolean => !name.startsWith('.') && !SKIPPED.has(name);
  return entries.filter(({ name }) => isWanted(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}
