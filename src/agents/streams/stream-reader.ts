// Reads a stream of decoded events of a known protocol: events come in, one transcript goes out.

import type { Transcript } from '../../model/agent.ts';
import { isObject } from '../../json/is-object.ts';
import { agUi } from './ag-ui.ts';
import { aiSdkLines } from './ai-sdk-lines.ts';
import { aiSdkParts } from './ai-sdk-parts.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { AnswerParts } from './answer-parts.ts';
import { ollama } from './ollama.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Protocol } from './protocol.ts';
import { cutOff, reportedError, streamFailure, unreadableEvent } from './stream-failure.ts';

/** Reads one answer. */
export type StreamReader = {
  /** Takes the next event, also the first one. Throws an AttemptError if the event reports an error or cannot be read. */
  push(event: unknown): void;
  /** Ends the stream. Throws an AttemptError if the answer is not complete. */
  finish(): Transcript;
};

/**
 * The last event of streams whose protocol has no other end, as text. A caller that knows that its stream is complete pushes it
 * before it calls `finish`, for example at the end of a generator.
 */
export const END_OF_STREAM = '[DONE]';

/** In the order in which they are tried. */
const PROTOCOLS: readonly Protocol[] = [
  agUi,
  aiSdkLines,
  aiSdkParts,
  anthropicMessages,
  ollama,
  openaiChat,
  openaiResponses,
];

/**
 * Opens the reader for the protocol of an event; undefined if the event belongs to no known protocol. `where` begins messages.
 *
 * @example
 * const reader = openStreamReader(first);
 * for (const event of events) reader?.push(event);
 * const transcript = reader?.finish();
 */
export function openStreamReader(firstEvent: unknown, where = 'the agent'): StreamReader | undefined {
  const protocol = PROTOCOLS.find(({ recognises }) => recognises(firstEvent));
  if (protocol === undefined) return openFailedStream(firstEvent, where);
  const parts = new AnswerParts(where);
  const read = protocol.open(parts);
  return {
    push(event) {
      if (event === END_OF_STREAM) return parts.end();
      const error = reportedError(event);
      if (error !== undefined) throw streamFailure(where, error.value);
      if (!isObject(event) && protocol !== aiSdkLines) throw unreadableEvent(where, event);
      read(event);
    },
    finish() {
      if (!parts.isComplete) throw cutOff(where, protocol.end);
      return parts.toTranscript(protocol.reportsAllCalls);
    },
  };
}

/** An error can be the first event of any protocol. */
function openFailedStream(firstEvent: unknown, where: string): StreamReader | undefined {
  const error = reportedError(firstEvent);
  if (error === undefined) return undefined;
  const fail = (): never => {
    throw streamFailure(where, error.value);
  };
  return { push: fail, finish: fail };
}
