// What a function returned, unless it is plain JSON, in; a transcript out.

import { isObject } from '../../json/is-object.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { fromLangChain } from '../frameworks/langchain-messages.ts';
import { findLost, isJson, isLangChainMessage } from '../plain-answer.ts';
import { toTranscript } from '../transcript.ts';
import type { Exchange } from './exchange.ts';
import { langChainState } from './langchain-messages.ts';
import { FORMATS } from './registry.ts';
import { describeLost, lostValue, remedy, unreadable } from './unreadable.ts';

/** Throws AttemptError for a value that is not an answer, and errors of SDKs unchanged. */
export async function readReturned(value: unknown, exchange: Exchange): Promise<Transcript> {
  if (Array.isArray(value) && isLangChainMessage(value.at(-1)))
    return langChainState.read({ messages: value }, exchange);
  if (isObject(value)) {
    const format = Object.values(FORMATS).find(({ matches }) => matches(value));
    if (format !== undefined) return format.read(value, exchange);
    if (value instanceof Uint8Array) return { output: decodeText(value) };
  }
  return readPlain(value);
}

/** Reads a value that JSON has to hold completely, or a transcript of such values. */
function readPlain(value: unknown): Transcript {
  if (isObject(value) && Object.hasOwn(value, 'output')) {
    const { output } = value;
    if (!isJson(output))
      throw unreadable(`a transcript whose output is ${describeLost(output)}`, remedy(output));
  } else if (!isJson(value)) {
    throw unreadable(describeLost(value), remedy(value));
  }

  const transcript = toTranscript(value);
  if (transcript.messages !== undefined) transcript.messages = transcript.messages.map(toMessage);
  const lost = findLost(transcript);
  if (lost === undefined) return transcript;
  throw lostValue(lost);
}

function toMessage(message: Message): Message {
  return isLangChainMessage(message) ? fromLangChain(message) : message;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('bytes that are not text in UTF-8');
  }
}
