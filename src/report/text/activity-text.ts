// Texts about the actions of an agent, shared by several reports. They are untrusted and not escaped here.

import { isObject } from '../../json/is-object.ts';
import type { SentMessage, ToolCall, TraceEntry } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { CheckpointState, Verdict } from '../../model/outcome.ts';
import { formatDuration } from '../../text/duration.ts';
import { readableText } from '../../text/untrusted.ts';

/** A tool call as its agent reported it, which may be any value. */
export function shownCall(value: unknown): ToolCall {
  if (!isObject(value)) return { name: readableText(value) };
  const { name, error, duration_ms, ...rest } = value;
  return {
    ...rest,
    name: readableText(name ?? 'tool'),
    ...(error !== undefined && error !== null && { error: readableText(error) }),
    ...(typeof duration_ms === 'number' && { duration_ms }),
  };
}

/** A message as an agent reported it, which may be any value. */
export function shownMessage(value: unknown): Message {
  if (!isObject(value)) return { role: 'message', content: readableText(value) };
  const { role, content = null, ...rest } = value;
  // The cast is safe because content of any shape is shown.
  return { ...rest, role: readableText(role ?? 'message'), content: content as Message['content'] };
}

/** `find_order({"order":"A-1"}) → {"state":"shipped"} (7ms)` */
export function toolText(call: ToolCall): string {
  const { name, arguments: args, result, error, duration_ms } = shownCall(call);
  const time = duration_ms === undefined ? '' : ` (${formatDuration(duration_ms)})`;
  const end =
    error === undefined ? (result === undefined ? '' : ` → ${readableText(result)}`) : ` failed: ${error}`;
  return `${name}(${args === undefined ? '' : readableText(args)})${end}${time}`;
}

/** The text of a message that a hook sent, or `table {"rows":[]}`. Logs may come from other programs. */
export function sentText({ type, props }: Partial<SentMessage>): string {
  const content = typeof props === 'object' && props !== null ? props['content'] : undefined;
  return type === 'text' && typeof content === 'string' ? content : `${String(type)} ${readableText(props)}`;
}

/** The lines of a trace, steps inside others indented: `search: {"q":1} → 3 (failed: timeout)`. */
export function traceLines(entries: readonly TraceEntry[], indent = ''): string[] {
  return entries.flatMap((entry) => {
    if ('level' in entry) return [`${indent}${entry.level}: ${entry.message}`];
    const { label, type, input, output, status, error, children } = entry;
    const name = [label ?? type ?? 'step', ...(input === undefined ? [] : [readableText(input)])].join(': ');
    const end = output === undefined ? '' : ` → ${readableText(output)}`;
    const state =
      status === 'failed' ? ` (failed: ${error ?? ''})` : status === 'running' ? ' (not ended)' : '';
    return [`${indent}${name}${end}${state}`, ...traceLines(children ?? [], `${indent}  `)];
  });
}

/** The opinion of a judge about an answer that passed; failures have it in their message. */
export function opinionText({ status, score, reason }: Verdict): string | undefined {
  if (status !== 'passed' || (score === undefined && reason === undefined)) return undefined;
  const facts = [score === undefined ? undefined : `score ${score.toFixed(2)}`, reason];
  return facts.filter((fact) => fact !== undefined).join(': ');
}

/** The name of the assertion that gave an opinion. */
export function judgeName({ type }: Verdict): string {
  return type === 'agent' ? 'judge' : type;
}

/** `asks in turn 1, refunds not reached` */
export function checkpointText(checkpoints: readonly CheckpointState[]): string {
  const states = checkpoints.map(({ id, reached, turn, required }) => {
    if (reached) return `${id} in turn ${String(turn ?? '')}`;
    return required ? `${id} not reached` : `${id} not reached (not required)`;
  });
  return states.join(', ');
}
