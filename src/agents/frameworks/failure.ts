// Classifies errors of framework agents: a model that is unreachable or refuses the call, else the agent's own failure.

import { AttemptError, messageOf } from '../../errors.ts';
import { excerpt } from '../../text/excerpt.ts';
import { serverMessage, statusError } from '../../connectors/failure.ts';
import { isObject } from '../../json/is-object.ts';
import { agentFailure } from '../transcript.ts';
import type { Fields } from './framework.ts';
import { readField, textIn } from './framework.ts';

const MAX_LINKS = 10;
const CONNECTION = /^(?:E(?:CONN\w+|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)|UND_ERR_\w+)$/;
/** Names of AI SDK errors; clients of OpenAI, Anthropic and others are recognised by class. */
const NAMES = /^(?:AI_APICallError|Gateway\w*Error)$/;
const CLASSES = /^API(?:Connection\w*)?Error$/;

const modelErrors = new WeakSet<object>();

/** Marks an error as coming from a model call, for frameworks that report it. */
export function noteModelError(error: unknown): void {
  if (isObject(error)) modelErrors.add(error);
}

export function frameworkFailure(error: unknown): AttemptError {
  const links = errorChain(error);
  const ofModel = links.findIndex(isModelError);
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
  if (textIn(error, 'lc_error_code')?.startsWith('MODEL_') === true) return true;
  for (let type: unknown = Object.getPrototypeOf(error); isObject(type); type = Object.getPrototypeOf(type)) {
    const maker = readField(type, 'constructor');
    if (typeof maker === 'function' && CLASSES.test(maker.name)) return true;
  }
  return false;
}

/** Classifies a status like a connector's failure; a bad request is the agent's own failure. */
function refusal(error: Fields): AttemptError | undefined {
  const status = errorStatus(error);
  if (status === undefined) return undefined;
  const body = errorBody(error);
  const model = { id: 'model', type: 'openai', model: 'model' } as const;
  const { code, isFinal, retryAfterMs } = statusError(model, status, errorHeaders(error), body);
  if (code === 'protocol') return undefined;
  const text = excerpt(serverMessage(body) ?? messageOf(error)).replaceAll(/\s*\n\s*/g, ' ');
  return new AttemptError(code, `the model answered ${String(status)}: ${text}`, {
    cause: error,
    isFinal,
    retryAfterMs,
  });
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
  try {
    return isObject(sent) ? JSON.stringify({ error: sent }) : '';
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
    codes.some((code) => CONNECTION.test(code)) ||
    links.some((link) => /^(?:fetch failed|Connection error\.|Cannot connect to API)/.test(messageOf(link)));
  if (!isCut) return undefined;
  const texts = links.map((link) => textIn(link, 'message')).filter((text) => text !== undefined);
  const why = texts.at(-1) ?? codes.find((code) => code !== '') ?? 'no reason given';
  return new AttemptError('connection', `the model cannot be reached: ${excerpt(why)}`, { cause: links[0] });
}
