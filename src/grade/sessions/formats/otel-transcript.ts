// The spans of one trace in, one transcript out.

import { jsonOrText } from '../../../json/parse-json.ts';
import { isCount, toUsage } from '../../../model/spending.ts';
import { SessionBuilder } from '../session-builder.ts';
import { textOf } from './fields.ts';
import type { SpanMessage, SpanMessages } from './otel-messages.ts';
import { messagesOf } from './otel-messages.ts';
import type { Span } from './otel-spans.ts';

const OPERATION = 'gen_ai.operation.name';
const CONVERSATION = 'gen_ai.conversation.id';
/** Calls of a model; an agent's span sums them up. */
const MODEL_CALLS = new Set(['chat', 'generate_content', 'text_completion']);
const AGENTS = new Set(['invoke_agent', 'invoke_workflow', 'create_agent']);

export type TraceFacts = { names: string[]; agent: string | undefined; input: string | undefined };

/** True if a trace has something to do with models: a span of the GenAI conventions, or of the AI SDK. */
export function isAgentTrace(spans: readonly Span[]): boolean {
  return spans.some(({ attributes }) =>
    Object.keys(attributes).some((name) => name.startsWith('gen_ai.') || name.startsWith('ai.')),
  );
}

/** The names under which a case can find a trace, its agent and its first message. */
export function traceFacts(spans: readonly Span[]): TraceFacts {
  const values = (name: string): string[] =>
    spans.flatMap(({ attributes }) => textOf(attributes[name]) ?? []);
  const [agent] = [
    ...values('gen_ai.agent.name'),
    ...values('gen_ai.agent.id'),
    ...spans.flatMap(({ resource }) => textOf(resource['service.name']) ?? []),
  ];
  const names = [...new Set([...values(CONVERSATION), ...values('test.case.name'), ...values('session.id')])];
  return { names, agent, input: readTrace(spans).input };
}

export function readTrace(all: readonly Span[]): SessionBuilder {
  const spans = all.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
  const builder = new SessionBuilder();
  for (const { startMs, endMs } of spans) {
    builder.at(startMs);
    builder.at(endMs);
  }
  const calls = spans.filter(isModelCall);
  const root = topAgent(spans) ?? spans.find(({ parentId }) => parentId === undefined) ?? spans[0];
  addTools(builder, spans, calls);
  addMessages(builder, root === undefined || isModelCall(root) ? undefined : root, calls);
  for (const { attributes } of calls.length > 0 ? calls : spans) addSpending(builder, attributes);
  builder.error ??= root?.error;
  return builder;
}

function isModelCall({ attributes }: Span): boolean {
  const operation = textOf(attributes[OPERATION]);
  if (operation !== undefined) return MODEL_CALLS.has(operation);
  // Older conventions had no operation.
  return (
    textOf(attributes['gen_ai.request.model']) !== undefined &&
    textOf(attributes['gen_ai.tool.name']) === undefined
  );
}

/** The agent that no other agent has called. */
function topAgent(spans: readonly Span[]): Span | undefined {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const isAgent = ({ attributes }: Span): boolean => AGENTS.has(textOf(attributes[OPERATION]) ?? '');
  return spans.find((span) => {
    if (!isAgent(span)) return false;
    const seen = new Set<string>();
    for (
      let up = byId.get(span.parentId ?? '');
      up !== undefined && !seen.has(up.id);
      up = byId.get(up.parentId ?? '')
    ) {
      if (isAgent(up)) return false;
      seen.add(up.id);
    }
    return true;
  });
}

/** Spans of tools know what a tool returned; without any, the messages say what was called. */
function addTools(builder: SessionBuilder, spans: readonly Span[], calls: readonly Span[]): void {
  const tools = spans.filter(
    ({ attributes }) =>
      attributes[OPERATION] === 'execute_tool' || textOf(attributes['ai.toolCall.name']) !== undefined,
  );
  for (const { attributes, name, id, error } of tools) {
    const own = textOf(attributes['gen_ai.tool.name'] ?? attributes['ai.toolCall.name']);
    const called = attributes['gen_ai.tool.call.arguments'] ?? attributes['ai.toolCall.args'];
    const result = attributes['gen_ai.tool.call.result'] ?? attributes['ai.toolCall.result'];
    builder.call(id, own ?? name.replace(/^execute_tool\s+/, ''), jsonOrText(called));
    if (error !== undefined) builder.result(id, { error });
    else if (result !== undefined) builder.result(id, { result: jsonOrText(result) });
  }
  if (tools.length > 0) return;
  for (const { input, output } of calls.map(messagesOf)) {
    for (const message of [...input, ...output]) {
      for (const call of message.calls) builder.call(call.id, call.name, call.arguments);
      for (const { id, result } of message.results) builder.result(id, { result });
    }
  }
}

/** Those of the agent; else those of its last model call, which was told everything before it. */
function addMessages(builder: SessionBuilder, root: Span | undefined, calls: readonly Span[]): void {
  const own: SpanMessages = root === undefined ? { input: [], output: [] } : messagesOf(root);
  const told = calls.map(messagesOf);
  const last = told.findLast(({ input }) => input.length > 0);
  const input = own.input.length > 0 ? own.input : (last?.input ?? []);
  const spoken = told.flatMap(({ output }) => output).findLast(({ text }) => text !== '');
  const output = own.output.some(({ text }) => text !== '')
    ? own.output
    : spoken === undefined
      ? []
      : [spoken];
  for (const message of [...input, ...output]) say(builder, message);
}

function say(builder: SessionBuilder, { role, text }: SpanMessage): void {
  if (role === 'system' || role === 'developer') builder.system(text);
  else if (role === 'user' || role === 'human') builder.user(text);
  else if (role !== 'tool') builder.assistant(text);
}

function addSpending(builder: SessionBuilder, attributes: Span['attributes']): void {
  const cost = attributes['gen_ai.usage.cost'] ?? attributes['gen_ai.usage.total_cost'];
  const usage = toUsage({
    input_tokens: attributes['gen_ai.usage.input_tokens'] ?? attributes['gen_ai.usage.prompt_tokens'],
    output_tokens: attributes['gen_ai.usage.output_tokens'] ?? attributes['gen_ai.usage.completion_tokens'],
  });
  builder.spend(usage, isCount(cost) ? cost : undefined);
}
