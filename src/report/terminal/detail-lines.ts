// The details of a case for `--verbose`: messages, tool calls, tokens and cost.

import type { Outcome } from '../../model/outcome.ts';
import { formatDuration } from '../../text/duration.ts';
import {
  checkpointText,
  judgeName,
  opinionText,
  sentText,
  shownMessage,
  toolText,
} from '../text/activity-text.ts';
import { scoreText } from '../text/advisory-text.ts';
import type { CaseResult, RunDetail } from '../fold/case-result.ts';
import { indented, safeLines } from './safe-lines.ts';
import { spendingText } from '../text/spending-text.ts';
import type { Style } from './style.ts';
import { readableText } from '../../text/untrusted.ts';

const VALUE_LINES = 40;

export function detailLines(result: CaseResult, style: Style): string {
  const answers: readonly (CaseResult | RunDetail)[] = result.run_details ?? [result];
  const isConversation = answers.some(({ turns }) => turns !== undefined);
  let text = result.input === null || isConversation ? '' : valueLines('input', result.input, style);
  for (const answer of answers) {
    const label = 'run' in answer ? ` of run ${answer.run}` : '';
    if (answer.turns !== undefined) text += conversationLines(answer, label, style);
    else if (answer.output !== null) text += valueLines(`output${label}`, answer.output, style);
    for (const call of answer.tool_calls ?? []) text += valueLines(`tool${label}`, toolText(call), style);
    for (const message of answer.sent_messages ?? [])
      text += valueLines(`sent${label}`, sentText(message), style);
    for (const verdict of answer.verdicts ?? []) {
      const opinion = opinionText(verdict);
      if (opinion !== undefined) text += valueLines(`${judgeName(verdict)}${label}`, opinion, style);
    }
    const score = scoreText(answer);
    if (score !== undefined) text += valueLines(`score${label}`, score, style);
    const spent = spentText(answer);
    if (spent !== undefined) text += valueLines(`model${label}`, spent, style);
    if (answer.logs !== undefined && answer.logs.length > 0) {
      text += valueLines(`logs${label}`, answer.logs.join('\n'), style);
    }
  }
  return text;
}

/** The messages of a conversation and the checkpoints it reached. */
function conversationLines(
  { messages = [], checkpoints = [] }: Pick<Outcome, 'checkpoints' | 'messages'>,
  label: string,
  style: Style,
): string {
  const said = messages
    .map(shownMessage)
    .map(({ role, content }) =>
      valueLines(role === 'assistant' ? `agent${label}` : `${role}${label}`, content ?? '', style),
    );
  const reached =
    checkpoints.length === 0 ? '' : valueLines(`checkpoints${label}`, checkpointText(checkpoints), style);
  return said.join('') + reached;
}

function spentText(spent: Pick<Outcome, 'cost_usd' | 'first_token_ms' | 'usage'>): string | undefined {
  const { first_token_ms: first } = spent;
  const facts = [
    spendingText(spent),
    first === undefined ? undefined : `first token after ${formatDuration(first)}`,
  ];
  const known = facts.filter((fact) => fact !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}

function valueLines(name: string, value: unknown, style: Style): string {
  const [first = '', ...more] = safeLines(readableText(value), VALUE_LINES);
  return `  ${style.dim(`${name}:`)} ${first}\n${indented(more)}`;
}
