// Asks a judge which of several answers to the same case is the best: the question out, the choice in.

import { selectorDefinition } from '../../agents/resolve/built-in-judge.ts';
import { connectorName } from '../../judge/connector-name.ts';
import { findReply } from '../../judge/find-reply.ts';
import type { Assertion, CaseInput } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import type { SideCall } from '../../execute/process/protocol.ts';
import { quote } from '../../text/quote.ts';

export type Choice = { index: number; reason?: string };

/** The call of the agent in `use`, else of the built-in judge on the connector. The answers are numbered from 1. */
export function selectionCall(
  { use, value: criteria, ...assertion }: Assertion,
  { input, outputs }: { input: CaseInput | undefined; outputs: readonly unknown[] },
  place: { context: ContextData; root: string; timeout_ms: number },
): SideCall {
  const answers = outputs.map((output, index) => ({ number: index + 1, output }));
  const question = { criteria, ...(input !== undefined && { input }), answers };
  const connector = connectorName({ ...assertion });
  if (typeof use === 'string') return { type: 'consult', who: { use, connector }, input: question, ...place };
  const messages = [{ role: 'user', content: JSON.stringify(question) }];
  return {
    type: 'ask',
    agent: selectorDefinition(connector ?? '', place.root),
    messages,
    isWhole: true,
    ...place,
  };
}

/** Reads `{best, reason}`; throws if it does not choose exactly one of `count` answers. */
export function readChoice(output: unknown, count: number): Choice {
  const unclear = (problem: string): Error =>
    new Error(`the judge answered ${quote(output)}, but ${problem}`);
  const { reply, isAmbiguous } = findReply(output, ['best']);
  if (isAmbiguous === true) throw unclear('must choose once');
  if (reply === undefined) throw unclear('must answer {best, reason}');
  const { best, reason } = reply as { best?: unknown; reason?: unknown };
  if (typeof best !== 'number' || !Number.isInteger(best) || best < 1 || best > count)
    throw unclear(`"best" must be a number from 1 to ${String(count)}`);
  return { index: best - 1, ...(typeof reason === 'string' && reason !== '' && { reason }) };
}
