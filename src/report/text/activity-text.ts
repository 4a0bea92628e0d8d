// Texts about the actions of an agent, shared by several reports. They are untrusted and not escaped here.

import type { ToolCall } from '../../model/agent.ts';
import type { CheckpointState, Verdict } from '../../model/outcome.ts';
import { formatDuration } from '../../text/duration.ts';
import { readableText } from '../../text/untrusted.ts';

/** `find_order({"order":"A-1"}) → {"state":"shipped"} (7ms)` */
export function toolText({ name, arguments: args, result, error, duration_ms }: ToolCall): string {
  const time = duration_ms === undefined ? '' : ` (${formatDuration(duration_ms)})`;
  const end =
    error === undefined ? (result === undefined ? '' : ` → ${readableText(result)}`) : ` failed: ${error}`;
  return `${name}(${args === undefined ? '' : readableText(args)})${end}${time}`;
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
