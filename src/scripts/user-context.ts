// The context that user code gets, with all fields in both naming styles.

import type { ContextData } from '../model/context.ts';

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
  memory: Memory;
  /** Not enumerable. */
  readonly signal?: AbortSignal;
} & ContextData;

/** Values that are kept until the end of the attempt. */
class Namespace {
  #values: Map<string, unknown> | undefined;

  Get(key: string): unknown {
    return this.#values?.get(key) ?? null;
  }

  Set(key: string, value: unknown): void {
    this.#values ??= new Map();
    this.#values.set(key, value);
  }

  Has(key: string): boolean {
    return this.#values?.has(key) ?? false;
  }

  Del(key: string): void {
    this.#values?.delete(key);
  }

  Keys(): string[] {
    return this.#values === undefined ? [] : [...this.#values.keys()];
  }

  Clear(): void {
    this.#values = undefined;
  }
}

class Memory extends Namespace {
  user = new Namespace();
  team = new Namespace();
  chat = new Namespace();
  context = new Namespace();
}

/** All calls of user code in an attempt (turns, hooks, delegates) share one memory. */
const memories = new WeakMap<ContextData, Memory>();

function attemptMemory(data: ContextData): Memory {
  const memory = memories.get(data) ?? new Memory();
  memories.set(data, memory);
  return memory;
}

/** Makes two contexts of one attempt share their memory. */
export function shareMemory(from: ContextData, to: ContextData): void {
  memories.set(to, attemptMemory(from));
}

/** Builds a new context, which user code may modify. */
export function userContext(data: ContextData, deps?: { readonly signal?: AbortSignal }): UserContext {
  const { chat_id, assistant_id, authorized, client, locale, referer, accept } = data;
  const metadata = { ...data.metadata };
  const context: UserContext = {
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
      return attemptMemory(data);
    },
  };
  if (data.variables !== undefined) context.variables = withDates(data.variables, data.dates);
  // A getter, because few agents use the signal and creating it costs time.
  if (deps !== undefined)
    Object.defineProperty(context, 'signal', { get: () => deps.signal, configurable: true });
  return context;
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
