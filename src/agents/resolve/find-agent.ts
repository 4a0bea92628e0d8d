// Finds an agent by name, or the agent that an input file belongs to.

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { displayPath, isInside } from '../../platform/paths.ts';
import { nearest } from '../../text/nearest.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import { DEFAULT_FUNCTION, readPythonReference } from '../../scripts/python-reference.ts';
import { isScriptName } from './package-run.ts';
import { isFile, isFolder } from '../../platform/file-stats.ts';
import { explainForeignFile, folderOfAgentFile, isAgentFolder } from '../../json/agent-file.ts';

export type FoundAgent =
  | { type: 'a2a'; url: string }
  | { type: 'folder'; folder: string }
  | { type: 'module'; file: string }
  | { type: 'python'; file: string; function: string }
  | { type: 'url'; url: string };

type SearchFolders = { root: string; cwd: string };

/** Folders of an assistant that hold no other assistants. */
const SKIPPED = new Set(['node_modules', 'prompts', 'src', 'tests']);

/** Finds the agent that `-n` names: a URL (also after `a2a+`), a module file, a Python file with or without a function, a folder, an id, or `agents:` and an id. */
export function findAgent(name: string, { root, cwd }: SearchFolders): FoundAgent {
  if (/^https?:\/\//i.test(name)) return { type: 'url', url: name };
  if (/^a2a\+https?:\/\//i.test(name)) return { type: 'a2a', url: name.slice('a2a+'.length) };
  const id = name.replace(/^agents:/, '');
  const file = resolve(cwd, name);
  const isScript = isScriptName(name);
  if (isScript && isFile(file)) return { type: 'module', file };
  const python = readPythonReference(name);
  const pythonFile = python && resolve(cwd, python.path);
  if (pythonFile !== undefined && isFile(pythonFile))
    return { type: 'python', file: pythonFile, function: python?.name ?? DEFAULT_FUNCTION };

  const assistants = join(root, 'assistants');
  const asPath = [resolve(cwd, id), resolve(root, id)];
  const asId = [join(assistants, ...id.split('.')), join(assistants, id)];
  const isPath = /[\\/]|^\.+$/.test(name);
  const candidates = (isPath ? [...asPath, join(assistants, name)] : [...asId, ...asPath]).filter(unique);
  const found = folderOfAgentFile(file) ?? candidates.find(isAgentFolder);
  if (found !== undefined) return { type: 'folder', folder: found };
  const address = /^(?!agents:)(?:localhost|[\w.-]+(?=:\d)|\d+(?:\.\d+){3})(?::\d+)?(?:[/?]|$)/i.test(name);
  if (address) throw new ConfigError(`no agent "${name}"`, { hint: `did you mean "http://${name}"?` });
  const scheme = /^a2a(?::|\+)(?:\/\/)?(?=[\w[])/i.exec(name)?.[0];
  if (scheme !== undefined) {
    const hint = `did you mean "a2a+http://${name.slice(scheme.length).replace(/^.*?:\/\//, '')}"?`;
    throw new ConfigError(`no agent "${name}"`, { hint });
  }
  const places = isFile(file) ? [dirname(file)] : candidates;
  const foreign = places.flatMap((folder) => explainForeignFile(folder, cwd) ?? [])[0];
  if (foreign !== undefined && !isScript) throw new ConfigError(`no agent "${name}"`, { hint: foreign });
  if (!isScript && isFile(file)) throw noModule(name, file);
  throw notFound(
    name,
    pythonFile !== undefined || isScript
      ? [pythonFile ?? file]
      : candidates.map((folder) => join(folder, 'package.yao')),
    {
      root,
      cwd,
    },
  );
}

/** The folder of the nearest agent, upward from a file or folder. */
export function findUpward(from: string, { root, cwd }: SearchFolders): string {
  const start = isFolder(from) ? from : dirname(from);
  for (let folder = start; ; folder = dirname(folder)) {
    if (isAgentFolder(folder)) return folder;
    if (dirname(folder) === folder) break;
  }
  const ids = agentIds(root);
  const known = ids.length === 0 ? '' : `; ${listed(ids)}`;
  throw new ConfigError(
    `no package.yao in ${displayPath(start, cwd)} or any folder above it, so there is no agent to test`,
    { hint: `name the agent with -n: its id, a folder, a module or Python file, a URL or a2a+URL${known}` },
  );
}

/** The id of an agent's folder: its dotted path below `assistants/`, else below the application root. */
export function agentId(folder: string, root: string): string {
  const assistants = join(root, 'assistants');
  const base = isInside(assistants, folder) ? assistants : root;
  if (folder === base || !isInside(base, folder)) return basename(folder);
  return relative(base, folder).split(sep).join('.');
}

/** The ids of all agents below `assistants/`, sorted. */
export function listAgents(root: string): Promise<string[]> {
  return Promise.resolve(agentIds(root));
}

function agentIds(root: string): string[] {
  const assistants = join(root, 'assistants');
  const ids: string[] = [];
  const visit = (folder: string): void => {
    if (folder !== assistants && isAgentFolder(folder)) ids.push(agentId(folder, root));
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const isHidden = entry.name.startsWith('.') || SKIPPED.has(entry.name);
      if (entry.isDirectory() && !isHidden) visit(join(folder, entry.name));
    }
  };
  if (isFolder(assistants)) visit(assistants);
  return ids.sort();
}

function notFound(name: string, tried: string[], { root, cwd }: SearchFolders): ConfigError {
  const ids = agentIds(root);
  const path = isScriptName(name) ? name : readPythonReference(name)?.path;
  const file = path === undefined ? undefined : didYouMeanFile(resolve(cwd, path), cwd);
  const similar = nearest(name.replace(/^agents:/, ''), ids);
  const known = file ?? (similar.length > 0 ? `did you mean ${similar.join(' or ')}?` : listed(ids));
  const places = tried.map((file) => displayPath(file, cwd)).join(', ');
  return new ConfigError(`no agent "${name}"; looked for ${places}`, { hint: known });
}

/** Interpreters for files that are not modules, by extension. */
const INTERPRETERS: Record<string, string> = {
  '.php': 'php',
  '.pl': 'perl',
  '.rb': 'ruby',
  '.sh': 'sh',
};

function noModule(name: string, file: string): ConfigError {
  const interpreter = INTERPRETERS[extname(file)];
  const command = interpreter === undefined ? [`./${basename(file)}`] : [interpreter, basename(file)];
  const run = `{"run": {"command": [${command.map((part) => JSON.stringify(part)).join(', ')}]}}`;
  const hint = `write a file package.yao beside it with ${run}, and name its folder with -n`;
  return new ConfigError(`no agent "${name}": the file is not TypeScript, JavaScript or Python`, { hint });
}

function listed(ids: string[]): string {
  if (ids.length === 0) return 'there are no agents below assistants/';
  const shown = ids.slice(0, 10).join(', ');
  return `known agents: ${shown}${ids.length > 10 ? ` and ${String(ids.length - 10)} more` : ''}`;
}

function unique(value: string, index: number, all: string[]): boolean {
  return all.indexOf(value) === index;
}
