// In the coordinator: leads a conversation with an agent in a worker, turn by turn.

import type { Answer, EndedConversation } from '../../execute/process/protocol.ts';
import type { Item, PoolWorker } from '../../execute/process/worker-process.ts';
import type { Message } from '../../model/case.ts';
import { timeoutText } from '../../text/duration.ts';
import type { Assessed, Assessor } from './assess/assess.ts';
import type { CheckedAnswer } from './assess/check-answer.ts';
import { checkAnswer } from './assess/check-answer.ts';
import { LATE_MS, measure } from './measure.ts';

/** Runs the conversation and gives its outcome; undefined if the worker ended or the attempt runs again elsewhere. */
export async function converse(
  assessor: Assessor,
  worker: PoolWorker,
  seq: number,
  item: Item,
): Promise<Assessed | undefined> {
  const ask = async (
    messages: Message[],
    timeoutMs: number,
  ): Promise<CheckedAnswer & { measuredMs: number }> => {
    item.isPaused = false;
    item.askedAt = performance.now();
    const answer = await new Promise<Answer>((resolve) => {
      item.answered = resolve;
      worker.send({ type: 'turn', seq, messages, timeout_ms: timeoutMs });
    });
    item.answered = undefined;
    item.isPaused = true;
    const checked = checkAnswer(answer);
    const { answerMs } = measure(item, performance.now(), checked);
    const isLate = answerMs > timeoutMs + LATE_MS && !('failure' in checked);
    const late = { status: 'timeout', error: timeoutText(item.attempt.timeout_ms) } as const;
    return isLate
      ? { took_ms: answerMs, failure: late, measuredMs: answerMs }
      : { ...checked, measuredMs: answerMs };
  };
  const assessed = await assessor.converse(item, ask);
  if (worker.held.get(seq) !== item) return undefined;

  const end = await new Promise<EndedConversation>((resolve) => {
    item.ended = resolve;
    item.isPaused = false;
    worker.send({ type: 'end', seq, status: assessed.outcome.status });
  });
  const { outcome } = assessed;
  if (end.tape !== undefined) item.tape = end.tape;
  if (end.logs !== undefined) outcome.logs = [...end.logs, ...(outcome.logs ?? [])];
  return assessed;
}
