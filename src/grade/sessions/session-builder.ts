// Messages, calls and counts of a session in, in the order in which they happened; a transcript out.

import type { ToolCall, Transcript, Usage } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { addCost, addUsage } from '../../model/spending.ts';
import type { RecordedSession } from './session.ts';

export class SessionBuilder {
  /** The first message of the user. */
  input: string | undefined;
  /** The last thing that went wrong, unless an answer followed. */
  error: string | undefined;
  usage: Usage | undefined;
  cost: number | undefined;
  readonly #messages: Message[] = [];
  readonly #calls: ToolCall[] = [];
  readonly #byId = new Map<string, ToolCall>();
  #answer: string | undefined;
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  get isEmpty(): boolean {
    return this.#messages.length === 0 && this.#calls.length === 0;
  }

  system(text: string): void {
    if (text !== '') this.#messages.push({ role: 'system', content: text });
  }

  /** The answer to an earlier message is not the answer to this one. */
  user(text: string): void {
    if (text === '') return;
    this.input ??= text;
    this.#answer = undefined;
    this.error = undefined;
    this.#messages.push({ role: 'user', content: text });
  }

  assistant(text: string): void {
    if (text === '') return;
    this.#answer = text;
    this.error = undefined;
    this.#messages.push({ role: 'assistant', content: text });
  }

  /** A call that was recorded twice counts once. */
  call(id: string | undefined, name: string, given: unknown): void {
    if (id !== undefined && this.#byId.has(id)) return;
    const call: ToolCall = { name, ...(given !== undefined && { arguments: given }) };
    this.#calls.push(call);
    if (id !== undefined) this.#byId.set(id, call);
  }

  /** False if no such call is known. */
  result(id: string | undefined, end: { result: unknown } | { error: string }): boolean {
    const call = id === undefined ? undefined : this.#byId.get(id);
    if (call === undefined) return false;
    Object.assign(call, end);
    return true;
  }

  /** A time in ISO 8601 or in milliseconds; anything else is ignored. */
  at(time: unknown): void {
    const ms = typeof time === 'string' ? Date.parse(time) : time;
    if (typeof ms !== 'number' || !Number.isFinite(ms)) return;
    this.#firstMs = Math.min(this.#firstMs ?? ms, ms);
    this.#lastMs = Math.max(this.#lastMs ?? ms, ms);
  }

  spend(usage: Usage | undefined, cost?: number): void {
    this.usage = addUsage(this.usage, usage);
    this.cost = addCost(this.cost, cost) ?? undefined;
  }

  finish(): RecordedSession {
    const { usage, cost, error } = this;
    const transcript: Transcript = {
      output: this.#answer ?? null,
      tool_calls: this.#calls,
      ...(usage !== undefined && { usage }),
      ...(cost !== undefined && { cost_usd: cost }),
      messages: this.#messages,
    };
    // One time is no duration.
    const hasTimes = this.#firstMs !== undefined && this.#firstMs !== this.#lastMs;
    return {
      transcript,
      duration_ms: hasTimes ? (this.#lastMs ?? 0) - (this.#firstMs ?? 0) : undefined,
      error: this.#answer === undefined ? error : undefined,
    };
  }
}
