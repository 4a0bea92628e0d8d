// The context as users' code sees it: the same facts under both naming styles.

import type { ContextData } from '../model/context.ts';

/** What hooks, module agents and scripts get as `ctx`. */
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

/** Values that live as long as the attempt. */
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

/** An attempt calls user code several times (turns, hooks, delegates), which share one memory. */
const memories = new WeakMap<ContextData, Memory>();

function memoryOf(data: ContextData): Memory {
  const memory = memories.get(data) ?? new Memory();
  memories.set(data, memory);
  return memory;
}

/** Makes two contexts of one attempt share their memory. */
export function shareMemory(from: ContextData, to: ContextData): void {
  memories.set(to, memoryOf(from));
}

/** Builds the context that user code is called with; it may change it as it likes. */
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
      return memoryOf(data);
    },
  };
  if (data.variables !== undefined) context.variables = withDates(data.variables, data.dates);
  // Asked for by few, and a signal is not made before someone asks for it.
  if (deps !== undefined)
    Object.defineProperty(context, 'signal', { get: () => deps.signal, configurable: true });
  return context;
}

/** What is ISO 8601 on its way is a Date in code. */
function withDates(
  variables: Record<string, unknown>,
  dates: readonly string[] = [],
): Record<string, unknown> {
  const values = { ...variables };
  for (const name of dates) values[name] = new Date(String(values[name]));
  return values;
}
