// The context that user code gets, with all fields in both naming styles.

import type { AttemptError } from '../errors.ts';
import type { ContextData } from '../model/context.ts';
import { didYouMean } from '../text/nearest.ts';
import type { Caller } from './context/call-member.ts';
import { createAgents, createLlm, createMcp, createSearch } from './context/groups.ts';
import type { Namespace } from './context/memory.ts';
import { createNamespace, namespaceMembers } from './context/memory.ts';
import type { Messages } from './context/messages.ts';
import { createMessages, MESSAGE_MEMBERS } from './context/messages.ts';
import { createSandbox } from './context/sandbox.ts';
import { sessionOf } from './context/session.ts';
import { fallback, strict, unknownMember } from './context/strict.ts';
import type { ContextHost } from './context/thread-protocol.ts';
import { createTrace } from './context/trace.ts';

/** The `ctx` of hooks, module agents and scripts. */
export type UserContext = {
  User: { ID: string; Name?: string };
  Team: { ID: string; Name?: string };
  Locale: string;
  Client: { Type: string; IP: string; UserAgent?: string };
  Metadata: Record<string, unknown>;
  ChatID: string;
  AssistantID: string;
  Referer: string;
  Accept: string;
  memory: Namespace & Record<'user' | 'team' | 'chat' | 'context', Namespace>;
} & ContextData &
  Partial<ContextMembers>;

/** Members that a prototype holds: they are not enumerable, and created on first use. */
type ContextMembers = Readonly<Messages> & {
  readonly signal: AbortSignal | undefined;
  readonly trace: ReturnType<typeof createTrace>;
} & Readonly<Record<'agent' | 'llm' | 'mcp' | 'sandbox' | 'search', object>>;

/** What the members of a context use. */
type ContextDeps = {
  readonly signal?: AbortSignal;
  waiting?(reason: AttemptError): () => void;
};

/** What the members of a context need, and those that were created. */
type Owner = {
  data: ContextData;
  context: UserContext;
  deps: ContextDeps | undefined;
  host: ContextHost | undefined;
  parts: Record<string, unknown>;
  /** Names that user code looked up in vain. */
  missing: Set<string>;
};

const owners = new WeakMap<object, Owner>();

/** How a member is created for a context. */
const MEMBERS: Record<string, (owner: Owner) => unknown> = {
  agent: (owner) => createAgents(callerOf(owner)),
  llm: (owner) => createLlm(callerOf(owner)),
  mcp: (owner) => createMcp(callerOf(owner)),
  sandbox: (owner) => sandboxOf(owner),
  search: (owner) => createSearch(callerOf(owner)),
  signal: ({ deps }) => deps?.signal,
  trace: ({ data }) => createTrace(() => sessionOf(data).request.trace),
  ...Object.fromEntries(MESSAGE_MEMBERS.map((name) => [name, (owner: Owner) => messagesOf(owner)[name]])),
};

const PROTOTYPE = createPrototype();

/** Builds a new context, which user code may modify. Without a host, its members reach nothing outside the process. */
export function userContext(data: ContextData, deps?: ContextDeps, host?: ContextHost): UserContext {
  const { chat_id, assistant_id, authorized, client, locale, theme, route, referer, accept } = data;
  const metadata = { ...data.metadata };
  const context: UserContext = {
    // @ts-expect-error Sets the prototype, which TypeScript takes for a field.
    __proto__: PROTOTYPE,
    User: { ID: authorized.user_id ?? '' },
    Team: { ID: authorized.team_id ?? '' },
    Locale: locale,
    Client: {
      Type: client.type,
      IP: client.ip,
      ...(client.user_agent !== undefined && { UserAgent: client.user_agent }),
    },
    Metadata: metadata,
    ChatID: chat_id,
    AssistantID: assistant_id,
    Referer: referer,
    Accept: accept,
    chat_id,
    assistant_id,
    authorized: { ...authorized },
    metadata,
    client: { ...client },
    locale,
    referer,
    accept,
    get memory() {
      return (owner.parts['memory'] ??= createMemory(data)) as UserContext['memory'];
    },
  };
  const owner: Owner = { data, context, deps, host, parts: {}, missing: new Set() };
  owners.set(context, owner);
  if (theme !== undefined) context.theme = theme;
  if (route !== undefined) context.route = route;
  if (data.variables !== undefined) context.variables = withDates(data.variables, data.dates);
  return context;
}

