// The tools of an assistant, wherever they come from: servers come in, tools that can be called go out.

import { AttemptError } from '../../errors.ts';
import type { ContextData } from '../../model/context.ts';
import type { ToolServer } from '../../model/tool-server.ts';
import { didYouMean } from '../../text/nearest.ts';
import { mcpServer } from './mcp-server.ts';
import { callProcess } from './process-tools.ts';
import { wireName } from './wire-name.ts';

/** A tool as it is offered to a model: `agents_calc_math__add`. */
export type Tool = {
  name: string;
  /** The server's id and the tool's own name. */
  server: string;
  tool: string;
  description?: string;
  parameters: Record<string, unknown>;
};

/** What a call led to: the result, or why there is none. A failing tool is an answer for the model, nothing is thrown. */
export type ToolAnswer = { result?: unknown; error?: string };

export type ToolDeps = { root: string; context: ContextData; signal: AbortSignal };

/** The tools of one assistant in one worker; kept as long as the worker lives, called by many attempts at once. */
export type Toolbox = {
  /** Starts and asks the servers on first use. Throws AttemptError (`connection`, `auth` …) if one cannot be used. */
  tools(signal: AbortSignal): Promise<Tool[]>;
  /** Throws AttemptError only if the server is gone; what the tool itself says is in the answer. */
  call(tool: Tool, args: unknown, deps: ToolDeps): Promise<ToolAnswer>;
};

/** A tool under the name its server gives it. */
type OwnTool = Pick<Tool, 'description' | 'parameters'> & { name: string };

/** Opens a toolbox; nothing is started before the first use. */
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
      if (server === undefined) throw new AttemptError('harness', `there is no tool server ${id}`);
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
    // A server that lists a tool twice has it once.
    return names.indexOf(name) === index && (only?.includes(name) ?? true);
  });
}

function offered({ name, description, parameters }: OwnTool): OwnTool {
  return { name, ...(description !== undefined && { description }), parameters };
}

async function listed(
  server: Exclude<ToolServer, { transport: 'process' }>,
  signal: AbortSignal,
): Promise<OwnTool[]> {
  const tools = await mcpServer(server).tools(signal);
  return tools.map(({ name, description, inputSchema }) =>
    offered({ name, ...(description !== undefined && { description }), parameters: inputSchema }),
  );
}
