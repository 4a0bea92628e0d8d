// Joins the events of a stream into one answer: with the reader of their protocol, at the paths of the definition, or as simple
// events with a text.

import { AttemptError } from '../../errors.ts';
import type { HttpRun, ToolCall, Transcript, Usage } from '../../model/agent.ts';
import { toUsage } from '../../model/spending.ts';
import { excerpt } from '../../text/excerpt.ts';
import { parseJson } from '../../json/parse-json.ts';
import { itemsAt, selectPath, toToolCall } from './http-parts.ts';
import { toTranscript } from '../transcript.ts';
import { isObject } from '../../json/is-object.ts';
import { streamFailure, unreadableEvent } from '../streams/stream-failure.ts';
import type { StreamReader } from '../streams/stream-reader.ts';
import { END_OF_STREAM, openStreamReader } from '../streams/stream-reader.ts';

/** Joins the events of one answer; throws an error that the stream reports. */
export class JoinedEvents {
  readonly #where: string;
  readonly #paths: Pick<HttpRun, 'output' | 'tool_calls' | 'usage'>;
  readonly #calls: ToolCall[] = [];
  readonly #isUiStream: boolean;
  /** Events that may begin a known protocol: a later event decides. */
  readonly #undecided: unknown[] = [];
  /** The first text after an undecided event: no part of a known protocol. */
  #strayText: string | undefined;
  /** The first text that looks like a JSON object but cannot be parsed. */
  #broken: string | undefined;
  #hasObjects = false;
  #reader: StreamReader | undefined;
  #usage: Usage = {};
  #text = '';
  #value: unknown;
  #transcript: Transcript | undefined;
  #found = false;
  /** The first JSON event without a recognised text. */
  #unknown: string | undefined;
  #isDone = false;

  /** `isUiStream` says that the stream is one of the AI SDK: all events are JSON, and it has an end. */
  constructor(where: string, paths: Pick<HttpRun, 'output' | 'tool_calls' | 'usage'>, isUiStream = false) {
    this.#where = where;
    this.#paths = paths;
    this.#isUiStream = isUiStream;
  }

