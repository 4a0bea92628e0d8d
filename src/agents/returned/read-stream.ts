// A stream in, the joined answer out: text, events of a model's API, chunks of LangChain or Google.

import { isObject } from '../../json/is-object.ts';
import type { Transcript } from '../../model/agent.ts';
import { describeValue } from '../frameworks/not-an-agent.ts';
import { noteModelError } from '../frameworks/failure.ts';
import type { Fields } from '../frameworks/framework.ts';
import { readField } from '../frameworks/framework.ts';
import { wireCall } from '../frameworks/wire-call.ts';
import { isLangChainMessage, isLostScalar, isStream } from '../plain-answer.ts';
import type { StreamReader } from '../streams/stream-reader.ts';
import type { AnswerFormat } from './answer-format.ts';
import type { Exchange } from './exchange.ts';
import { isGoogleContent, readContents } from './google-content.ts';
import { joinChunks, readMessage } from './langchain-messages.ts';
import { piecesOf } from './pieces.ts';
import { answerTooLong, describeLost, OUTPUT_LIMIT, unreadable } from './unreadable.ts';

/** Joins pieces of one kind. */
type Joiner = { push(piece: unknown): void; finish(): Transcript | Promise<Transcript> };

export const stream: AnswerFormat = { matches: isStream, read: readStream };

/** The first piece decides what the stream is. A stream without pieces is an empty text. */
async function readStream(value: Fields, exchange: Exchange): Promise<Transcript> {
  if (readField(value, 'locked') === true)
    throw unreadable('a stream that is already being read', 'return the text or the value that was read');
  let joiner: Joiner | undefined;
  try {
    for await (const piece of piecesOf(value, exchange.signal)) {
      joiner ??= await openJoiner(piece, exchange);
      joiner.push(piece);
    }
  } catch (error) {
    // A connection that breaks while the model answers. An error with a status says itself where it comes from.
    if (joiner !== undefined && !isTextJoiner(joiner) && readField(error, 'status') === undefined)
      noteModelError(error);
    throw error;
  }
  return joiner?.finish() ?? { output: '' };
}

async function openJoiner(first: unknown, exchange: Exchange): Promise<Joiner> {
  if (!isObject(first) || first instanceof Uint8Array) return new TextJoiner();
  if (isLangChainMessage(first)) return joinLangChain(exchange);
  if (isGoogleContent(first)) return joinGoogle(exchange);
  const { openStreamReader } = await import('../streams/stream-reader.ts');
  const reader = openStreamReader(first);
  if (reader !== undefined) return joinEvents(reader, exchange);
  throw unreadable(`a stream of pieces that are ${describeValue(first)}`);
}

/** Events of a model's API. A stream without tool calls has made none. */
function joinEvents(reader: StreamReader, { given }: Exchange): Joiner {
  return {
    push: (event) => reader.push(event),
    finish() {
      const { tool_calls = [], ...transcript } = reader.finish();
      const { output } = transcript;
      const wire = tool_calls.map(({ name, arguments: args }, index) =>
        wireCall(`call_${index + 1}`, name, args),
      );
      const content = output === '' && wire.length > 0 ? null : asText(output);
      const said = { role: 'assistant', content, ...(wire.length > 0 && { tool_calls: wire }) };
      return { ...transcript, tool_calls, messages: [...given, said] };
    },
  };
}

function asText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Joins texts and bytes. Other scalars become a list. */
class TextJoiner implements Joiner {
  readonly #decoder = new TextDecoder();
  readonly #pieces: unknown[] = [];
  #length = 0;

  push(piece: unknown): void {
    if (typeof piece === 'object' && piece !== null && !(piece instanceof Uint8Array))
      throw unreadable(`a stream with a piece that is ${describeValue(piece)}`);
    if (isLostScalar(piece)) throw unreadable(`a stream with a piece that is ${describeLost(piece)}`);
    const value = piece instanceof Uint8Array ? this.#decoder.decode(piece, { stream: true }) : piece;
    this.#pieces.push(value);
    this.#length += typeof value === 'string' ? value.length : 1;
    if (this.#length > OUTPUT_LIMIT) throw answerTooLong();
  }

  finish(): Transcript {
    const rest = this.#decoder.decode();
    if (rest !== '') this.#pieces.push(rest);
    const isText = this.#pieces.every((piece) => typeof piece === 'string');
    return { output: isText ? this.#pieces.join('') : this.#pieces };
  }
}

function isTextJoiner(joiner: Joiner): boolean {
  return joiner instanceof TextJoiner;
}

function joinLangChain(exchange: Exchange): Joiner {
  let joined: Fields | undefined;
  let count = 0;
  return {
    push(piece) {
      if (!isLangChainMessage(piece))
        throw unreadable(`a stream of messages with a piece that is ${describeValue(piece)}`);
      joined = joinChunks(joined, piece);
      count += 1;
      if (count > OUTPUT_LIMIT) throw answerTooLong();
    },
    finish: () => readMessage(joined ?? {}, exchange),
  };
}

function joinGoogle(exchange: Exchange): Joiner {
  const pieces: Fields[] = [];
  return {
    push(piece) {
      if (!isObject(piece))
        throw unreadable(`a stream of answers with a piece that is ${describeValue(piece)}`);
      pieces.push(piece);
      if (pieces.length > OUTPUT_LIMIT) throw answerTooLong();
    },
    finish: () => readContents(pieces, exchange),
  };
}
