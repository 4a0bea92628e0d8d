// The `mcp` of a package.yao comes in, the servers it names go out, checked as far as that goes without starting them.

import type { Problem } from '../../errors.ts';
import type { ToolServer } from '../../model/tool-server.ts';
import { isObject } from '../../json/is-object.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ServerPlace } from './find-server.ts';
import { findServer } from './find-server.ts';
import type { ReadPlace } from './read-server.ts';
import { readServer } from './read-server.ts';

export type ToolsPlace = ServerPlace &
  ReadPlace & {
    /** The place of a key in `mcp`, for messages. */
    at(path: readonly string[]): string;
  };

/** The tools of an assistant and everything that is wrong with them. */
export type ReadTools = {
  servers: ToolServer[];
  tool_loop: boolean;
  max_turn: number;
  files: string[];
  secrets: string[];
  problems: Problem[];
};

type Report = (path: string[], message: string, hint?: string) => void;
type Wanted = { id: string; only?: string[]; path: string[] };

const MCP_KEYS = ['options', 'servers'];
const OPTION_KEYS = ['max_turn', 'tool_loop'];
/** Of these, only tools are used. */
const SERVER_KEYS = ['prompts', 'resources', 'server_id', 'tools'];

/** Reads the tools of an assistant; `mcp` is undefined if it has none. */
export async function readTools(mcp: unknown, place: ToolsPlace): Promise<ReadTools> {
  const read: ReadTools = { servers: [], tool_loop: true, max_turn: 5, files: [], secrets: [], problems: [] };
  if (mcp === undefined || mcp === null) return read;
  const report: Report = (path, message, hint) => {
    const key = ['mcp', ...path].join('.');
    read.problems.push({
      message: `${key}: ${message}`,
      at: place.at(path),
      ...(hint !== undefined && { hint }),
    });
  };
  if (!isObject(mcp)) {
    report([], 'expected an object', 'write {"servers": ["agents.<id>.<server>"]}');
    return read;
  }
  reportUnknown(mcp, [], MCP_KEYS, report);
  Object.assign(read, readOptions(mcp['options'], report));
  for (const wanted of readWanted(mcp['servers'], report)) await addServer(wanted, read, place, report);
  read.secrets = [...new Set(read.secrets)];
  return read;
}

function readOptions(options: unknown, report: Report): Partial<Pick<ReadTools, 'max_turn' | 'tool_loop'>> {
  if (options === undefined) return {};
  if (!isObject(options)) return report(['options'], 'expected an object') ?? {};
  reportUnknown(options, ['options'], OPTION_KEYS, report);
  const { tool_loop, max_turn } = options;
  const read: ReturnType<typeof readOptions> = {};
  if (typeof tool_loop === 'boolean') read.tool_loop = tool_loop;
  else if (tool_loop !== undefined) report(['options', 'tool_loop'], 'expected true or false');
  if (typeof max_turn === 'number' && Number.isInteger(max_turn) && max_turn > 0) read.max_turn = max_turn;
  else if (max_turn !== undefined) report(['options', 'max_turn'], 'expected a whole number from 1');
  return read;
}

function readWanted(servers: unknown, report: Report): Wanted[] {
  if (servers === undefined) return [];
  if (!Array.isArray(servers)) {
    report(['servers'], 'expected a list', 'write ["agents.<id>.<server>"]');
    return [];
  }
  return servers.flatMap((entry: unknown, index) => readEntry(entry, ['servers', String(index)], report));
}

function readEntry(entry: unknown, path: string[], report: Report): Wanted[] {
  const hint = 'write "agents.<id>.<server>" or {"server_id": …, "tools": […]}';
  if (typeof entry === 'string') return [{ id: entry, path }];
  if (!isObject(entry)) return report(path, 'expected the id of a tool server', hint) ?? [];
  reportUnknown(entry, path, SERVER_KEYS, report);
  const { server_id: id, tools } = entry;
  if (typeof id !== 'string') return report(path, 'has no "server_id"', hint) ?? [];
  if (tools === undefined) return [{ id, path }];
  if (Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')) {
    return [{ id, only: tools, path }];
  }
  report([...path, 'tools'], 'expected a list of names');
  return [];
}

async function addServer(wanted: Wanted, read: ReadTools, place: ToolsPlace, report: Report): Promise<void> {
  const { only, path } = wanted;
  const found = await findServer(wanted.id, place);
  if ('problem' in found) return report(path, found.problem, found.hint);
  const { id } = found;
  if (read.servers.some((server) => server.id === id)) return report(path, `${id} is listed twice`);
  const { way, files, secrets, problems } = await readServer(found, place);
  read.files.push(...files.filter((file) => !read.files.includes(file)));
  read.secrets.push(...secrets);
  read.problems.push(...problems);
  if (way === undefined) return;
  if (way.transport === 'process') reportMissing(wanted, id, way.functions, report);
  read.servers.push({ id, ...(only !== undefined && { only }), ...way });
}

/** Tools that a process server does not have; of any other server that is known when it is asked. */
function reportMissing(
  wanted: Wanted,
  id: string,
  functions: readonly { name: string }[],
  report: Report,
): void {
  const names = functions.map(({ name }) => name);
  for (const [index, name] of (wanted.only ?? []).entries()) {
    if (names.includes(name)) continue;
    const path = [...wanted.path, 'tools', String(index)];
    const hint = didYouMean(name, names) ?? `it has ${names.join(', ')}`;
    report(path, `${id} has no tool ${JSON.stringify(name)}`, hint);
  }
}

function reportUnknown(value: object, path: string[], known: string[], report: Report): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    // Files of production may hold more than is used here; only what is nearly a known key is a slip.
    const hint = didYouMean(key, known);
    if (hint !== undefined) report([...path, key], 'unknown key', hint);
  }
}
