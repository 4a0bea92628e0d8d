// Calls the model and the tools it requests until it answers without tool calls.

import { AttemptError } from '../../errors.ts';
import type { ChatAnswer, ChatDeps, ChatRequest, ChatToolCall } from '../../connectors/chat.ts';
import { chat } from '../../connectors/chat.ts';
import type { ToolCall, Usage } from '../../model/agent.ts';
import { addCalls, addCost } from '../../model/spending.ts';
import type { ContentPart, Message } from '../../model/case.ts';
import type { Connector } from '../../model/connector.ts';
import type { ContextData } from '../../model/context.ts';
import { didYouMean } from '../../text/nearest.ts';
import { stopwatch } from '../../platform/tape-scope.ts';
import type { Tool, ToolAnswer, Toolbox } from '../tools/toolbox.ts';

export type LoopOptions = {
  connector: Connector;
  messages: Message[];
  options: Record<string, unknown>;
  toolbox: Toolbox | undefined;
  tool_loop: boolean;
  /** How often tool results go back to the model at most. */
  max_turn: number;
  context: ContextData;
};

/** A call as hooks see it. */
type HookToolCall = {
  toolcall_id: string;
  server: string;
  tool: string;
  arguments: unknown;
  result: unknown;
  error?: string;
};

export type LoopResult = {
  /** The last answer. */
  answer: ChatAnswer;
  /** The whole conversation, including the answer. */
  messages: Message[];
  calls: ToolCall[];
  /** The calls of the last round. */
  tools: HookToolCall[];
  usage?: Usage;
  cost_usd: number | null;
  first_token_ms?: number;
};

type Spent = Pick<LoopResult, 'cost_usd' | 'first_token_ms' | 'usage'>;

/** Runs the loop. Throws failures of the model; failures of tools are sent back to the model. */
export async function runModelLoop(options: LoopOptions, deps: ChatDeps): Promise<LoopResult> {
  const { connector, toolbox, tool_loop, max_turn } = options;
  const tools = toolbox === undefined ? [] : await listTools(toolbox, deps);
  const messages = [...options.messages];
  /** The same with images and files that tools returned. */
  const sent = [...options.messages];
  const calls: ToolCall[] = [];
  let spent: Spent | undefined;

  for (let turn = 0; ; turn += 1) {
    const request: ChatRequest = { messages: sent, options: options.options };
    if (tools.length > 0)
      request.tools = tools.map(({ name, description, parameters }) => ({ name, parameters, description }));

    const answer = await chat(connector, request, deps);
    spent = addSpending(spent, answer);
    const said = assistantMessage(answer);
    messages.push(said);
    sent.push(said);
    const wanted = answer.tool_calls ?? [];
    const done =
      wanted.length === 0
        ? []
        : await Promise.all(wanted.map((call) => callTool(call, tools, options, deps)));
    calls.push(...done.map(({ record }) => record));
    messages.push(...done.map(({ message }) => message));
    sent.push(
      ...done.map(({ message, media }) => (media === undefined ? message : withMedia(message, media))),
    );
    if (wanted.length > 0 && tool_loop && turn >= max_turn) {
      deps.log(
        `max_turn ${String(max_turn)} is reached: the results of the last tools do not go back to the model`,
      );
    }
    if (wanted.length === 0 || !tool_loop || turn >= max_turn) {
      return { answer, messages, calls, tools: done.map(({ seen }) => seen), ...spent };
    }
  }
}

/** Time spent waiting for tool servers is not counted as the assistant's. */
export async function listTools(
  toolbox: Toolbox,
  deps: Pick<ChatDeps, 'signal' | 'waiting'>,
): Promise<Tool[]> {
  const release = deps.waiting?.(new AttemptError('connection', 'the tool servers have not answered'));
  try {
    return await toolbox.tools(deps.signal);
  } finally {
    release?.();
  }
}

/** A finished call: for the transcript, for hooks and for the model. */
type FinishedCall = {
  record: ToolCall;
  seen: HookToolCall;
  message: Message;
  media: ContentPart[] | undefined;
};

async function callTool(
  { id, name, arguments: args }: ChatToolCall,
  tools: Tool[],
  { toolbox, context }: LoopOptions,
  { root, signal }: ChatDeps,
): Promise<FinishedCall> {
  const elapsed = stopwatch(`tool ${name}`);
  const tool = tools.find((candidate) => candidate.name === name);
  const { result, error, media }: ToolAnswer =
    tool === undefined || toolbox === undefined
      ? { error: unknownTool(name, tools) }
      : await toolbox.call(tool, args, { root, context, signal });
  const record: ToolCall = { name, arguments: args };
  if (error === undefined) record.result = result ?? null;
  else record.error = error;
  record.duration_ms = Math.round(elapsed());
  const seen: HookToolCall = {
    toolcall_id: id,
    server: tool?.server ?? '',
    tool: tool?.tool ?? name,
    arguments: args,
    result: result ?? null,
    ...(error !== undefined && { error }),
  };
  const content = error === undefined ? asText(result) : JSON.stringify({ error });
  return { record, seen, message: { role: 'tool', tool_call_id: id, name, content }, media };
}

function withMedia(message: Message, media: ContentPart[]): Message {
  return { ...message, content: [{ type: 'text', text: message.content }, ...media] };
}

function unknownTool(name: string, tools: Tool[]): string {
  const names = tools.map((tool) => tool.name);
  const hint =
    didYouMean(name, names) ?? (names.length === 0 ? 'there are no tools' : `there is ${names.join(', ')}`);
  return `unknown tool "${name}"; ${hint}`;
}

function assistantMessage({ content, tool_calls }: ChatAnswer): Message {
  if (tool_calls === undefined || tool_calls.length === 0) return { role: 'assistant', content };
  const wire = tool_calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  }));
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: wire };
}

/** Adds usage and cost; an unknown price makes the sum unknown. */
function addSpending(before: Spent | undefined, { usage, cost_usd, first_token_ms }: ChatAnswer): Spent {
  if (before === undefined) return { cost_usd, usage, first_token_ms };
  return {
    cost_usd: addCost(before.cost_usd, cost_usd) ?? null,
    usage: addCalls(before.usage, usage),
    first_token_ms: before.first_token_ms,
  };
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
