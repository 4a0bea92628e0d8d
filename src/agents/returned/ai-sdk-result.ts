// Results of the AI SDK: generateText, streamText, generateObject and streamObject, of versions 5 and 6.

import { isObject } from '../../json/is-object.ts';
import { isThenable } from '../../platform/thenable.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { Transcript } from '../../model/agent.ts';
import { readGeneration, toModelCall } from '../frameworks/ai-sdk.ts';
import { noteModelError } from '../frameworks/failure.ts';
import type { Fields } from '../frameworks/framework.ts';
import { hasMethods, readField, textIn } from '../frameworks/framework.ts';
import type { AnswerFormat } from './answer-format.ts';
import type { Exchange } from './exchange.ts';
import { toAnswer } from './exchange.ts';
import { piecesOf } from './pieces.ts';
import { answerTooLong, OUTPUT_LIMIT } from './unreadable.ts';

/** Also the result of an agent's `generate()`. */
export const aiSdkText: AnswerFormat = {
  matches: (value) =>
    Object.hasOwn(value, 'steps') &&
    Array.isArray(value['steps']) &&
    ['text', 'toolCalls', 'finishReason'].every((name) => name in value),
  read: (value, { given }) => readGeneration(value, given),
};

/** Also the result of an agent's `stream()`. Reading its fields starts the stream, so only its methods are looked at. */
export const aiSdkTextStream: AnswerFormat = {
  matches: (value) =>
    hasMethods(value, 'toUIMessageStream', 'consumeStream') && 'fullStream' in value && 'steps' in value,
  async read(value, { given, signal }) {
    await readToEnd(readField(value, 'fullStream'), signal);
    const [steps, text, response, finishReason] = await Promise.all([
      value['steps'],
      value['text'],
      value['response'],
      value['finishReason'],
    ]);
    const output = await readStreamedOutput(value, text, finishReason);
    return readGeneration({ steps, text, response, output }, given);
  },
};

export const aiSdkObject: AnswerFormat = {
  matches: (value) => hasMethods(value, 'toJsonResponse') && 'object' in value && 'finishReason' in value,
  read: (value, exchange) => readObject(value, exchange),
};

/** The fields are promises that are resolved once the stream is read. */
export const aiSdkObjectStream: AnswerFormat = {
  matches: (value) => 'partialObjectStream' in value && 'fullStream' in value && 'object' in value,
  async read(value, exchange) {
    await readToEnd(readField(value, 'fullStream'), exchange.signal);
    const [object, usage, response] = await Promise.all([value['object'], value['usage'], value['response']]);
    return readObject({ object, usage, response }, exchange);
  },
};

/** Throws the error that the stream reports: the promises of the result would reject with a less telling one. */
async function readToEnd(stream: unknown, signal: AbortSignal): Promise<void> {
  // Another reader has the stream and reads it to its end.
  if (!isObject(stream) || readField(stream, 'locked') === true) return;
  let length = 0;
  for await (const part of piecesOf(stream, signal)) {
    const type = readField(part, 'type');
    if (type === 'error') {
      const error = readField(part, 'error');
      noteModelError(error);
      throw error;
    }
    if (type === 'abort') throw new Error('the stream was aborted');
    length += (textIn(part, 'text') ?? textIn(part, 'textDelta') ?? '').length;
    if (length > OUTPUT_LIMIT) throw answerTooLong();
  }
}

/**
 * In version 6, `output` is a promise. An answer that was cut off keeps its text. In version 5, `output` is the description of
 * the output, and the text has to be parsed.
 */
async function readStreamedOutput(value: Fields, text: unknown, finishReason: unknown): Promise<unknown> {
  const output = readField(value, 'output');
  if (isThenable(output)) {
    try {
      return await output;
    } catch (error) {
      if (finishReason === 'stop') throw error;
      return undefined;
    }
  }
  const isStructured = textIn(output, 'type') === 'object' && finishReason === 'stop';
  return isStructured && typeof text === 'string' ? parseJson(text)?.value : undefined;
}

function readObject(result: Fields, exchange: Exchange): Promise<Transcript> {
  const { object } = result;
  return toAnswer(
    { text: JSON.stringify(object), object, calls: [], spent: [toModelCall(result)] },
    exchange,
  );
}
