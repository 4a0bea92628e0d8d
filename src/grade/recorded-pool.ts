// In the coordinator: attempts in, outcomes out. Every answer comes from a recording; judges run where they run in a test.

import type { PoolOptions, Settled, TestPool } from '../execute/pool-options.ts';
import type { Item } from '../execute/process/worker-process.ts';
import { sizeOf } from '../execute/weight.ts';
import type { Assessed } from '../kinds/agent/assess/assess.ts';
import { Assessor } from '../kinds/agent/assess/assess.ts';
import { checkAnswer } from '../kinds/agent/assess/check-answer.ts';
import { fromStart } from '../kinds/agent/finish-attempts.ts';
import type { Attempt } from '../model/attempt.ts';
import { isConversation } from '../model/case.ts';
import type { Outcome } from '../model/outcome.ts';
import type { AgentSubject } from '../model/subject.ts';
import { messageOf } from '../errors.ts';
import { TapedTimes } from '../tapes/taped-times.ts';
import type { FindRecorded, RecordedAnswer } from './recorded.ts';
import { replayConversation } from './replay-conversation.ts';

/** Attempts that are read ahead, unless a failure must stop the run at once. */
const AHEAD = 64;

/** Judges recorded answers. */
export class RecordedPool implements TestPool<AgentSubject> {
  readonly #options: PoolOptions;
  readonly #find: FindRecorded;
  readonly #assessor: Assessor;
  #queue: Attempt<AgentSubject>[] = [];
  #running = 0;
  #isClosed = false;
  /** Outcomes that are told together. */
  #settled: Settled[] = [];

  constructor(options: PoolOptions, find: FindRecorded) {
    this.#options = options;
    this.#find = find;
    this.#assessor = new Assessor({ ...options, tapes: undefined, runTapes: undefined });
  }

  get size(): number {
    return this.#queue.length + this.#running + this.#settled.length;
  }

  get room(): number {
    const { exact, parallel } = this.#options;
    return parallel + (exact ? 0 : AHEAD) - this.size;
  }

  submit(attempt: Attempt<AgentSubject>): void {
    this.#queue.push(attempt);
    this.#startMore();
  }

  drop(): void {
    for (const attempt of this.#queue.splice(0)) this.#options.dropped(attempt);
  }

  close(): void {
    this.#isClosed = true;
    this.#assessor.close();
  }

  #startMore(): void {
    while (this.#running < this.#options.parallel) {
      const attempt = this.#queue.shift();
      if (attempt === undefined) return;
      this.#running += 1;
      void this.#judge(attempt).then((outcome) => this.#end({ attempt, outcome }));
    }
  }

  /** Tells the outcomes of one turn of the event loop together. */
  #end(settled: Settled): void {
    this.#running -= 1;
    if (this.#isClosed) return;
    this.#settled.push(settled);
    if (this.#settled.length === 1)
      setImmediate(() => {
        const batch = this.#settled;
        this.#settled = [];
        if (!this.#isClosed) this.#options.settled(batch);
      });
    this.#startMore();
  }

  /** Never rejects. */
  async #judge(attempt: Attempt<AgentSubject>): Promise<Outcome> {
    try {
      const recorded = await this.#find(attempt);
      if (recorded.agent !== undefined) attempt.subject = { ...attempt.subject, id: recorded.agent };
      if ('outcome' in recorded) return recorded.outcome;
      const { outcome } = await this.#assess(attempt, recorded.answer);
      // Judging takes time of its own, which says nothing about the agent.
      const { duration_ms: ms } = recorded.answer;
      return { ...outcome, duration_ms: Number.isNaN(ms) ? 0 : Math.round(ms) };
    } catch (error) {
      const text = `the recorded answer cannot be judged: ${messageOf(error)}`;
      return { status: 'error', code: 'harness', duration_ms: 0, error: text };
    }
  }

  #assess(attempt: Attempt, answer: RecordedAnswer): Assessed | Promise<Assessed> {
    const isJudgedHere = this.#assessor.prepare(attempt);
    const counts = { restarts: 0, retries: 0, returns: 0, bytes: sizeOf(attempt) };
    const item: Item = fromStart({ attempt, isJudgedHere, ...counts });
    const { duration_ms, transcript } = answer;
    const checked = checkAnswer({ seq: 0, transcript, took_ms: 0 });
    if ('failure' in checked) throw new Error('a field of it has a wrong type, or it is nested too deeply');
    if (isConversation(attempt.case)) {
      item.times = recordedTimes(duration_ms, transcript.messages?.length ?? 0);
      const { ask, simulate } = replayConversation({ ...answer, transcript: checked.transcript });
      return this.#assessor.converse(item, ask, simulate);
    }
    // The judges have the whole time limit: the agent takes none of it.
    return this.#assessor.assess(item, checked, { answerMs: duration_ms, attemptMs: 0 });
  }
}

/** A recording has the time of the whole conversation; a turn took that long at most. */
function recordedTimes(ms: number, messages: number): TapedTimes {
  const times = Array.from({ length: messages + 1 }, () => ms);
  return new TapedTimes({ attempt: [ms], conversation: [ms], 'conversation (later)': times, turn: times });
}
