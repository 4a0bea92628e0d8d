// The tools of an assistant, from all its servers.

import { AttemptError } from '../../errors.ts';
import type { ContentPart } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import type { ToolServer } from '../../model/tool-server.ts';
import { didYouMean } from '../../text/nearest.ts';
import { mcpServer } from './mcp-server.ts';
import { callProcess } from './process-tools.ts';
import { wireName } from './wire-name.ts';

/** A tool as the model sees it: `agents_calc_math__add`. */
export type Tool = {
  name: string;
  /** The server's id and the tool's own name. */
  server: string;
  tool: string;
  description?: string;
  parameters: Record<string, unknown>;
};

/** The result of a call, or its error, which is sent to the model; `media` are images and files that go to the model as such. */
export type ToolAnswer = { result?: unknown; error?: string; media?: ContentPart[] };

export type ToolDeps = { root: string; context: ContextData; signal: AbortSignal };

/** The tools of one assistant in one worker, shared by concurrent attempts for the life of the worker. */
export type Toolbox = {
  /** Starts the servers on first use. Throws AttemptError (`connection`, `auth` …) if one cannot be used. */
  tools(signal: AbortSignal): Promise<Tool[]>;
  /** Throws AttemptError only if the server is gone; errors of the tool are in the answer. */
  call(tool: Tool, args: unknown, deps: ToolDeps): Promise<ToolAnswer>;
};

/** A tool with its server's own name for it. */
type OwnTool = Pick<Tool, 'description' | 'parameters'> & { name: string };

export function openToolbox(servers: readonly ToolServer[]): Toolbox {
  return {
    async tools(signal) {
      const lists = await Promise.all(servers.map((server) => ownTools(server, signal)));
      const tools: Tool[] = [];
      const taken = new Set<string>();
      for (const [index, { id }] of servers.entries()) {
        for (const { name: tool, ...rest } of lists[index] ?? []) {
          const name = wireName(id, tool, taken);
          taken.add(name);
          tools.push({ name, server: id, tool, ...rest });
        }
      }
      return tools;
    },
    async call({ server: id, tool }, args, deps) {
      const server = servers.find((server) => server.id === id);
      if (server === undefined) throw new AttemptError('harness', `no tool server ${id}`);
      if (server.transport !== 'process') return mcpServer(server).call(tool, args, deps.signal);
      const found = server.functions.find(({ name }) => name === tool);
      if (found === undefined) throw new AttemptError('harness', `tool server ${id} has no tool ${tool}`);
      return callProcess(found, args, deps);
    },
  };
}

/** The tools of a server that the assistant wants. */
async function ownTools(server: ToolServer, signal: AbortSignal): Promise<OwnTool[]> {
  const { id, only } = server;
  const all = server.transport === 'process' ? server.functions.map(offered) : await listed(server, signal);
  const names = all.map(({ name }) => name);
  for (const name of only ?? []) {
    if (names.includes(name)) continue;
    const hint = didYouMean(name, names);
    const message = `tool server ${id} has no tool "${name}"${hint === undefined ? '' : `; ${hint}`}`;
    throw new AttemptError('protocol', message, { isFinal: true });
  }
  return all.filter(({ name }, index) => {
    // Drop duplicates.
    return names.indexOf(name) === index && (only?.includes(name) ?? true);
  });
}

function offered({ name, description, parameters }: OwnTool): OwnTool {
  return { name, description, parameters };
}

async function listed(
  server: Exclude<ToolServer, { transport: 'process' }>,
  signal: AbortSignal,
): Promise<OwnTool[]> {
  const tools = await mcpServer(server).tools(signal);
  return tools.map(({ name, description, inputSchema }) =>
    offered({ name, description, parameters: inputSchema }),
  );
}
