// Chat completions as they come back: events or one body go in, the model's answer comes out.

import { isCount } from '../../model/spending.ts';
import { isObject } from '../../json/is-object.ts';
import type { ChatToolCall } from '../chat.ts';
import type { ModelAnswer, TokenCounts } from '../provider.ts';

type OpenCall = { id: string; name: string; arguments: string };

let callCount = 0;

/** Puts an answer together from its pieces. */
export class OpenAiAnswer {
  /** The server has said why it stopped. */
  isFinished = false;
  /** There was a choice at all: something that an answer could be in. */
  hasChoice = false;
  /** What the choice says has gone wrong. */
  error: unknown;
  /** Characters so far. */
  size = 0;
  #content = '';
  #refusal = '';
  readonly #calls: OpenCall[] = [];
  readonly #callAt = new Map<unknown, OpenCall>();
  #finishReason: string | undefined;
  #usage: TokenCounts | undefined;
  #model: string | undefined;
  #firstAt: number | undefined;

  /** Takes an event of a stream, or a whole body, whose `message` has the form of a `delta`. */
  add(event: Record<string, unknown>): void {
    const { choices, usage, model } = event;
    if (typeof model === 'string' && model !== '') this.#model = model;
    if (isObject(usage)) this.#usage = readUsage(usage);
    const choice = Array.isArray(choices) ? firstChoice(choices) : undefined;
    if (choice === undefined) return;
    this.hasChoice = true;
    const piece = choice['delta'] ?? choice['message'];
    if (isObject(piece)) this.#addPiece(piece);
    const { error, finish_reason: reason } = choice;
    if (error !== undefined && error !== null) this.error = error;
    else if (reason === 'error') this.error = 'the model stopped with an error';
    if (typeof reason === 'string' && reason !== '') {
      this.isFinished = true;
      this.#finishReason = reason;
    }
  }

  /** The answer; with the time of the request if the time of its first piece means something. */
  answer(startedAt?: number): ModelAnswer {
    const calls = this.#calls.map(toToolCall);
    const first = this.#firstAt;
    return {
      content: this.#content === '' ? this.#refusal : this.#content,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(this.#finishReason !== undefined && { finish_reason: this.#finishReason }),
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(this.#model !== undefined && { model: this.#model }),
      ...(startedAt !== undefined && first !== undefined && { first_token_ms: first - startedAt }),
    };
  }

  #addPiece(piece: Record<string, unknown>): void {
    const { content, refusal, tool_calls: calls } = piece;
    const text = typeof content === 'string' ? content : textOfParts(content);
    const hasCalls = Array.isArray(calls) && calls.length > 0;
    if (text !== '' || hasCalls) this.#firstAt ??= performance.now();
    this.#content += text;
    this.size += text.length;
    if (typeof refusal === 'string') this.#refusal += refusal;
    if (!hasCalls) return;
    const known = this.#calls.length;
    for (const call of calls) if (isObject(call)) this.#addCall(call, known);
  }

  /** Adds a piece of a call; so many calls are known from the events before. */
  #addCall(piece: Record<string, unknown>, knownBefore: number): void {
    const index = piece['index'] ?? undefined;
    const id = typeof piece['id'] === 'string' ? piece['id'] : '';
    const named = isObject(piece['function']) ? piece['function'] : {};
    const name = typeof named['name'] === 'string' ? named['name'] : '';
    const given = named['arguments'];
    const text = typeof given === 'string' ? given : isObject(given) ? JSON.stringify(given) : '';
    let call = index === undefined ? this.#calls.at(-1) : this.#callAt.get(index);
    const isOfThisEvent = call !== undefined && this.#calls.indexOf(call) >= knownBefore;
    const isOther = id === '' ? index === undefined : id !== call?.id;
    if (call === undefined || (name !== '' && (isOther || isOfThisEvent || isNext(call, name, text)))) {
      call = { id: '', name: '', arguments: '' };
      this.#calls.push(call);
      this.#callAt.set(index, call);
    }
    if (call.id === '') call.id = id;
    // Those who repeat a name repeat the whole of it; others send it in pieces.
    if (call.name !== name) call.name += name;
    call.arguments += text;
    this.size += text.length;
  }
}

/** The choice that was asked for, among those that an event is about. */
function firstChoice(choices: readonly unknown[]): Record<string, unknown> | undefined {
  for (const choice of choices) {
    if (isObject(choice) && (typeof choice['index'] !== 'number' || choice['index'] === 0)) return choice;
  }
  return undefined;
}

/**
 * Some servers number every call 0, or none. Without an id that tells, a name begins another call once the arguments of
 * the one before it have begun (if it is another name) or are whole (if it is the same).
 */
function isNext(call: OpenCall, name: string, text: string): boolean {
  if (name !== call.name) return call.arguments !== '';
  const isMore = text.trim() !== '' || call.id === '';
  return isMore && call.arguments !== '' && isObject(parseArguments(call.arguments));
}

function toToolCall({ id, name, arguments: text }: OpenCall): ChatToolCall {
  if (id === '') callCount += 1;
  return { id: id === '' ? `call_${String(callCount)}` : id, name, arguments: parseArguments(text) };
}

/** What the model's JSON means; no arguments at all are none, and what is no JSON stays as it is. */
export function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readUsage(usage: Record<string, unknown>): TokenCounts | undefined {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage;
  const cached = isObject(details) ? details['cached_tokens'] : usage['prompt_cache_hit_tokens'];
  const counts: TokenCounts = {};
  if (isCount(input)) counts.input_tokens = input;
  if (isCount(output)) counts.output_tokens = output;
  if (isCount(cached) && cached > 0) counts.cache_read_tokens = cached;
  return Object.keys(counts).length === 0 ? undefined : counts;
}

/** Some servers send the content as a list of parts. */
function textOfParts(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: unknown) => (isObject(part) ? part['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('');
}
