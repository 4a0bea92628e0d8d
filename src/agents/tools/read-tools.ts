// Reads `mcp` of a package.yao and checks the servers it names, without starting them.

import type { Problem } from '../../errors.ts';
import type { ToolServer } from '../../model/tool-server.ts';
import { isObject } from '../../json/is-object.ts';
import { list, object, optional, required } from '../../schema/object.ts';
import { findProblems } from '../../schema/problems.ts';
import type { Infer, Path, Shape } from '../../schema/shape.ts';
import { matches, pathText } from '../../schema/shape.ts';
import { anything, boolean, integer, string } from '../../schema/values.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ServerPlace } from './find-server.ts';
import { findServer } from './find-server.ts';
import type { ReadPlace } from './read-server.ts';
import { readServer } from './read-server.ts';

export type ToolsPlace = ServerPlace &
  ReadPlace & {
    /** The file and line of a key in `mcp`, for messages. */
    at(path: readonly string[]): string;
  };

export type ReadTools = {
  servers: ToolServer[];
  tool_loop: boolean;
  max_turn: number;
  files: string[];
  secrets: string[];
  problems: Problem[];
};

type Report = (path: Path, message: string, hint?: string) => void;
type Wanted = { id: string; only?: string[]; path: (string | number)[] };

const ENTRY = {
  expected: 'the id of a tool server',
  hint: 'write "agents.<id>.<server>" or {"server_id": …, "tools": […]}',
};
const names = list(string, { isEmptyFine: true, expected: 'a list of names' });
const entry = object(
  {
    server_id: required(string, undefined, ENTRY.hint),
    tools: optional(names),
    // Allowed because production files may have them; Assay ignores them.
    prompts: optional(anything),
    resources: optional(anything),
  },
  { others: 'typos-refused', ...ENTRY },
);
const server: Shape<string | Infer<typeof entry>> = {
  check(value, findings) {
    if (typeof value !== 'string') entry.check(value, findings);
  },
  schema: () => ({ anyOf: [string.schema(), entry.schema()] }),
};
const mcpShape = object(
  {
    options: optional(
      object(
        {
          max_turn: optional(integer('a whole number from 1', { minimum: 1 })),
          tool_loop: optional(boolean),
        },
        { others: 'typos-refused' },
      ),
    ),
    servers: optional(list(server, { isEmptyFine: true, hint: 'write ["agents.<id>.<server>"]' })),
  },
  { others: 'typos-refused', hint: 'write {"servers": ["agents.<id>.<server>"]}' },
);
const packageShape = object({ mcp: optional(mcpShape) });

export async function readTools(mcp: unknown, place: ToolsPlace): Promise<ReadTools> {
  const read: ReadTools = { servers: [], tool_loop: true, max_turn: 5, files: [], secrets: [], problems: [] };
  if (mcp === undefined || mcp === null) return read;
  const report: Report = (path, message, hint) => {
    const key = pathText(['mcp', ...path]);
    read.problems.push({ message: `${key}: ${message}`, at: place.at(path.map(String)), hint });
  };
  const at = (path: string[]): string => place.at(path.slice(1));
  read.problems.push(...findProblems(packageShape, { mcp }, { wrong: 'expected', at }));
  const { options = {}, servers }: Infer<typeof mcpShape> = isObject(mcp) ? mcp : {};
  if (read.problems.length === 0) {
    read.tool_loop = options.tool_loop ?? read.tool_loop;
    read.max_turn = options.max_turn ?? read.max_turn;
  }
  for (const wanted of wantedServers(servers)) await addServer(wanted, read, place, report);
  read.secrets = [...new Set(read.secrets)];
  return read;
}

/** The entries with a usable server id, even if other fields have problems. */
function wantedServers(servers: unknown): Wanted[] {
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((value: unknown, index): Wanted[] => {
    const path = ['servers', index];
    if (typeof value === 'string') return [{ id: value, path }];
    if (!isObject(value) || typeof value['server_id'] !== 'string') return [];
    const { server_id: id, tools } = value;
    if (tools === undefined) return [{ id, path }];
    return matches(names, tools) ? [{ id, only: tools, path }] : [];
  });
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
  read.servers.push({ id, only, ...way });
}

/** Reports tools that a process server lacks; other servers list their tools only when they run. */
function reportMissing(
  wanted: Wanted,
  id: string,
  functions: readonly { name: string }[],
  report: Report,
): void {
  const existing = functions.map(({ name }) => name);
  for (const [index, name] of (wanted.only ?? []).entries()) {
    if (existing.includes(name)) continue;
    const path = [...wanted.path, 'tools', index];
    const hint = didYouMean(name, existing) ?? `it has ${existing.join(', ')}`;
    report(path, `${id} has no tool ${JSON.stringify(name)}`, hint);
  }
}
