// `ctx.mcp`, `ctx.llm`, `ctx.agent` and `ctx.search`.

import { AttemptError, messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { ToolCall } from '../../model/agent.ts';
import type { Caller, OnChunk } from './call-member.ts';
import { callMember } from './call-member.ts';
import { askProvider } from './search-provider.ts';
import { sessionOf } from './session.ts';
import { strict } from './strict.ts';

type Members = Record<string, (...args: never[]) => unknown>;
type Item = Record<string, unknown>;
type Mode = 'All' | 'Any' | 'Race';

const MODES: readonly Mode[] = ['All', 'Any', 'Race'];

export function createMcp(caller: Caller): Members {
  const call = (member: string, ...args: unknown[]): unknown => ask(caller, `mcp.${member}`, args);
  const callTool = (server: string, tool: string, args?: unknown): unknown =>
    call('CallTool', server, tool, args ?? {});
  const several =
    (member: string) =>
    (server: string, calls: unknown): unknown => {
      const list = items(`mcp.${member}`, calls);
      if (!isMocked(caller, 'mcp.CallTool') || isMocked(caller, `mcp.${member}`))
        return call(member, server, list);
      return list.map(({ name, arguments: args }) => callTool(server, String(name), args));
    };
  return strict('ctx.mcp', {
    ListTools: (server: string) => call('ListTools', server),
    CallTool: callTool,
    CallTools: several('CallTools'),
    CallToolsParallel: several('CallToolsParallel'),
    ...combined(caller, 'mcp', 'CallTool', ({ mcp, tool, arguments: args }) => {
      try {
        return { mcp, tool, result: callTool(String(mcp), String(tool), args) };
      } catch (error) {
        return { mcp, tool, error: messageOf(error) };
      }
    }),
    ListResources: (server: string) => call('ListResources', server),
    ReadResource: (server: string, uri: string) => call('ReadResource', server, uri),
    ListPrompts: (server: string) => call('ListPrompts', server),
    GetPrompt: (server: string, name: string, args?: unknown) => call('GetPrompt', server, name, args ?? {}),
  });
}

export function createLlm(caller: Caller): Members {
  const stream = (connector: string, messages: unknown, options?: unknown): unknown =>
    ask(caller, 'llm.Stream', [connector, messages, options], ownChunks(options));
  return strict('ctx.llm', {
    Stream: stream,
    ...combined(caller, 'llm', 'Stream', ({ connector, messages, options, ...rest }) =>
      stream(String(connector), messages, options ?? rest),
    ),
  });
}

export function createAgents(caller: Caller): Members {
  const call = (id: string, messages: unknown, options?: unknown): unknown =>
    ask(caller, 'agent.Call', [id, messages, options], ownChunks(options));
  return strict('ctx.agent', {
    Call: call,
    ...combined(caller, 'agent', 'Call', ({ agent, messages, options }) =>
      call(String(agent), messages, options),
    ),
  });
}

export function createSearch(caller: Caller): Members {
  const types: Record<string, string> = { db: 'DB', kb: 'KB', web: 'Web' };
  const find =
    (member: string) =>
    (query: unknown, options?: unknown): unknown =>
      ask(caller, `search.${member}`, [query, options]);
  return strict('ctx.search', {
    Web: find('Web'),
    KB: find('KB'),
    DB: find('DB'),
    ...combined(caller, 'search', undefined, ({ type, query, ...options }) => {
      const member = types[String(type)];
      if (member !== undefined) return find(member)(query, options);
      throw new TypeError(`ctx.search has no type ${JSON.stringify(type)}; it is web, kb or db`);
    }),
  });
}

/** `All`, `Any` and `Race`. They go to the thread as a whole, unless the member `base` that they are made of is mocked. */
function combined(
  caller: Caller,
  group: string,
  base: string | undefined,
  one: (item: Item) => unknown,
): Members {
  const member =
    (mode: Mode) =>
    (list: unknown, options?: unknown): unknown => {
      const name = `${group}.${mode}`;
      const given = items(name, list);
      const isApart = base === undefined || isMocked(caller, `${group}.${base}`);
      if (!isApart || isMocked(caller, name))
        return ask(caller, name, [given], severalChunks(given, options));
      return pick(mode, given, one);
    };
  return Object.fromEntries(MODES.map((mode) => [mode, member(mode)]));
}

/** One after the other: mocks answer at once. */
function pick(mode: Mode, list: Item[], one: (item: Item) => unknown): unknown[] {
  const answers: unknown[] = [];
  for (const item of list) {
    const answer = one(item);
    const isWinner = mode === 'Race' || (mode === 'Any' && !(isObject(answer) && 'error' in answer));
    if (isWinner) return [answer];
    answers.push(answer);
  }
  return answers;
}

function ask(caller: Caller, member: string, args: unknown[], onChunk?: OnChunk): unknown {
  const { mocks } = sessionOf(caller.data);
  if (mocks?.has(member) !== true) {
    if (member.startsWith('search.')) return search(caller, member, args);
    return callMember(caller, member, args, onChunk);
  }
  if (member === 'mcp.CallTool') return mockedTool(caller, args);
  const answer = completed(member, args, mocks.answer(member, args));
  const content = isObject(answer) ? answer['content'] : undefined;
  if (typeof content === 'string') onChunk?.(0, String(args[0]), { type: 'text', props: { content } });
  return answer;
}

/** A mocked call is in the transcript like any other. */
function mockedTool({ data }: Caller, [server, tool, args]: unknown[]): unknown {
  const { mocks, request } = sessionOf(data);
  const name = `${String(server).replaceAll(/[^\w-]/g, '_')}__${String(tool)}`;
  const record: ToolCall = { name, arguments: args };
  request.calls.push(record);
  try {
    const result = mocks?.answer('mcp.CallTool', [server, tool, args]);
    record.result = result ?? null;
    return result;
  } catch (error) {
    record.error = messageOf(error);
    throw error;
  }
}

/** A mock may leave out what is known: a text is the content of a model or an agent. */
function completed(member: string, [first]: unknown[], answer: unknown): unknown {
  const rest = typeof answer === 'string' ? { content: answer } : answer;
  if (!isObject(rest)) return rest;
  const { content } = rest;
  const completion = { role: 'assistant', content };
  switch (member) {
    case 'llm.Stream':
      return { connector: first, ...(content !== undefined && { response: completion }), ...rest };
    case 'agent.Call':
      return { agent_id: first, ...(content !== undefined && { response: { completion } }), ...rest };
    case 'search.DB':
    case 'search.KB':
    case 'search.Web':
      return { type: member.slice(7).toLowerCase(), query: first, source: 'mock', items: [], ...rest };
    default:
      return answer;
  }
}

function search(caller: Caller, member: string, args: unknown[]): unknown {
  const provider = caller.host?.search;
  if (provider === undefined) throw needsMock(member);
  return askProvider(caller, provider, member.slice('search.'.length).toLowerCase(), args);
}

function needsMock(member: string): AttemptError {
  return new AttemptError(
    'harness',
    `ctx.${member} needs a mock or a provider: add "mocks": {"${member}": {"items": […]}} to the case, or "uses": {"search": "mcp:<server>.<tool>"} to package.yao`,
    { isFinal: true },
  );
}

function isMocked({ data }: Caller, member: string): boolean {
  return sessionOf(data).mocks?.has(member) === true;
}

function items(member: string, list: unknown): Item[] {
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new TypeError(`ctx.${member} needs a list of objects`);
}

type Listener = (...args: unknown[]) => unknown;

function ownChunks(options: unknown): OnChunk | undefined {
  const listener = listenerIn(options);
  return listener === undefined ? undefined : (_index, _id, message) => void listener(message);
}

/** Listeners of single items get the message; that of all of them gets (id, index, message). */
function severalChunks(list: Item[], options: unknown): OnChunk | undefined {
  const shared = listenerIn(options);
  const own = list.map((item) => listenerIn(item['options']) ?? listenerIn(item));
  if (shared === undefined && own.every((one) => one === undefined)) return undefined;
  return (index, id, message) => {
    own[index]?.(message);
    shared?.(id, index, message);
  };
}

function listenerIn(options: unknown): Listener | undefined {
  const listener = isObject(options) ? options['onChunk'] : undefined;
  // Its parameters are documented but cannot be checked.
  return typeof listener === 'function' ? (listener as Listener) : undefined;
}
