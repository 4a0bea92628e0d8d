// The attempts that a pool has given to a worker, and what the pool knows about it, whatever the worker is.

import type { Attempt } from '../../model/attempt.ts';
import type { TestCase } from '../../model/case.ts';
import { isConversation } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { defaultChatId } from '../../model/context.ts';
import type { SentAttempt, SharedPart, ToWorker } from './protocol.ts';
import type { Item } from './worker-process.ts';

const CONTEXT_FIELDS = [
  'assistant_id',
  'authorized',
  'metadata',
  'client',
  'locale',
  'referer',
  'accept',
] as const satisfies (keyof ContextData)[];

/** The coordinator's side of a worker. */
export abstract class WorkerState {
  /** By sequence number, which rises in the order of starting. */
  readonly held = new Map<number, Item>();
  heldBytes = 0;
  /** How many attempts it may execute at the same time. */
  concurrency = 1;
  /** It gets nothing new and ends when its attempts have settled. */
  isRetiring = false;
  isReady = false;
  isHung = false;
  /** False if it can be silent only while the pool is silent, too: both are in one process. */
  canHang = true;
  /** What a script worker signs with. */
  token = '';
  lastHeardAt = performance.now();
  /** When it last settled something, or got something to do after a rest. */
  lastProgressAt = performance.now();
  /** The agents that have answered in it, so that their code is loaded. */
  readonly loaded = new Set<string>();
  /** How many attempts it has settled: later ones may suffer from what earlier ones left behind. */
  settledCount = 0;
  #outbox: SentAttempt[] = [];
  /** By what only the attempts of one input have in common: their variables, else the name of the test. */
  #shared = new Map<object | string, { number: number; part: SharedPart }>();
  #sequence = 0;

  /** Sends a message to the worker. */
  abstract send(message: ToWorker): void;

  /** Lets go of an attempt that is settled or given back. */
  release(seq: number): Item | undefined {
    const item = this.held.get(seq);
    if (item === undefined) return undefined;
    this.held.delete(seq);
    this.heldBytes -= item.bytes;
    return item;
  }

  /** Queues an attempt for the next `flush`. */
  add(item: Item): void {
    const seq = (this.#sequence += 1);
    this.heldBytes += item.bytes;
    item.sentAt = performance.now();
    this.held.set(seq, item);
    const sent = this.#sent(item.attempt, seq);
    item.isDeferred = sent.is_deferred === true;
    this.#outbox.push(sent);
  }

  /** Sends what was added, in one message. */
  flush({ isWhole }: { isWhole?: boolean } = {}): void {
    if (this.#outbox.length === 0) return;
    if (this.held.size === this.#outbox.length) {
      this.lastHeardAt = performance.now();
      this.lastProgressAt = this.lastHeardAt;
    }
    const { concurrency } = this;
    this.send({
      type: 'run',
      concurrency,
      attempts: this.#outbox,
      ...(isWhole !== undefined && { isWhole }),
    });
    this.#outbox = [];
  }

  /** Only what differs from the other attempts of the same input travels each time. */
  #sent({ key, case: testCase, run, timeout_ms, variables, ...rest }: Attempt, seq: number): SentAttempt {
    // Cases that name an agent of their own share the rest with others of that agent.
    const identity = testCase.agent === undefined ? (variables ?? rest.test_id) : rest.subject;
    const { number, part } = this.#shared.get(identity) ?? this.#announce(identity, { ...rest, timeout_ms });
    const isAgent = rest.subject.kind === 'agent-eval';
    const sent: SentAttempt = {
      seq,
      shared: number,
      key,
      case: testCase,
      run,
    };
    if (isAgent) this.#hide(sent, testCase, rest.subject.id);
    if (rest.tape !== undefined) sent.tape = rest.tape;
    if (timeout_ms !== part.timeout_ms) sent.timeout_ms = timeout_ms;
    if (rest.context.chat_id !== defaultChatId(key)) sent.context = { chat_id: rest.context.chat_id };
    for (const name of CONTEXT_FIELDS) {
      if (rest.context[name] !== part.context[name])
        sent.context = { ...sent.context, [name]: rest.context[name] };
    }
    return sent;
  }

  /**
   * Leaves out what the agent must not know: expected values and assertions; and, until its code is loaded, the input, so that the
   * time of loading cannot be used to answer. A `before` hook gets the whole case.
   */
  #hide(sent: SentAttempt, testCase: TestCase, agentId: string): void {
    const isTalk = isConversation(testCase);
    if (isTalk) sent.is_conversation = true;
    if (isTalk || testCase.before !== undefined || !this.loaded.has(agentId)) sent.is_deferred = true;
    if (testCase.before !== undefined) return;
    const { id, input, options, after, mocks } = testCase;
    sent.case = { id, input: sent.is_deferred === true ? '' : input };
    if (options !== undefined) sent.case.options = options;
    if (after !== undefined) sent.case.after = after;
    if (mocks !== undefined) sent.case.mocks = mocks;
  }

  #announce(
    identity: object | string,
    { base, context, root, subject, test_id, timeout_ms }: SharedPart,
  ): { number: number; part: SharedPart } {
    const entry = {
      number: this.#shared.size,
      part: { base, context, root, subject, test_id, timeout_ms },
    };
    this.#shared.set(identity, entry);
    this.send({ type: 'shared', shared: entry.number, part: entry.part });
    return entry;
  }
}
