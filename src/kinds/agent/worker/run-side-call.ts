// In a worker: one call in, its end out, whatever happens; never throws and never takes longer than its deadline.

import type { Directory } from '../../../agents/adapter.ts';
import { raceSignal } from '../../../platform/race.ts';
import { openAgent } from '../../../agents/registry.ts';
import { messageOf } from '../../../errors.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import { formatGoDuration } from '../../../text/duration.ts';
import { callFunction } from '../../../scripts/call-function.ts';
import { attemptScope, LogBuffer } from '../../../execute/worker/capture.ts';
import { clearTimeout, setTimeout } from '../../../execute/process/intrinsics.ts';
import type {
  AgentQuestion,
  FunctionCall,
  SideCall,
  SideCallDone,
} from '../../../execute/process/protocol.ts';
import { toJsonValue } from '../../../execute/worker/json-value.ts';

/** Dependencies that all side calls of a worker share. */
export type SideCallDeps = { directory: Directory; retries: number };

/** A side call that is under way. */
export class RunningSideCall {
  /** Below zero, so that it is never taken for an attempt. */
  readonly seq: number;
  readonly logs = new LogBuffer();
  #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #id: number;
  #done: (done: SideCallDone) => void;
  #isOver = false;

  /** `done` is called once. */
  constructor(id: number, done: (done: SideCallDone) => void) {
    this.seq = -id;
    this.#id = id;
    this.#done = done;
  }

  begin(call: SideCall, deps: SideCallDeps): void {
    const expire = (): void => {
      const error = new Error(`timed out after ${formatGoDuration(call.timeout_ms)}`);
      this.fail(error);
      this.#controller.abort(error);
    };
    this.#timer = setTimeout(expire, call.timeout_ms);
    const { signal } = this.#controller;
    attemptScope.run(this, () => {
      const work = call.type === 'call' ? runFunction(call, signal) : askAgent(call, deps, signal);
      work
        .then((value) => this.#end({ value: toJsonValue(value) }))
        .catch((error: unknown) => this.fail(error));
    });
  }

  /** Ends it, from inside or because of an uncaught exception that belongs to it. */
  fail(error: unknown): void {
    this.#end({ error: boundedText(messageOf(error)) });
  }

  #end(end: { value?: unknown; error?: string }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const logs = this.logs.lines();
    this.#done({ type: 'done', id: this.#id, ...end, ...(logs === undefined ? {} : { logs }) });
  }
}

function runFunction(
  { reference, args, context_at, context, root, folder }: FunctionCall,
  signal: AbortSignal,
): Promise<unknown> {
  const makeArgs = (ctx: unknown): unknown[] => (context_at === 'start' ? [ctx, ...args] : [...args, ctx]);
  return callFunction(reference, makeArgs, { root, folder, context, signal });
}

async function askAgent(
  { agent: definition, messages, context, root }: AgentQuestion,
  { directory, retries }: SideCallDeps,
  signal: AbortSignal,
): Promise<unknown> {
  const agent = await openAgent(definition, { root, directory });
  const { env } = process;
  const answer = agent.run(messages, context, { env, fetch: globalThis.fetch, signal, retries });
  const { output } = await raceSignal(Promise.resolve(answer), signal);
  return output;
}
