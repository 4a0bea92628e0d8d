// Finds the file of a tool server: `agents.calc.math` is `mcps/math.mcp.yao` of the assistant calc.

import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { displayPath } from '../../platform/paths.ts';
import { nearest } from '../../text/nearest.ts';
import { listAgents } from '../resolve/find-agent.ts';
import { isFile, isFolder } from '../../platform/file-stats.ts';

export type ServerPlace = {
  /** The assistant that names the server. */
  folder: string;
  agentId: string;
  root: string;
  cwd: string;
};

/** `path` is relative to the folder `mcps`: `['math']`. `id` is the full name. */
export type FoundServer = { id: string; file: string; mcps: string; path: string[] };

type Unknown = { problem: string; hint?: string };

const ENDING = '.mcp.yao';

/** Finds the file of a server. A bare name is a server of the application, else of the assistant itself. */
export async function findServer(id: string, place: ServerPlace): Promise<FoundServer | Unknown> {
  const parts = id.split('.');
  if (!parts.every((part) => /^[\w-]+$/.test(part))) {
    return {
      problem: `${JSON.stringify(id)} is not the id of a tool server`,
      hint: 'write agents.<id>.<server>',
    };
  }
  const candidates = parts[0] === 'agents' ? assistantServers(parts, place) : ownServers(parts, place);
  const found = candidates.find(({ file }) => isFile(file));
  if (found !== undefined) return found;
  const tried = candidates.map(({ file }) => displayPath(file, place.cwd)).join(', ');
  const problem = `no tool server ${JSON.stringify(id)}${tried === '' ? '' : `; looked for ${tried}`}`;
  const known = await knownServers(place);
  const similar = nearest(id, known);
  if (similar.length > 0) return { problem, hint: `did you mean ${similar.join(' or ')}?` };
  return known.length === 0
    ? { problem }
    : { problem, hint: `known tool servers: ${known.slice(0, 10).join(', ')}` };
}

function ownServers(path: string[], { folder, agentId, root }: ServerPlace): FoundServer[] {
  return [
    serverAt(path.join('.'), join(root, 'mcps'), path),
    serverAt(`agents.${agentId}.${path.join('.')}`, join(folder, 'mcps'), path),
  ];
}

/** Servers of the assistant with the longest matching id. The asking assistant may lie outside `assistants/`. */
function assistantServers(parts: string[], { folder, agentId, root }: ServerPlace): FoundServer[] {
  const id = parts.join('.');
  const own = `agents.${agentId}.`;
  if (id.startsWith(own)) return [serverAt(id, join(folder, 'mcps'), id.slice(own.length).split('.'))];
  const candidates: FoundServer[] = [];
  for (let length = parts.length - 1; length > 1; length -= 1) {
    const assistant = join(root, 'assistants', ...parts.slice(1, length));
    candidates.push(serverAt(id, join(assistant, 'mcps'), parts.slice(length)));
  }
  const existing = candidates.filter(({ mcps }) => isFolder(mcps));
  return existing.length > 0 ? existing : candidates;
}

function serverAt(id: string, mcps: string, path: string[]): FoundServer {
  return { id, file: join(mcps, ...path) + ENDING, mcps, path };
}

async function knownServers({ folder, agentId, root }: ServerPlace): Promise<string[]> {
  const own = serversIn(join(folder, 'mcps')).map((name) => `agents.${agentId}.${name}`);
  const others = (await listAgents(root)).flatMap((agent) =>
    serversIn(join(root, 'assistants', ...agent.split('.'), 'mcps')).map((name) => `agents.${agent}.${name}`),
  );
  return [...new Set([...own, ...serversIn(join(root, 'mcps')), ...others])];
}

/** The dotted names of the server files in a folder, sorted. */
function serversIn(mcps: string): string[] {
  if (!isFolder(mcps)) return [];
  return readdirSync(mcps, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map((entry) => relative(mcps, join(entry.parentPath, entry.name)).slice(0, -ENDING.length))
    .map((name) => name.split(sep).join('.'))
    .sort();
}
