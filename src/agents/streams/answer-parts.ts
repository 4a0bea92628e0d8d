// Collects the parts of a streamed answer: text, tool calls and token counts.

import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import type { ToolCall, Transcript, Usage } from '../../model/agent.ts';
import { addUsage } from '../../model/spending.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { quote } from '../../text/quote.ts';
import { unreadableEvent } from './stream-failure.ts';

type OpenCall = { call: ToolCall; step: number; argumentsText?: string };

/** The parts of one answer, in the order in which they arrive. */
export class AnswerParts {
  readonly where: string;
  readonly #calls: OpenCall[] = [];
  readonly #latest = new Map<unknown, OpenCall>();
  /** Ids of results and arguments that arrived without a call. */
  readonly #orphans = new Map<unknown, 'result' | 'arguments'>();
  readonly #usages = new Map<unknown, Usage>();
  #text = '';
  #result: unknown;
  #length = 0;
  #step = 0;
  #startsParagraph = false;
  #mustEnd = false;
  #hasEnded = false;

  constructor(where: string) {
    this.where = where;
  }

  /** True after an end, until the next beginning. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The number of the step, which changes with every model call. */
  get step(): number {
    return this.#step;
  }

  /** False if the stream announced an end that did not arrive. */
  get isComplete(): boolean {
    return this.#hasEnded || !this.#mustEnd;
  }

  /** True if the stream has neither a beginning, nor an end, nor anything of an answer. */
  get isBlank(): boolean {
    return !this.#mustEnd && !this.#hasEnded && !this.hasContent;
  }

  /** False until the answer has a text or a tool call. */
  get hasContent(): boolean {
    return this.#text !== '' || this.hasCalls;
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** The stream has begun in the way of its protocol, so it has to end in that way. */
  begin(): void {
    this.#mustEnd = true;
    this.#hasEnded = false;
    this.nextStep();
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** The next text is a new paragraph, and ids of tool calls may repeat. */
  nextStep(): void {
    this.#step += 1;
    this.#startsParagraph = true;
  }

  addText(piece: unknown, event: unknown): void {
    if (typeof piece !== 'string') throw unreadableEvent(this.where, event);
    if (piece === '') return;
    this.#count(piece);
    const isSeparate = this.#text === '' || this.#text.endsWith('\n') || piece.startsWith('\n');
    this.#text += this.#startsParagraph && !isSeparate ? `\n\n${piece}` : piece;
    this.#startsParagraph = false;
  }

  /** Adds text, or the text of a list of parts. */
  addContent(content: unknown, event: unknown): void {
    if (content === undefined || content === null) return;
    if (!Array.isArray(content)) return this.addText(content, event);
    for (const part of content as unknown[]) {
      if (!isObject(part) || typeof part['type'] !== 'string') throw unreadableEvent(this.where, event);
      if (part['type'] === 'text') this.addText(part['text'], event);
    }
  }

  /** The output of an answer without text. */
  setResult(result: unknown): void {
    this.#result = result;
  }

  /** Adds a call, or names the one that is open under this id. Without an id, it could be either. */
  openCall(id: unknown, name: unknown, event: unknown): void {
    if (id === undefined || id === null) throw unreadableEvent(this.where, event);
    const open = this.#latest.get(id);
    const isSame = open !== undefined && open.step === this.#step && !isSettled(open.call);
    if (isSame) {
      if (typeof name !== 'string' || name === '') return;
      if (open.call.name !== '' && open.call.name !== name) throw unreadableEvent(this.where, event);
      open.call.name = name;
      return;
    }
    const added: OpenCall = { call: { name: typeof name === 'string' ? name : '' }, step: this.#step };
    this.#calls.push(added);
    this.#latest.set(id, added);
    this.#startsParagraph = true;
  }

  /** Adds a piece of the arguments as JSON text. */
  addArguments(id: unknown, piece: unknown, event: unknown): void {
    if (piece === undefined || piece === null) return;
    if (typeof piece !== 'string') throw unreadableEvent(this.where, event);
    this.#count(piece);
    const open = this.#latest.get(id);
    if (open === undefined) {
      this.#orphans.set(id, 'arguments');
      return;
    }
    open.argumentsText = (open.argumentsText ?? '') + piece;
  }

  /** Sets the complete arguments: a value, or JSON text. */
  setArguments(id: unknown, given: unknown): void {
    const open = this.#latest.get(id);
    if (open === undefined || given === undefined) return;
    if (typeof given === 'string') open.argumentsText = given;
    else {
      delete open.argumentsText;
      open.call.arguments = given;
    }
  }

  /** Sets the result or the error of a call. The call may be in a later list of all messages. */
  settleCall(id: unknown, outcome: Pick<ToolCall, 'error' | 'result'>): void {
    const open = this.#latest.get(id);
    if (open !== undefined) Object.assign(open.call, outcome);
    else this.#orphans.set(id, 'result');
  }

  /** Sets the token counts of one model call; later counts of the same call replace earlier ones. */
  setUsage(call: unknown, usage: Usage | undefined): void {
    if (usage !== undefined) this.#usages.set(call, { ...this.#usages.get(call), ...usage });
  }

  /** `reportsAllCalls` is true if no tool call in the stream means that the agent made none. */
  toTranscript(reportsAllCalls: boolean): Transcript {
    this.#checkOrphans();
    const calls = this.#calls.map(({ call, argumentsText }) => {
      if (call.name === '')
        throw new AttemptError('protocol', `${this.where} sent a tool call without a name`);
      if (argumentsText === undefined) return call;
      return { ...call, arguments: argumentsText.trim() === '' ? {} : jsonOrText(argumentsText) };
    });
    const usage = [...this.#usages.values()].reduce<Usage | undefined>(addUsage, undefined);
    return {
      output: this.#text === '' && this.#result !== undefined ? this.#result : this.#text,
      ...((reportsAllCalls || calls.length > 0) && { tool_calls: calls }),
      ...(usage !== undefined && { usage }),
    };
  }

  /** A tool ran that the list of calls lacks, so nothing can be said about the calls. */
  #checkOrphans(): void {
    for (const [id, part] of this.#orphans) {
      const call = this.#latest.get(id)?.call;
      if (call !== undefined && (part === 'arguments' || isSettled(call))) continue;
      const name = typeof id === 'string' ? ` ${quote(id)}` : '';
      throw new AttemptError(
        'protocol',
        `${this.where} sent the ${part} of a tool call${name} that it had not sent`,
      );
    }
  }

  #count({ length }: string): void {
    this.#length += length;
    if (this.#length <= OUTPUT_LIMIT) return;
    throw new AttemptError(
      'agent',
      `${this.where} answered more than 10 MB; at most 10 MB of an answer is read`,
    );
  }
}

function isSettled({ result, error }: ToolCall): boolean {
  return result !== undefined || error !== undefined;
}
