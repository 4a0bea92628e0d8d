// Classifies errors of framework agents and of functions: a model that is unreachable or refuses the call, else the agent's own failure.

import { AttemptError, messageOf } from '../../errors.ts';
import { excerpt } from '../../text/excerpt.ts';
import { sentError, serverMessage, statusError } from '../../connectors/failure.ts';
import { isObject } from '../../json/is-object.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import { agentFailure } from '../transcript.ts';
import type { Fields } from './framework.ts';
import { readField, textIn } from './framework.ts';

const MAX_LINKS = 10;
const CONNECTION = /^(?:E(?:CONN\w+|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)|UND_ERR_\w+)$/;
/** Names of AI SDK errors; clients of OpenAI, Anthropic and others are recognised by class. */
const NAMES = /^(?:AI_APICallError|Gateway\w*Error)$/;
const CLASSES = /^API(?:Connection\w*)?Error$/;
const CONNECTION_CLASSES = /^APIConnection\w*Error$/;
/** The base classes of clients of models. A bundler may add a digit to tell two clients apart. */
const CLIENTS = /^_?(?:Anthropic|Cerebras|Groq|OpenAI|Together)Error\d*$/;
/** Every error of the AI SDK has one of these. */
const AI_SDK_MARKS = [Symbol.for('vercel.ai.error'), Symbol.for('vercel.ai.gateway.error')];
/** Stands for the model in errors that a connector would report. */
const MODEL = { id: 'model', type: 'openai', model: 'model' } as const;

const modelErrors = new WeakSet<object>();

/** Marks an error as coming from a model call, for frameworks and streams that report it. */
export function noteModelError(error: unknown): void {
  if (isObject(error)) modelErrors.add(error);
}

/** The failure of a framework agent. */
export function frameworkFailure(error: unknown): AttemptError {
  return classify(error, isModelError);
}

/** The failure of a function. Its own errors may have a status by chance, so only errors of known SDKs are a model's. */
export function functionFailure(error: unknown): AttemptError {
  return classify(error, isSdkError);
}

/** The failure that a model reports inside an answer or a stream: `{type, code, message}`. */
export function sentFailure(error: unknown): AttemptError {
  const { code, isFinal } = sentError(MODEL, error);
  const text = serverMessage(asBody(error)) ?? 'no reason given';
  return new AttemptError(code === 'protocol' ? 'agent' : code, `the model failed: ${excerpt(text)}`, {
    cause: error,
    isFinal,
  });
}

function classify(error: unknown, isOfModel: (link: Fields) => boolean): AttemptError {
  const links = errorChain(error);
  const ofModel = links.findIndex(isOfModel);
  const cause = links[ofModel];
  if (cause === undefined) return agentFailure(error);
  return refusal(cause) ?? disconnection(links.slice(ofModel)) ?? agentFailure(error);
}

/** An error and its causes; of several tries, the last one counts. */
function errorChain(error: unknown): Fields[] {
  const links: Fields[] = [];
  for (let link = error; isObject(link) && links.length < MAX_LINKS && !links.includes(link);) {
    links.push(link);
    const tries: unknown = readField(link, 'errors');
    link = readField(link, 'lastError') ?? readField(link, 'cause') ?? (Array.isArray(tries) && tries.at(-1));
  }
  return links;
}

function isModelError(error: Fields): boolean {
  if (modelErrors.has(error) || NAMES.test(textIn(error, 'name') ?? '')) return true;
  return hasLangChainCode(error) || hasClass(error, CLASSES);
}

function isSdkError(error: Fields): boolean {
  if (modelErrors.has(error) || hasLangChainCode(error) || isGoogleError(error)) return true;
  if (NAMES.test(textIn(error, 'name') ?? '')) return AI_SDK_MARKS.some((mark) => mark in error);
  return hasClass(error, CLIENTS) && 'status' in error && 'headers' in error;
}

