// A model behind chat completions, the form that most servers speak.

import type { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import { OUTPUT_LIMIT } from '../platform/bounded-output.ts';
import { isObject } from '../platform/is-object.ts';
import { EventLines } from './event-lines.ts';
import type { HeaderFields } from './failure.ts';
import { excerpt, modelError, sentError, statusError } from './failure.ts';
import type { PostTarget } from './http-exchange.ts';
import type { BodyReader, Reply } from './http-post.ts';
import { post, postTarget, readBody } from './http-post.ts';
import { OpenAiAnswer } from './openai-answer.ts';
import { requestBody } from './openai-body.ts';
import type { AskModel, ModelAnswer } from './provider.ts';

const targets = new WeakMap<Connector, PostTarget>();

/** Asks a model through chat completions, streamed. */
export const askOpenAi: AskModel = (connector, request, { signal }) => {
  let target = targets.get(connector);
  if (target === undefined) targets.set(connector, (target = postTarget(connector, 'chat/completions')));
  const body = JSON.stringify(requestBody(connector, request));
  const startedAt = performance.now();
  return post<ModelAnswer>(connector, target, body, signal, (status, headers, reply) => {
    if (status < 200 || status > 299) return readRefusal(connector, status, headers, reply);
    const type = String(headers['content-type'] ?? '').toLowerCase();
    if (type.startsWith('text/event-stream')) return readStream(connector, startedAt, reply);
    return readWhole(connector, reply);
  });
};

/** Ends a request that the server refused. */
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

function readStream(connector: Connector, startedAt: number, reply: Reply<ModelAnswer>): BodyReader {
  const answer = new OpenAiAnswer();
  let length = 0;
  let isDone = false;
  const succeed = (): void => {
    if (!answer.hasChoice) return fail(modelError(connector, 'protocol', 'answered without choices'));
    isDone = true;
    reply.resolve(answer.answer(startedAt));
  };
  const fail = (error: AttemptError): void => {
    isDone = true;
    reply.reject(error);
  };
  const lines = new EventLines((data) => {
    if (isDone) return;
    if (data === '[DONE]') return succeed();
    const error = addEvent(connector, answer, data);
    if (error !== undefined) fail(error);
  });
  return {
    data(piece) {
      length += piece.length;
      lines.push(piece);
      if (!isDone && answer.size + lines.waiting > OUTPUT_LIMIT) fail(tooLong(connector));
    },
    end(isComplete) {
      // An event that lost its end is no event: whether the answer is whole depends on those before it.
      if (isComplete) lines.end();
      if (isDone) return;
      if (answer.isFinished) succeed();
      else fail(cutOff(connector, length));
    },
  };
}

/** Adds an event to the answer; returns the error it holds, or what is wrong with it. */
function addEvent(connector: Connector, answer: OpenAiAnswer, data: string): AttemptError | undefined {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return modelError(connector, 'protocol', `sent something that is not JSON: ${excerpt(data)}`);
  }
  if (!isObject(event)) return undefined;
  if (event['error'] !== undefined && event['error'] !== null) return sentError(connector, event['error']);
  answer.add(event);
  return undefined;
}

/** Reads one body of JSON: the server cannot stream. */
function readWhole(connector: Connector, reply: Reply<ModelAnswer>): BodyReader {
  return readBody(OUTPUT_LIMIT, (text, isWhole) => {
    if (text.length > OUTPUT_LIMIT) return reply.reject(tooLong(connector));
    if (!isWhole) return reply.reject(cutOff(connector, text.length));
    const answer = new OpenAiAnswer();
    let error: AttemptError | undefined;
    if (/^(?:data|event|id|:)/.test(text.trimStart())) {
      const lines = new EventLines((data) => {
        if (data !== '[DONE]') error ??= addEvent(connector, answer, data);
      });
      lines.push(text);
      lines.end();
    } else error = addEvent(connector, answer, text);
    if (error === undefined && !answer.hasChoice)
      error = modelError(connector, 'protocol', `answered without choices: ${excerpt(text)}`);
    if (error === undefined) reply.resolve(answer.answer());
    else reply.reject(error);
  });
}

function cutOff(connector: Connector, length: number): AttemptError {
  return modelError(connector, 'connection', `the response was cut off after ${String(length)} characters`);
}

function tooLong(connector: Connector): AttemptError {
  const text = 'answered more than 10 MB; at most 10 MB of an answer is read';
  return modelError(connector, 'protocol', text, { isFinal: true });
}
