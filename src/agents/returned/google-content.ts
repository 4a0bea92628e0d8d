// Answers of the Google Gen AI SDK, and the pieces of its streams.

import type { Transcript } from '../../model/agent.ts';
import { isCount } from '../../model/spending.ts';
import type { Fields } from '../frameworks/framework.ts';
import { objectsIn, readField, textIn } from '../frameworks/framework.ts';
import type { ModelCall } from '../frameworks/spending.ts';
import { tokenCounts } from '../frameworks/spending.ts';
import type { AnswerFormat } from './answer-format.ts';
import type { Exchange, SaidCall } from './exchange.ts';
import { saidCall, toAnswer } from './exchange.ts';
import { partsText } from './parts-text.ts';
import { unknownCall } from './unreadable.ts';

export const googleContent: AnswerFormat = {
  matches: isGoogleContent,
  read: (value, exchange) => readContents([value], exchange),
};

/** A prompt that Google blocks has no candidates. */
export function isGoogleContent(value: Fields): boolean {
  const isBlocked = 'promptFeedback' in value && value['candidates'] === undefined;
  return (
    (Array.isArray(value['candidates']) || isBlocked) && ('usageMetadata' in value || 'modelVersion' in value)
  );
}

/** Joins the pieces of an answer; the last piece has the token counts. */
export function readContents(pieces: readonly Fields[], exchange: Exchange): Promise<Transcript> {
  const parts = pieces.flatMap((piece) => {
    const [candidate] = objectsIn(piece['candidates']);
    return objectsIn(readField(readField(candidate, 'content'), 'parts'));
  });
  const last = pieces.at(-1) ?? {};
  const made = callsIn(automaticParts(last));
  return toAnswer(
    { text: partsText(parts), calls: [...made, ...callsIn(parts)], spent: [toModelCall(last)] },
    exchange,
  );
}

/** The calls and results of functions that the SDK ran itself: after the question, in the history that it reports. */
function automaticParts(answer: Fields): Fields[] {
  const history = objectsIn(readField(answer, 'automaticFunctionCallingHistory'));
  const isQuestion = ({ role, parts }: Fields): boolean => role === 'user' && partsText(parts) !== '';
  const asked = history.findLastIndex(isQuestion);
  return history.slice(asked + 1).flatMap(({ parts }) => objectsIn(parts));
}

function callsIn(parts: readonly Fields[]): SaidCall[] {
  const calls: SaidCall[] = [];
  for (const part of parts) {
    const call = readField(part, 'functionCall');
    if (call !== undefined)
      calls.push(saidCall(readField(call, 'id'), readField(call, 'name'), readField(call, 'args')));
    const answer = readField(part, 'functionResponse');
    if (answer === undefined) continue;
    const made = calls.find(
      ({ call: { name, result, error } }) =>
        name === readField(answer, 'name') && result === undefined && error === undefined,
    );
    if (made === undefined) throw unknownCall('content', readField(answer, 'name'));
    const response = readField(answer, 'response');
    const error = textIn(response, 'error');
    if (error !== undefined) made.call.error = error;
    else made.call.result = readField(response, 'output') ?? response ?? null;
  }
  return calls;
}

/** Thoughts are output tokens that Google counts apart. */
function toModelCall(answer: Fields): ModelCall {
  const usage = readField(answer, 'usageMetadata');
  const counts = ['candidatesTokenCount', 'thoughtsTokenCount'].map((name) => readField(usage, name));
  const output = counts.filter(isCount).reduce((sum, count) => sum + count, 0);
  return {
    provider: 'google',
    model: textIn(answer, 'modelVersion'),
    usage: tokenCounts(readField(usage, 'promptTokenCount'), output, {
      read: readField(usage, 'cachedContentTokenCount'),
    }),
  };
}
