// What is known of an attempt that ran earlier: its answer, or an outcome that cannot be judged again.

import type { Transcript } from '../model/agent.ts';
import type { Attempt } from '../model/attempt.ts';
import type { CaseInput } from '../model/case.ts';
import type { Outcome } from '../model/outcome.ts';

/** An answer that is judged again. */
export type RecordedAnswer = {
  transcript: Transcript;
  /** How long the agent took; NaN if that is not known. */
  duration_ms: number;
  /** What the agent was asked; undefined if it is not known. */
  input?: CaseInput | undefined;
};

/** An outcome stays as it was: errors, timeouts, and attempts without an answer. */
export type Recorded = ({ answer: RecordedAnswer } | { outcome: Outcome }) & {
  /** The agent, if the recording has several. */
  agent?: string | undefined;
};

/** Finds what was recorded for an attempt. */
export type FindRecorded = (attempt: Attempt) => Promise<Recorded>;

/** The outcome of an attempt that cannot be judged, with the reason. */
export function notGraded(reason: string): Recorded {
  return { outcome: { status: 'skipped', reason: 'skip', duration_ms: 0, skip_message: reason } };
}
