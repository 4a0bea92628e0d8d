// The state behind the context: memories live for a case, everything else for one request.

import { AttemptError } from '../../errors.ts';
import type { ToolCall, Transcript } from '../../model/agent.ts';
import type { ContextData } from '../../model/context.ts';
import type { Spending } from '../../model/spending.ts';
import { joinSpending } from '../../model/spending.ts';
import type { Store } from './memory.ts';
import type { Sent } from './messages.ts';
import type { Mocks, SavedMocks } from './mocks.ts';
import { MockSet } from './mocks.ts';
import type { SavedMemories } from './thread-protocol.ts';
import type { Trace } from './trace.ts';
import { traceEntries } from './trace.ts';

/** What user code did through its context during one request, which is one turn of a conversation. */
type RequestState = {
  context: Store;
  sent: Sent;
  trace: Trace;
  /** Tool calls since they were last taken. */
  calls: ToolCall[];
  spent: Spending;
  /** Why a model or an agent could not be asked; the attempt ends with it if the hook throws. */
  failure?: AttemptError;
};

export type Session = {
  memories: Record<'own' | 'user' | 'team' | 'chat', Store>;
  request: RequestState;
  mocks?: MockSet;
  /** The folder of the sandbox, once it exists. */
  workdir?: string;
  /** Removes what the attempt leaves behind. */
  dispose?: () => void;
};

/** All calls of user code in an attempt (turns, hooks, tools, delegates) share one session. */
const sessions = new WeakMap<ContextData, Session>();

export function sessionOf(data: ContextData): Session {
  const known = sessions.get(data);
  if (known !== undefined) return known;
  const session: Session = {
    memories: { own: new Map(), user: new Map(), team: new Map(), chat: new Map() },
    request: emptyRequest(),
  };
  sessions.set(data, session);
  return session;
}

/** Makes two contexts of one attempt share their session. */
export function shareSession(from: ContextData, to: ContextData): void {
  sessions.set(to, sessionOf(from));
}

/** Gives a context of an agent that is called a request of its own; memories, mocks and ids are shared. */
export function forkSession(from: ContextData, to: ContextData): void {
  const { memories, request, mocks } = sessionOf(from);
  const own = emptyRequest();
  own.sent.ids = request.sent.ids;
  sessions.set(to, { memories, request: own, ...(mocks !== undefined && { mocks }) });
}

/** Ends an attempt. */
export function endSession(data: ContextData): void {
  sessions.get(data)?.dispose?.();
}

/** Adds mocks to those of the attempt. */
export function addMocks(data: ContextData, mocks: Mocks): void {
  const session = sessionOf(data);
  session.mocks ??= new MockSet();
  session.mocks.add(mocks);
}

/** Sets the mocks of an attempt that another thread has begun. */
export function loadMocks(data: ContextData, mocks: SavedMocks): void {
  const session = sessionOf(data);
  session.mocks ??= new MockSet();
  session.mocks.load(mocks);
}

/** All memories as JSON, for another thread. */
export function saveMemories(data: ContextData): SavedMemories {
  const { memories, request } = sessionOf(data);
  const stores = { ...memories, context: request.context };
  return Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, [...store]]));
}

/** The opposite of `saveMemories`. */
export function loadMemories(data: ContextData, saved: SavedMemories): void {
  const { memories, request } = sessionOf(data);
  for (const [name, store] of Object.entries({ ...memories, context: request.context })) {
    store.clear();
    for (const [key, entry] of saved[name] ?? []) store.set(key, entry);
  }
}

/** The error of an attempt whose code threw: a failure of a model, an agent or a server that it asked comes first. */
export function causeOf(error: unknown, data: ContextData): unknown {
  return error instanceof AttemptError ? error : (sessions.get(data)?.request.failure ?? error);
}

/** Starts a request: what the one before sent and traced is gone. */
export function beginRequest(data: ContextData): void {
  const session = sessions.get(data);
  if (session !== undefined) session.request = emptyRequest();
}

/** Adds what user code did through its context to the transcript of the request. */
export function withRequest(transcript: Transcript, data: ContextData): Transcript {
  const request = sessions.get(data)?.request;
  if (request === undefined) return transcript;
  const { messages } = request.sent;
  const trace = traceEntries(request.trace);
  const calls = takeCalls(data);
  const spent = joinSpending(transcript, request.spent);
  const whole: Transcript = {
    ...transcript,
    ...spent,
    ...(calls.length > 0 && { tool_calls: [...(transcript.tool_calls ?? []), ...calls] }),
    ...(messages.length > 0 && { sent_messages: messages }),
    ...(trace !== undefined && { trace }),
  };
  if (spent.usage === undefined) delete whole.usage;
  return whole;
}

/** Tool calls that hooks made since the last call of this function. */
export function takeCalls(data: ContextData): ToolCall[] {
  return sessions.get(data)?.request.calls.splice(0) ?? [];
}

function emptyRequest(): RequestState {
  return {
    context: new Map(),
    sent: { messages: [], ids: { M: 0, B: 0, T: 0 } },
    trace: { entries: [], count: 0 },
    calls: [],
    spent: {},
  };
}
