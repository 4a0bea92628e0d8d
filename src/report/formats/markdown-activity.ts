// The actions of an agent before its answer, as Markdown.

import type { Outcome } from '../../model/outcome.ts';
import {
  checkpointText,
  judgeName,
  opinionText,
  sentText,
  shownMessage,
  toolText,
  traceLines,
} from '../text/activity-text.ts';
import { scoreText } from '../text/advisory-text.ts';
import { inlineText } from './markdown-text.ts';
import { readableText } from '../../text/untrusted.ts';

type Activity = Pick<
  Outcome,
  | 'checkpoints'
  | 'messages'
  | 'pass_score'
  | 'score'
  | 'sent_messages'
  | 'tool_calls'
  | 'trace'
  | 'turns'
  | 'verdicts'
>;

/** The conversation, the tool calls and the opinions of judges; empty for an agent that only answered. */
export function activityPiece({
  messages,
  turns,
  checkpoints,
  sent_messages: sent,
  tool_calls: calls,
  trace,
  verdicts,
  ...scores
}: Activity): string {
  const said = turns === undefined ? [] : (messages ?? []).map(shownMessage);
  const talk = said.map(
    ({ role, content }) => `**${inlineText(role)}:** ${inlineText(readableText(content ?? ''))}`,
  );
  const opinions = (verdicts ?? []).flatMap((verdict) => {
    const opinion = opinionText(verdict);
    return opinion === undefined ? [] : [`${inlineText(judgeName(verdict))}: ${inlineText(opinion)}`];
  });
  const score = scoreText(scores);
  return [
    listPiece('Conversation', talk),
    checkpoints === undefined ? '' : `**Checkpoints:** ${inlineText(checkpointText(checkpoints))}\n\n`,
    listPiece(
      'Tools',
      (calls ?? []).map((call) => inlineText(toolText(call))),
    ),
    listPiece(
      'Sent to the user',
      (sent ?? []).map((message) => inlineText(sentText(message))),
    ),
    listPiece(
      'Trace',
      traceLines(trace ?? []).map((line) => inlineText(line)),
    ),
    listPiece('Judged', opinions),
    score === undefined ? '' : `**Score:** ${score}\n\n`,
  ].join('');
}

/** A list with a title; an empty text if the list is empty. */
export function listPiece(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `**${title}**\n\n${lines.map((line) => `- ${line}\n`).join('')}\n`;
}
