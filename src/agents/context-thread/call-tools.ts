// `ctx.mcp`: the tools, resources and prompts of tool servers.

import { AttemptError, messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { ToolCall } from '../../model/agent.ts';
import type { ToolServer } from '../../model/tool-server.ts';
import { learnSecrets } from '../../secrets/learned.ts';
import { didYouMean } from '../../text/nearest.ts';
import { findServer } from '../tools/find-server.ts';
import { mcpServer } from '../tools/mcp-server.ts';
import { readServer } from '../tools/read-server.ts';
import { openToolbox } from '../tools/toolbox.ts';
import { wireName } from '../tools/wire-name.ts';
import { combine, isCombined } from './combine.ts';
import type { MemberDeps } from './serve.ts';

type ToolAnswer = { mcp: string; tool: string; result?: unknown; error?: string };

const never = new AbortController().signal;

export async function callTools(method: string, args: unknown[], deps: MemberDeps): Promise<unknown> {
  if (isCombined(method)) {
    return combine(method, listOf(args[0]), ({ mcp, tool, arguments: given }, _index, signal) =>
      tryTool(String(mcp), String(tool), given, deps, signal),
    );
  }
  const server = await serverNamed(text(args[0], 'the id of a server'), deps);
  switch (method) {
    case 'CallTool':
      return callTool(server, text(args[1], 'the name of a tool'), args[2], deps);
    case 'CallTools': {
      const results: unknown[] = [];
      for (const { name, arguments: given } of listOf(args[1]))
        results.push(await callTool(server, text(name, 'the name of a tool'), given, deps));
      return results;
    }
    case 'CallToolsParallel':
      return Promise.all(
        listOf(args[1]).map(({ name, arguments: given }) =>
          callTool(server, text(name, 'the name of a tool'), given, deps),
        ),
      );
    case 'ListTools':
      return { tools: await listTools(server) };
    default:
      return askServer(server, method, args);
  }
}

async function tryTool(
  id: string,
  tool: string,
  args: unknown,
  deps: MemberDeps,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  try {
    return { mcp: id, tool, result: await callTool(await serverNamed(id, deps), tool, args, deps, signal) };
  } catch (error) {
    return { mcp: id, tool, error: messageOf(error) };
  }
}

/** The parsed result. Throws the error of the tool. Every call is in the transcript. */
async function callTool(
  server: ToolServer,
  tool: string,
  args: unknown,
  { host, context, done }: MemberDeps,
  signal = never,
): Promise<unknown> {
  const record: ToolCall = { name: wireName(server.id, tool, new Set()), arguments: args ?? {} };
  done.calls.push(record);
  const startedAt = performance.now();
  try {
    if (server.transport === 'process') requireTool(server, tool);
    const wanted = { name: record.name, server: server.id, tool, parameters: {} };
    const called = { root: host.root, context, signal };
    const { result, error } = await openToolbox([server]).call(wanted, args ?? {}, called);
    if (error !== undefined) throw new AttemptError('agent', `${server.id}, ${tool}: ${error}`);
    record.result = result ?? null;
    return result ?? null;
  } catch (error) {
    record.error = messageOf(error);
    throw error;
  } finally {
    record.duration_ms = Math.round(performance.now() - startedAt);
  }
}

function requireTool(server: Extract<ToolServer, { transport: 'process' }>, tool: string): void {
  const names = server.functions.map(({ name }) => name);
  if (names.includes(tool)) return;
  const hint = didYouMean(tool, names) ?? `it has ${names.join(', ')}`;
  throw new AttemptError('agent', `${server.id} has no tool ${JSON.stringify(tool)}; ${hint}`);
}

async function listTools(server: ToolServer): Promise<unknown[]> {
  if (server.transport !== 'process') return mcpServer(server).tools(never);
  return server.functions.map(({ name, description, parameters }) => ({
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters,
  }));
}

/** Resources and prompts, in the form of the protocol. A server of functions has none. */
async function askServer(server: ToolServer, method: string, [, name, args]: unknown[]): Promise<unknown> {
  if (server.transport !== 'process') {
    switch (method) {
      case 'ListResources':
        return mcpServer(server).ask((client) => client.listResources(), never);
      case 'ReadResource':
        return mcpServer(server).ask(
          (client) => client.readResource({ uri: text(name, 'the URI of a resource') }),
          never,
        );
      case 'ListPrompts':
        return mcpServer(server).ask((client) => client.listPrompts(), never);
      default: {
        const prompt = { name: text(name, 'the name of a prompt'), arguments: toTexts(args) };
        return mcpServer(server).ask((client) => client.getPrompt(prompt), never);
      }
    }
  }
  if (method === 'ListResources') return { resources: [] };
  if (method === 'ListPrompts') return { prompts: [] };
  throw new AttemptError('agent', `${server.id} has tools only, because its transport is "process"`);
}

async function serverNamed(id: string, { host }: MemberDeps): Promise<ToolServer> {
  const place = { ...host, cwd: process.cwd(), env: process.env };
  const found = await findServer(id, place);
  if ('problem' in found)
    throw new AttemptError('agent', `${found.problem}${found.hint === undefined ? '' : `; ${found.hint}`}`);
  const { way, problems, secrets } = await readServer(found, place);
  learnSecrets(secrets);
  const [problem] = problems;
  if (problem !== undefined)
    throw new AttemptError('harness', `${problem.at ?? found.file}: ${problem.message}`, { isFinal: true });
  if (way === undefined) throw new AttemptError('harness', `${found.file} cannot be read`);
  return { id: found.id, ...way };
}

function toTexts(args: unknown): Record<string, string> {
  const entries = Object.entries(isObject(args) ? args : {});
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function listOf(list: unknown): Record<string, unknown>[] {
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new AttemptError('agent', 'needs a list of objects');
}

function text(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new AttemptError('agent', `needs ${what}, not ${JSON.stringify(value)}`);
}