function hasLangChainCode(error: Fields): boolean {
  return textIn(error, 'lc_error_code')?.startsWith('MODEL_') === true;
}

/** The message of an `ApiError` of Google is the body of its answer. */
function isGoogleError(error: Fields): boolean {
  if (textIn(error, 'name') !== 'ApiError') return false;
  const body = jsonOrText(textIn(error, 'message'));
  return readField(readField(body, 'error'), 'code') === readField(error, 'status');
}

/** True if a class of the error, or one that it extends, has such a name. */
function hasClass(error: Fields, names: RegExp): boolean {
  for (let type: unknown = Object.getPrototypeOf(error); isObject(type); type = Object.getPrototypeOf(type)) {
    const maker = readField(type, 'constructor');
    if (typeof maker === 'function' && names.test(maker.name)) return true;
  }
  return false;
}

/** Classifies a status like a connector's failure; a bad request is the agent's own failure. */
function refusal(error: Fields): AttemptError | undefined {
  const status = errorStatus(error);
  const body = errorBody(error);
  if (status === undefined) return sentInStream(error);
  const { code, isFinal, retryAfterMs } = statusError(MODEL, status, errorHeaders(error), body);
  if (code === 'protocol') return undefined;
  const text = excerpt(serverMessage(body) ?? messageOf(error)).replaceAll(/\s*\n\s*/g, ' ');
  return new AttemptError(code, `the model answered ${String(status)}: ${text}`, {
    cause: error,
    isFinal,
    retryAfterMs,
  });
}

/** An error event of a stream that had begun well: it has the body of an error, but no status. */
function sentInStream(error: Fields): AttemptError | undefined {
  const sent = readField(error, 'error');
  if (!isObject(sent)) return undefined;
  const failure = sentFailure(isObject(sent['error']) ? sent['error'] : sent);
  return failure.code === 'agent' ? undefined : failure;
}

function errorStatus(error: Fields): number | undefined {
  const places = [error, readField(error, 'response'), readField(error, '$metadata')];
  const found = places
    .flatMap((place) => ['statusCode', 'status', 'httpStatusCode'].map((name) => readField(place, name)))
    .find((value) => typeof value === 'number' && value >= 400 && value <= 599);
  return typeof found === 'number' ? found : undefined;
}

function errorBody(error: Fields): string {
  const text = textIn(error, 'responseBody');
  if (text !== undefined) return text;
  const sent = readField(error, 'error');
  if (isObject(sent)) return asBody(sent);
  return isGoogleError(error) ? (textIn(error, 'message') ?? '') : '';
}

function asBody(error: unknown): string {
  try {
    return JSON.stringify({ error });
  } catch {
    // Not serialisable, for example circular.
    return '';
  }
}

function errorHeaders(error: Fields): Record<string, string> {
  const headers = readField(error, 'responseHeaders') ?? readField(error, 'headers');
  if (headers instanceof Headers) return Object.fromEntries(headers.entries());
  // The AI SDK's headers are an object of strings.
  return isObject(headers) ? (headers as Record<string, string>) : {};
}

/** A connection failure, if an error in the chain reports one. */
function disconnection(links: Fields[]): AttemptError | undefined {
  const codes = links.map((link) => textIn(link, 'code') ?? '');
  const isCut =
    links.some((link) => hasClass(link, CONNECTION_CLASSES)) ||
    codes.some((code) => CONNECTION.test(code)) ||
    links.some((link) => /^(?:fetch failed|Connection error\.|Cannot connect to API)/.test(messageOf(link)));
  if (!isCut) return undefined;
  const texts = links.map((link) => textIn(link, 'message')).filter((text) => text !== undefined);
  const why = texts.at(-1) ?? codes.find((code) => code !== '') ?? 'no reason given';
  return new AttemptError('connection', `the model cannot be reached: ${excerpt(why)}`, { cause: links[0] });
}
