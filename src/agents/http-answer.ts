// What an endpoint answered, as a transcript: JSON, text or a stream of events.

import { AttemptError } from '../errors.ts';
import type { Transcript } from '../model/agent.ts';
import { OUTPUT_LIMIT } from '../platform/bounded-output.ts';
import { EventParser } from './event-stream.ts';
import { compileJsonPath } from '../platform/json-path.ts';
import { isObject, toTranscript } from './transcript.ts';

/** Reads the body of an answer to its end. Errors of the connection while reading mean that the answer was cut off. */
export async function readAnswer(response: Response, where: string, output?: string): Promise<Transcript> {
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  if (type.startsWith('text/event-stream')) return readEvents(response, where, output);
  const text = await readText(response, where);
  const isJson = /^application\/(?:[^;]*\+)?json\b/.test(type);
  if (!isJson && output === undefined && type !== '') return { output: text };
  const parsed = parse(text);
  if (parsed !== undefined)
    return output === undefined ? toTranscript(parsed.value) : { output: pick(parsed.value, output, where) };
  if (isJson && text === '' && response.status === 204) return { output: null };
  if (!isJson && output === undefined) return { output: text };
  throw new AttemptError('protocol', `${where} answered something that is not JSON: ${excerpt(text)}`);
}

/** The beginning of a body, for messages. */
export function excerpt(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '(empty)';
  return trimmed.length > 500 ? `${trimmed.slice(0, 500)} …` : trimmed;
}

/** The body as text, at most 10 MB of it. */
export async function readText(response: Response, where: string): Promise<string> {
  let text = '';
  for await (const piece of pieces(response, where)) text += piece;
  return text;
}

async function readEvents(response: Response, where: string, output?: string): Promise<Transcript> {
  const parser = new EventParser();
  const joined = new JoinedEvents(where, output);
  for await (const piece of pieces(response, where)) {
    for (const event of parser.push(piece))
      if (joined.add(event.event, event.data)) return joined.transcript();
  }
  for (const event of parser.end()) if (joined.add(event.event, event.data)) break;
  return joined.transcript();
}

/** The answer that the events of a stream add up to. */
class JoinedEvents {
  readonly #where: string;
  readonly #output: string | undefined;
  #text = '';
  #value: unknown;
  #transcript: Transcript | undefined;
  #found = false;

  constructor(where: string, output: string | undefined) {
    this.#where = where;
    this.#output = output;
  }

  /** Takes an event; true if it is the last one. */
  add(event: string, data: string): boolean {
    if (data.trim() === '[DONE]') return true;
    if (event === 'error') throw new AttemptError('agent', `${this.#where} sent an error: ${excerpt(data)}`);
    const parsed = parse(data);
    if (this.#output !== undefined) {
      for (const value of parsed === undefined ? [] : selectPath(parsed.value, this.#output))
        this.#keep(value);
    } else if (parsed === undefined) {
      this.#keep(data);
    } else if (isObject(parsed.value) && Object.hasOwn(parsed.value, 'output')) {
      this.#transcript = toTranscript(parsed.value);
    } else {
      this.#keep(pieceOf(parsed.value) ?? data);
    }
    return false;
  }

  transcript(): Transcript {
    if (this.#transcript !== undefined) return this.#transcript;
    if (this.#output !== undefined && !this.#found) {
      throw new AttemptError('protocol', `nothing at ${this.#output} in any event that ${this.#where} sent`);
    }
    return { output: this.#value !== undefined && this.#text === '' ? this.#value : this.#text };
  }

  #keep(value: unknown): void {
    this.#found = true;
    if (typeof value === 'string') this.#text += value;
    else if (value !== null) this.#value = value;
  }
}

/** The text that an event of a common form adds to the answer; nothing if it has no such form. */
function pieceOf(event: unknown): string | undefined {
  if (typeof event === 'string') return event;
  if (!isObject(event)) return undefined;
  const { choices } = event;
  if (Array.isArray(choices)) {
    const first: unknown = choices[0];
    const delta = isObject(first) ? first['delta'] : undefined;
    const content = isObject(delta) ? delta['content'] : undefined;
    // The first and the last event of such a stream bear no text.
    return typeof content === 'string' ? content : '';
  }
  return [event['delta'], event['text'], event['content']].find((value) => typeof value === 'string');
}

async function* pieces(response: Response, where: string): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new AttemptError('protocol', `${where} cut its answer off after ${String(length)} bytes`, {
          cause,
        });
      });
      if (done) break;
      length += value.length;
      if (length > OUTPUT_LIMIT) {
        throw new AttemptError(
          'agent',
          `${where} answered more than 10 MB; at most 10 MB of an answer is read`,
        );
      }
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Frees the connection if the answer was not read to its end.
    reader.cancel().catch(() => undefined);
  }
}

function pick(value: unknown, path: string, where: string): unknown {
  const found = selectPath(value, path);
  if (found.length === 0) {
    throw new AttemptError(
      'protocol',
      `nothing at ${path} in the answer of ${where}: ${excerpt(JSON.stringify(value))}`,
    );
  }
  return found.length === 1 ? found[0] : found;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What lies at a path; empty if there is nothing. */
function selectPath(value: unknown, path: string): unknown[] {
  const found = compileJsonPath(path).query(value);
  if (found.kind === 'missing') return [];
  return found.kind === 'value' ? [found.value] : found.values;
}
