// Joins the events of a stream into one answer; knows the formats of common services.

import { AttemptError } from '../../errors.ts';
import type { HttpRun, ToolCall, Transcript, Usage } from '../../model/agent.ts';
import { toUsage } from '../../model/spending.ts';
import { excerpt } from '../../text/excerpt.ts';
import { parseJson } from '../../json/parse-json.ts';
import { itemsAt, selectPath, toToolCall } from './http-parts.ts';
import { toTranscript } from '../transcript.ts';
import { isObject } from '../../json/is-object.ts';

/** Joins the events of one answer; throws an error that the stream reports. */
export class JoinedEvents {
  readonly #where: string;
  readonly #paths: Pick<HttpRun, 'output' | 'tool_calls' | 'usage'>;
  readonly #calls: ToolCall[] = [];
  #usage: Usage = {};
  #text = '';
  #value: unknown;
  #transcript: Transcript | undefined;
  #found = false;
  /** The first JSON event without a recognised text. */
  #unknown: string | undefined;

  constructor(where: string, paths: Pick<HttpRun, 'output' | 'tool_calls' | 'usage'>) {
    this.#where = where;
    this.#paths = paths;
  }

  /** Adds an event; returns true if it is the last one. One that is not `isWhole` has no blank line after it: the stream ended there. */
  add(event: string, data: string, isWhole = true): boolean {
    if (data.trim() === '[DONE]') return true;
    const parsed = parseJson(data);
    const error = streamError(event, parsed?.value, data);
    if (error !== undefined) throw new AttemptError('agent', `${this.#where} sent an error: ${error}`);
    if (parsed === undefined && !isWhole && /^\s*[[{]/.test(data))
      throw new AttemptError(
        'protocol',
        `${this.#where} cut its answer off inside an event: ${excerpt(data)}`,
      );
    if (parsed === undefined) this.#addText(data);
    else this.#addJson(parsed.value, data);
    return false;
  }

  transcript(): Transcript {
    const { output, tool_calls, usage } = this.#paths;
    const parts: Pick<Transcript, 'tool_calls' | 'usage'> = {
      ...(tool_calls !== undefined && { tool_calls: this.#calls }),
      ...(usage !== undefined && Object.keys(this.#usage).length > 0 && { usage: this.#usage }),
    };
    if (this.#transcript !== undefined) return { ...this.#transcript, ...parts };
    if (output !== undefined && !this.#found) {
      throw new AttemptError('protocol', `nothing at ${output} in any event that ${this.#where} sent`);
    }
    if (!this.#found && this.#unknown !== undefined) {
      const hint = 'say where it is in package.yao, such as "output": "$.delta.text"';
      const message = `${this.#where} sent events without a recognised text; the first is ${this.#unknown}; ${hint}`;
      throw new AttemptError('protocol', message);
    }
    if (!this.#found && this.#calls.length === 0)
      throw new AttemptError('protocol', `${this.#where} sent a stream without an event that has a text`);
    const joined = this.#value !== undefined && this.#text === '' ? this.#value : this.#text;
    return { output: joined, ...parts };
  }

  #addText(data: string): void {
    if (this.#paths.output === undefined) this.#keep(data);
  }

  #addJson(value: unknown, data: string): void {
    const { output, tool_calls, usage } = this.#paths;
    // Fragments of a call without a name cannot be assigned to a call.
    if (tool_calls !== undefined)
      this.#calls.push(...itemsAt(value, tool_calls).flatMap((item) => toToolCall(item) ?? []));
    if (usage !== undefined) Object.assign(this.#usage, toUsage(itemsAt(value, usage)[0]));
    if (output !== undefined) {
      for (const found of selectPath(value, output)) this.#keep(found);
    } else if (isObject(value) && Object.hasOwn(value, 'output')) {
      this.#transcript = toTranscript(value, this.#paths);
    } else {
      const piece = eventText(value, data);
      if (piece !== undefined) this.#keep(piece);
      else this.#unknown ??= excerpt(data);
    }
  }

  #keep(value: unknown): void {
    this.#found = true;
    if (typeof value === 'string') this.#text += value;
    else if (value !== null) this.#value = value;
  }
}

/** The message of an error event. */
function streamError(event: string, value: unknown, data: string): string | undefined {
  const fields = isObject(value) ? value : {};
  const nested = isObject(fields['response']) ? fields['response']['error'] : undefined;
  const error = [fields['error'], nested].find(
    (field) => field !== null && field !== undefined && field !== false,
  );
  const isError = event === 'error' || fields['type'] === 'error' || (error !== undefined && error !== '');
  if (!isError) return undefined;
  const holder = isObject(error) ? error : fields;
  const text = [error, holder['message'], fields['message']].find(
    (field) => typeof field === 'string' && field !== '',
  );
  return excerpt(typeof text === 'string' ? text : data);
}

/** The text that an event adds to the answer; undefined if its format is unknown. */
function eventText(value: unknown, data: string): string | undefined {
  if (typeof value === 'string') return value;
  // Plain text may happen to be valid JSON: numbers, true, null.
  if (typeof value !== 'object' || value === null) return data;
  if (!isObject(value)) return undefined;
  const { type, choices, delta } = value;
  if (Array.isArray(choices)) {
    const first: unknown = choices[0];
    // The first and last events have no text.
    return isObject(first) ? (textIn(first['delta']) ?? textIn(first) ?? '') : '';
  }
  // These events also stream other things, such as tool arguments.
  if (typeof type === 'string' && type.startsWith('response.')) return responsePiece(type, delta);
  if (type === 'content_block_delta') return textIn(delta) ?? '';
  // Repeats the whole text that was already streamed.
  if (typeof type === 'string' && /\.(?:completed|done)$/.test(type)) return undefined;
  return typeof delta === 'string' ? delta : (textIn(delta) ?? textIn(value));
}

function responsePiece(type: string, delta: unknown): string | undefined {
  if (type === 'response.completed') return '';
  const isAnswer = type === 'response.output_text.delta' || type === 'response.refusal.delta';
  return isAnswer && typeof delta === 'string' ? delta : undefined;
}

function textIn(holder: unknown): string | undefined {
  if (!isObject(holder)) return undefined;
  return [holder['text'], holder['content']].find((text) => typeof text === 'string');
}
