// Calls a model through the chat completions API, which most servers support.

import type { AttemptError } from '../../errors.ts';
import type { Connector } from '../../model/connector.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { isObject } from '../../json/is-object.ts';
import { ServerEvents } from '../../platform/server-events.ts';
import type { HeaderFields } from '../failure.ts';
import { excerpt } from '../../text/excerpt.ts';
import { modelError, sentError, statusError } from '../failure.ts';
import type { PostTarget } from '../http/http-exchange.ts';
import type { BodyReader, Reply } from '../http/http-post.ts';
import { post, postTarget, readBody } from '../http/http-post.ts';
import { OpenAiAnswer } from './openai-answer.ts';
import { requestBody } from './openai-body.ts';
import type { AskModel, ModelAnswer } from '../provider.ts';

const targets = new WeakMap<Connector, PostTarget>();

export const askOpenAi: AskModel = (connector, request, { signal, heard }) => {
  let target = targets.get(connector);
  if (target === undefined) targets.set(connector, (target = postTarget(connector, 'chat/completions')));
  const body = JSON.stringify(requestBody(connector, request));
  const startedAt = performance.now();
  return post<ModelAnswer>(connector, target, body, signal, (status, headers, reply) => {
    if (status < 200 || status > 299) return readRefusal(connector, status, headers, reply);
    const type = String(headers['content-type'] ?? '').toLowerCase();
    if (type.startsWith('text/event-stream')) return readStream(connector, startedAt, reply, heard);
    return readWhole(connector, reply);
  });
};

/** Rejects with the error of a status that is not 2xx. */
function readRefusal(
  connector: Connector,
  status: number,
  headers: HeaderFields,
  reply: Reply<never>,
): BodyReader {
  return readBody(OUTPUT_LIMIT, (text) => {
    const { location } = headers;
    const body = text === '' && location !== undefined ? `go to ${String(location)}` : text;
    reply.reject(statusError(connector, status, headers, body));
  });
}

function readStream(
  connector: Connector,
  startedAt: number | undefined,
  reply: Reply<ModelAnswer>,
  heard?: (text: string) => void,
): BodyReader {
  const answer = new OpenAiAnswer(heard);
  let hasBegun = false;
  let whole: BodyReader | undefined;
  let length = 0;
  let isDone = false;
  /** The event being parsed is the last one, and incomplete. */
  let isCutOff = false;
  const succeed = (): void => {
    if (!answer.hasChoice) return fail(modelError(connector, 'protocol', 'answered without choices'));
    isDone = true;
    reply.resolve(answer.answer(startedAt));
  };
  const fail = (error: AttemptError): void => {
    isDone = true;
    reply.reject(error);
  };
  const events = new ServerEvents((data, event) => {
    if (isDone || data === '') return;
    if (data.length < 20 && data.trim() === '[DONE]') return succeed();
    const error = addEvent(connector, answer, data, event === 'error');
    if (error === undefined) return;
    fail(isCutOff && error.code === 'protocol' && !error.isFinal ? cutOff(connector, length) : error);
  });
  return {
    data(piece) {
      if (!hasBegun) {
        const text = piece.trimStart();
        hasBegun = text !== '';
        // Some servers label a single JSON body as a stream.
        if (text.startsWith('{')) whole = readWhole(connector, reply);
      }
      if (whole !== undefined) return whole.data(piece);
      length += piece.length;
      events.push(piece);
      if (!isDone && answer.size + events.waiting > OUTPUT_LIMIT) fail(tooLong(connector));
    },
    end(isComplete) {
      if (whole !== undefined) return whole.end(isComplete);
      // An incomplete last event is ignored: earlier events decide whether the answer is complete.
      if (isComplete) {
        isCutOff = events.waiting > 0;
        events.end();
      }
      if (isDone) return;
      if (answer.isFinished) succeed();
      else fail(cutOff(connector, length));
    },
  };
}

/** Adds an event to the answer; returns the error it contains or causes. */
function addEvent(
  connector: Connector,
  answer: OpenAiAnswer,
  data: string,
  isError: boolean,
): AttemptError | undefined {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    if (isError) return sentError(connector, data);
    return modelError(connector, 'protocol', `sent something that is not JSON: ${excerpt(data)}`);
  }
  if (!isObject(event)) return isError ? sentError(connector, event) : undefined;
  const { error } = event;
  if (error !== undefined && error !== null && error !== false) return sentError(connector, error);
  if (isError || event['object'] === 'error') return sentError(connector, event);
  answer.add(event);
  if (answer.error !== undefined) return sentError(connector, answer.error);
  if (answer.unreadable === undefined) return undefined;
  return modelError(connector, 'protocol', `sent content that is no text: ${excerpt(answer.unreadable)}`);
}

/** Reads a single JSON body, from servers that do not stream. */
function readWhole(connector: Connector, reply: Reply<ModelAnswer>): BodyReader {
  return readBody(OUTPUT_LIMIT, (text, isWhole) => {
    if (text.length > OUTPUT_LIMIT) return reply.reject(tooLong(connector));
    // A byte order mark counts as white space.
    const body = text.trimStart();
    if (/^(?:data|event|id|retry|:)/.test(body)) {
      const stream = readStream(connector, undefined, reply);
      stream.data(body);
      return stream.end(isWhole);
    }
    if (!isWhole) return reply.reject(cutOff(connector, text.length));
    const answer = new OpenAiAnswer();
    const error = addEvent(connector, answer, body, false);
    if (error !== undefined) reply.reject(error);
    else if (answer.hasChoice) reply.resolve(answer.answer());
    else reply.reject(modelError(connector, 'protocol', `answered without choices: ${excerpt(text)}`));
  });
}

function cutOff(connector: Connector, length: number): AttemptError {
  return modelError(connector, 'connection', `the response was cut off after ${String(length)} characters`);
}

function tooLong(connector: Connector): AttemptError {
  const text = 'answered more than 10 MB; at most 10 MB of an answer is read';
  return modelError(connector, 'protocol', text, { isFinal: true });
}
