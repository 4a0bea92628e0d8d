// Reads a chat completion, from events of a stream or one body.

import { isCount } from '../../model/spending.ts';
import { isObject } from '../../json/is-object.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import type { ChatToolCall } from '../chat.ts';
import type { ModelAnswer, TokenCounts } from '../provider.ts';

type OpenCall = { id: string; name: string; arguments: string };

let callCount = 0;

export class OpenAiAnswer {
  /** A finish reason has arrived. */
  isFinished = false;
  /** At least one choice has arrived. */
  hasChoice = false;
  /** The error inside a choice. */
  error: unknown;
  /** Content that is no text, as JSON. */
  unreadable: string | undefined;
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
  readonly #heard: ((text: string) => void) | undefined;

  /** `heard` receives the pieces of the text. */
  constructor(heard?: (text: string) => void) {
    this.#heard = heard;
  }

  /** Adds an event of a stream, or a whole body, whose `message` has the format of a `delta`. */
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

  /** `startedAt` is the time of the request; pass it to get the time of the first token. */
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
    if (isUnreadable(content)) this.unreadable ??= JSON.stringify(content);
    const text = typeof content === 'string' ? content : partsText(content);
    const hasCalls = Array.isArray(calls) && calls.length > 0;
    if (text !== '' || hasCalls) this.#firstAt ??= performance.now();
    this.#content += text;
    if (text !== '') this.#heard?.(text);
    this.size += text.length;
    if (typeof refusal === 'string') this.#refusal += refusal;
    if (!hasCalls) return;
    const known = this.#calls.length;
    for (const call of calls) if (isObject(call)) this.#addCall(call, known);
  }

  /** Adds a fragment of a call. `knownBefore` is the number of calls in earlier events. */
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
    // Some servers repeat the whole name in every fragment, others split it.
    if (call.name !== name) call.name += name;
    call.arguments += text;
    this.size += text.length;
  }
}

/** Content is text, a list of parts, or missing. */
function isUnreadable(content: unknown): boolean {
  return content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content);
}

/** The choice with index 0, or without an index. */
function firstChoice(choices: readonly unknown[]): Record<string, unknown> | undefined {
  for (const choice of choices) {
    if (isObject(choice) && (typeof choice['index'] !== 'number' || choice['index'] === 0)) return choice;
  }
  return undefined;
}

/**
 * True if a fragment starts another call. Some servers number every call 0, or not at all. Without a new id, a name starts
 * another call once the arguments of the last call have begun (a different name) or are complete (the same name).
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

/** Parses arguments; empty text is an empty object, and text that is not JSON is kept. */
export function parseArguments(text: string): unknown {
  return text.trim() === '' ? {} : jsonOrText(text);
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
function partsText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: unknown) => (isObject(part) ? part['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('');
}
