// A model behind chat completions, the form that most servers speak.

import type { IncomingMessage } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import type { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import { OUTPUT_LIMIT } from '../platform/bounded-output.ts';
import { isObject } from '../platform/is-object.ts';
import { EventLines } from './event-lines.ts';
import { excerpt, modelError, sentError, statusError } from './failure.ts';
import type { PostTarget, Reply } from './http-post.ts';
import { post, postTarget, readBody } from './http-post.ts';
import { OpenAiAnswer } from './openai-answer.ts';
import { requestBody } from './openai-body.ts';
import type { AskModel, ModelAnswer } from './provider.ts';

/** How long a response may stay open after it has said that it is done. */
const LINGER_MS = 200;

const targets = new WeakMap<Connector, PostTarget>();

/** Asks a model through chat completions, streamed. */
export const askOpenAi: AskModel = (connector, request, { signal }) => {
  let target = targets.get(connector);
  if (target === undefined) targets.set(connector, (target = postTarget(connector, 'chat/completions')));
  const body = JSON.stringify(requestBody(connector, request));
  const startedAt = performance.now();
  return post<ModelAnswer>(connector, target, body, signal, (response, reply) => {
    const status = response.statusCode ?? 0;
    const type = (response.headers['content-type'] ?? '').toLowerCase();
    if (status < 200 || status > 299) readRefusal(connector, response, status, reply);
    else if (type.startsWith('text/event-stream')) readStream(connector, response, startedAt, reply);
    else readWhole(connector, response, reply);
  });
};

/** Ends a request that the server refused. */
function readRefusal(
  connector: Connector,
  response: IncomingMessage,
  status: number,
  reply: Reply<never>,
): void {
  readBody(response, OUTPUT_LIMIT, (text) => {
    const { location } = response.headers;
    const body = text === '' && location !== undefined ? `go to ${location}` : text;
    reply.reject(statusError(connector, status, response.headers, body));
  });
}

function readStream(
  connector: Connector,
  response: IncomingMessage,
  startedAt: number,
  reply: Reply<ModelAnswer>,
): void {
  const answer = new OpenAiAnswer();
  let length = 0;
  let isDone = false;
  const succeed = (): void => {
    isDone = true;
    reply.resolve(answer.answer(startedAt));
  };
  const fail = (error: AttemptError): void => {
    isDone = true;
    reply.reject(error);
  };
  const lines = new EventLines((data) => {
    if (isDone) return;
    if (data === '[DONE]') {
      closeSoon(response);
      return succeed();
    }
    const error = addEvent(connector, answer, data);
    if (error !== undefined) fail(error);
  });
  const close = (): void => {
    // An event that lost its end is no event: whether the answer is whole depends on those before it.
    if (isDone) return;
    if (response.complete) lines.end();
    if (isDone) return;
    if (answer.isFinished) succeed();
    else fail(cutOff(connector, length));
  };
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    if (isDone) return;
    length += piece.length;
    lines.push(piece);
    if (!isDone && answer.size + lines.waiting > OUTPUT_LIMIT) fail(tooLong(connector));
  });
  response.on('end', close);
  response.on('error', close);
  response.on('close', close);
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
function readWhole(connector: Connector, response: IncomingMessage, reply: Reply<ModelAnswer>): void {
  readBody(response, OUTPUT_LIMIT, (text, isWhole) => {
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
    if (error === undefined && !text.includes('"choices"'))
      error = modelError(connector, 'protocol', `answered without choices: ${excerpt(text)}`);
    if (error === undefined) reply.resolve(answer.answer());
    else reply.reject(error);
  });
}

/** The connection goes back to the pool by itself when the response ends; a server that keeps it open loses it. */
function closeSoon(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), LINGER_MS);
  response.once('close', () => clearTimeout(timer));
}

function cutOff(connector: Connector, length: number): AttemptError {
  return modelError(connector, 'connection', `the answer was cut off after ${String(length)} characters`);
}

function tooLong(connector: Connector): AttemptError {
  const text = 'answered more than 10 MB; at most 10 MB of an answer is read';
  return modelError(connector, 'protocol', text, { isFinal: true });
}
