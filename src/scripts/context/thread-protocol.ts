// What a context and the thread that serves its members say to each other. Everything is plain JSON.

import type { SentMessage, ToolCall, TraceEntry } from '../../model/agent.ts';
import type { ContextData } from '../../model/context.ts';
import type { ErrorCode } from '../../model/outcome.ts';
import type { Spending } from '../../model/spending.ts';
import type { Sent } from './messages.ts';
import type { SavedMocks } from './mocks.ts';

/** Where a member looks for servers, agents and connectors, and how it asks them. */
export type ContextHost = {
  root: string;
  /** The folder of the assistant whose code has the context. */
  folder: string;
  agentId: string;
  /** It may use `ctx.sandbox`. */
  hasSandbox?: boolean | undefined;
  /** What searches: `mcp:<server>.<tool>`, or the id of an agent. */
  search?: string | undefined;
  retries?: number | undefined;
  /** The agents that have delegated so far. */
  chain?: readonly string[] | undefined;
};

export type SavedMemories = Record<string, [key: string, entry: { value: unknown; until?: number }][]>;

/** A call of a member such as `mcp.CallTool`. */
export type MemberCall = {
  member: string;
  args: unknown[];
  host: ContextHost;
  context: ContextData;
  memories: SavedMemories;
  ids: Sent['ids'];
  mocks?: SavedMocks;
};

/** What arrives while a call is under way. `index` and `id` say which of several agents or models it is. */
export type MemberEvent =
  | { type: 'chunk'; index: number; id: string; message: Record<string, unknown> }
  | { type: 'secrets'; secrets: string[] }
  /** Waits for something outside, such as a rate limit; a missing reason ends the wait. */
  | { type: 'waiting'; reason?: { code: ErrorCode; message: string } };

/** Why a member failed; with a code, the attempt could not be measured. */
export type MemberFailure = { message: string; code?: ErrorCode; is_final?: boolean };

export type MemberAnswer = {
  value?: unknown;
  failure?: MemberFailure;
  /** Failures that the value holds as texts. */
  unmeasured?: MemberFailure;
  calls?: ToolCall[];
  spent?: Spending;
  sent?: SentMessage[];
  trace?: TraceEntry[];
  /** What arrived before, for a replay. */
  chunks?: { index: number; id: string; message: Record<string, unknown> }[];
  logs?: string[];
  /** If the call changed them. */
  memories?: SavedMemories;
  ids?: Sent['ids'];
  /** How often mocks were called. */
  counts?: Record<string, number>;
};

/** What the thread sends: events, and at last the answer. */
export type FromThread = MemberEvent | { type: 'done'; answer: MemberAnswer };