  /** True after the last event; later ones are ignored. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Adds a server-sent event. One that is not `isWhole` has no blank line after it: the stream ended there. */
  addEvent(name: string, data: string, isWhole = true): void {
    if (this.#isDone) return;
    if (data.trim() === END_OF_STREAM) return this.#end();
    const parsed = parseJson(data);
    const error =
      this.#reader === undefined || name === 'error' ? streamError(name, parsed?.value, data) : undefined;
    if (error !== undefined) throw streamFailure(this.#where, error.value, error.text);
    if (parsed !== undefined) return this.#addJson(parsed.value, data, name);
    if (!isWhole && /^\s*[[{]/.test(data)) throw this.#brokenOff(data);
    this.#addText(data);
  }

  /** Adds a line of JSON. */
  addJsonLine(line: string, isWhole: boolean): void {
    if (parseJson(line) !== undefined) return this.addEvent('', line);
    throw isWhole ? unreadableEvent(this.#where, line) : this.#brokenOff(line);
  }

  /** Adds a line of the AI SDK's data stream: a code, a colon and JSON. */
  addDataLine(line: string, isWhole: boolean): void {
    const parsed = parseJson(line.slice(2));
    if (parsed === undefined) throw isWhole ? unreadableEvent(this.#where, line) : this.#brokenOff(line);
    if (this.#paths.output !== undefined) return this.#addJson(parsed.value, line, '');
    this.#collectParts(parsed.value);
    this.#reader ??= openStreamReader(line, this.#where);
    if (this.#reader === undefined) throw unreadableEvent(this.#where, line);
    this.#reader.push(line);
  }

  transcript(): Transcript {
    const { output, tool_calls, usage } = this.#paths;
    if (this.#broken !== undefined && this.#hasObjects) throw unreadableEvent(this.#where, this.#broken);
    const parts: Pick<Transcript, 'tool_calls' | 'usage'> = {
      ...(tool_calls !== undefined && { tool_calls: this.#calls }),
      ...(usage !== undefined && Object.keys(this.#usage).length > 0 && { usage: this.#usage }),
    };
    if (this.#reader !== undefined) return { ...this.#reader.finish(), ...parts };
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
    const isBlank = data.trim() === '';
    // Plain text may begin with a brace. Among events that are JSON objects, it is a damaged event.
    if (/^\s*\{\s*"/.test(data)) this.#broken ??= data;
    if (this.#paths.output !== undefined) return;
    const isKnown = this.#reader !== undefined || this.#isUiStream;
    if (isKnown && !isBlank) throw unreadableEvent(this.#where, data);
    if (!isBlank) this.#noteStray(data);
    this.#keep(data);
  }

  #noteStray(data: string): void {
    if (this.#undecided.length > 0) this.#strayText ??= data;
  }

  #addJson(value: unknown, data: string, name: string): void {
    const { output } = this.#paths;
    this.#collectParts(value);
    this.#hasObjects ||= isObject(value);
    if (output !== undefined) {
      for (const found of selectPath(value, output)) this.#keep(found);
    } else if (this.#readKnown(value)) {
      return;
    } else if (isTranscript(value, name)) {
      this.#transcript = toTranscript(value, this.#paths);
    } else {
      if (!isObject(value)) this.#noteStray(data);
      const piece = eventText(value, data);
      if (piece !== undefined) this.#keep(piece);
      else this.#unknown ??= excerpt(data);
    }
  }

  /** Reads the parts that the definition has a path for. */
  #collectParts(value: unknown): void {
    const { tool_calls, usage } = this.#paths;
    // Fragments of a call without a name cannot be assigned to a call.
    if (tool_calls !== undefined)
      this.#calls.push(...itemsAt(value, tool_calls).flatMap((item) => toToolCall(item) ?? []));
    if (usage !== undefined) Object.assign(this.#usage, toUsage(itemsAt(value, usage)[0]));
  }

  /** Gives the event to the reader of its protocol; false if no reader knows it. A stream that began with simple events is read as simple to its end. */
  #readKnown(value: unknown): boolean {
    if (this.#reader === undefined) {
      const stray = this.#strayText;
      if ((this.#found && stray === undefined) || this.#transcript !== undefined) return false;
      // Many protocols could begin like this.
      const isStart = isObject(value) && value['type'] === 'start';
      const reader = isStart ? undefined : openStreamReader(value, this.#where);
      if (reader === undefined) {
        if (isStart || (this.#undecided.length > 0 && stray === undefined)) this.#undecided.push(value);
        return false;
      }
      if (stray !== undefined) throw unreadableEvent(this.#where, stray);
      this.#reader = reader;
      // The event that says that the stream has an end.
      if (this.#isUiStream) reader.push({ type: 'start' });
      for (const event of this.#undecided) reader.push(event);
    }
    this.#reader.push(value);
    return true;
  }

  #end(): void {
    this.#isDone = true;
    this.#reader?.push(END_OF_STREAM);
  }

  #brokenOff(data: string): AttemptError {
    return new AttemptError(
      'protocol',
      `${this.#where} cut its answer off inside an event: ${excerpt(data)}`,
    );
  }

  #keep(value: unknown): void {
    this.#found = true;
    if (typeof value === 'string') this.#text += value;
    else if (value !== null) this.#value = value;
  }
}

/** Types and names of events that are no part of the answer. */
const NO_ANSWER = /tool|function|reasoning|thinking/i;

/** True for an event that is the whole answer. Results of tools have an output, too. */
function isTranscript(value: unknown, name: string): boolean {
  if (!isObject(value) || !Object.hasOwn(value, 'output')) return false;
  return !NO_ANSWER.test(`${name} ${typeof value['type'] === 'string' ? value['type'] : ''}`);
}

/** The error of an event, and its message. */
function streamError(
  name: string,
  value: unknown,
  data: string,
): { value: unknown; text: string } | undefined {
  const fields = isObject(value) ? value : {};
  const nested = isObject(fields['response']) ? fields['response']['error'] : undefined;
  const error = [fields['error'], nested].find(
    (field) => field !== null && field !== undefined && field !== false,
  );
  const isError = name === 'error' || fields['type'] === 'error' || (error !== undefined && error !== '');
  if (!isError) return undefined;
  const holder = isObject(error) ? error : fields;
  const text = [error, holder['message'], fields['message'], fields['errorText']].find(
    (field) => typeof field === 'string' && field !== '',
  );
  return { value: holder, text: typeof text === 'string' ? text : data };
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
  // These stream arguments, results and thoughts.
  if (typeof type === 'string' && NO_ANSWER.test(type)) return undefined;
  // Repeats the whole text that was already streamed.
  if (typeof type === 'string' && /\.(?:completed|done)$/.test(type)) return undefined;
  return typeof delta === 'string' ? delta : (textIn(delta) ?? textIn(value));
}

function textIn(holder: unknown): string | undefined {
  if (!isObject(holder)) return undefined;
  return [holder['text'], holder['content']].find((text) => typeof text === 'string');
}