/** The context with what hooks changed in it, for tools and other agents. */
export function currentContext(data: ContextData, ctx: UserContext): ContextData {
  const { metadata, locale, theme, route } = ctx;
  const current: ContextData = { ...data, metadata, locale };
  if (theme !== undefined && theme !== '') current.theme = theme;
  if (route !== undefined && route !== '') current.route = route;
  return current;
}

/** Explains a TypeError of code that uses a member which the context does not have. */
export function explainMissingMember(error: unknown, context: unknown): unknown {
  const owner = typeof context === 'object' && context !== null ? owners.get(context) : undefined;
  if (!(error instanceof TypeError) || owner === undefined || owner.missing.size === 0) return error;
  const called = /(\w+) is not a function$/.exec(error.message)?.[1];
  const read = error.message.startsWith('Cannot read properties of undefined');
  const name = called === undefined && read ? [...owner.missing].at(-1) : called;
  if (name === undefined || !owner.missing.has(name)) return error;
  const text =
    name === 'sandbox'
      ? 'ctx.sandbox is not configured; add "sandbox": {} to package.yao'
      : unknownMember('ctx', name, knownNames(context as object));
  const { message } = error;
  error.message = `${text} (${message})`;
  if (typeof error.stack === 'string') error.stack = error.stack.replace(message, () => error.message);
  return error;
}

function createPrototype(): object {
  const prototype: object = Object.create(fallback(reportMissing)) as object;
  for (const [name, create] of Object.entries(MEMBERS)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object): unknown {
        const owner = owners.get(this);
        return owner === undefined ? undefined : (owner.parts[name] ??= create(owner));
      },
      // User code may replace a member, as it may replace any field.
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  }
  return Object.assign(prototype, { theme: '', route: '' });
}

/**
 * A method that does not exist is an error. Other names are undefined, as in production, where code asks for optional
 * fields; a name that looks like a slip is noted.
 */
function reportMissing(name: string, context: unknown): undefined {
  const owner = typeof context === 'object' && context !== null ? owners.get(context) : undefined;
  if (owner === undefined || owner.missing.has(name) || name === 'variables') return undefined;
  const known = knownNames(context as object);
  if (/^[A-Z]/.test(name)) throw new TypeError(unknownMember('ctx', name, known));
  owner.missing.add(name);
  const hint = didYouMean(name, known);
  if (hint !== undefined) console.warn(`ctx.${name} does not exist; ${hint}`);
  return undefined;
}

function knownNames(context: object): string[] {
  return [...new Set([...Object.keys(context), ...Object.keys(MEMBERS), 'theme', 'route'])];
}

function callerOf({ data, context, deps, host }: Owner): Caller {
  return {
    data,
    host,
    current: () => currentContext(data, context),
    waiting: (reason) => deps?.waiting?.(reason) ?? (() => undefined),
  };
}

/** Undefined if it is not configured, so that code can ask for it. */
function sandboxOf({ data, host, missing }: Owner): object | undefined {
  const isMocked = sessionOf(data).mocks?.hasGroup('sandbox') === true;
  if (host?.hasSandbox === true || isMocked) return createSandbox(data);
  missing.add('sandbox');
  return undefined;
}

function messagesOf(owner: Owner): Messages {
  owner.parts['messages'] ??= createMessages(() => sessionOf(owner.data).request.sent);
  return owner.parts['messages'] as Messages;
}

function createMemory(data: ContextData): UserContext['memory'] {
  const session = sessionOf(data);
  const { own, user, team, chat } = session.memories;
  return strict('ctx.memory', {
    ...namespaceMembers(own, 'ctx.memory'),
    user: createNamespace(user, 'ctx.memory.user'),
    team: createNamespace(team, 'ctx.memory.team'),
    chat: createNamespace(chat, 'ctx.memory.chat'),
    context: createNamespace(session.request.context, 'ctx.memory.context'),
  });
}

/** Converts ISO 8601 text to Date. */
function withDates(
  variables: Record<string, unknown>,
  dates: readonly string[] = [],
): Record<string, unknown> {
  const values = { ...variables };
  for (const name of dates) values[name] = new Date(String(values[name]));
  return values;
}
