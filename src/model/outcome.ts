// The outcome of an attempt.

import type { SentMessage, ToolCall, TraceEntry, Usage } from './agent.ts';
import type { Message } from './case.ts';
import type { Subtest } from './script.ts';
import type { Checks } from './skill.ts';
import type { Spending } from './spending.ts';

/** Why an attempt is an error. `agent` is an error of the agent; with any other code the attempt could not be measured. */
export type ErrorCode =
  'agent' | 'connection' | 'rate_limit' | 'auth' | 'protocol' | 'judge' | 'harness' | 'replay';

export type Status = 'passed' | 'failed' | 'timeout' | 'error' | 'skipped';

/** The judgement of one assertion. */
export type Verdict = {
  type: string;
  /** Scores are averaged under this name. Defaults to the type. */
  metric?: string;
  status: 'passed' | 'failed' | 'error';
  /** Why it failed or could not be judged; starts with the author's message if there is one. */
  message?: string;
  path?: string;
  negate?: boolean;
  expected?: unknown;
  actual?: unknown;
  /** A readable difference of expected and actual, several lines, no colour. */
  diff?: string;
  /** 0 to 1, for assertions that measure. */
  score?: number;
  /** The explanation of a judging agent. */
  reason?: string;
  /** The tokens of judging; not part of the result's own usage. */
  usage?: Usage;
  cost_usd?: number | null;
  /** How much it counts for the score of the case; 1 if it is left out. */
  weight?: number;
  /** Reported only: it decided nothing. */
  advisory?: boolean;
  /** Of an assertion that combines others: their verdicts, without values and costs. */
  verdicts?: Verdict[];
  /** The checkpoint it is about. */
  checkpoint?: string;
  /** The turn of the conversation it is about, from 1. */
  turn?: number;
  /** Position in the source of the test: `expense/src/setup_test.ts:12:5`. */
  at?: string;
  /** The part of a script test it is about: `TestTotal/empty cart`. */
  subtest?: string;
};

/** The state of a checkpoint at the end of a conversation. */
export type CheckpointState = { id: string; required: boolean; reached: boolean; turn?: number };

/** Why a run stopped before its end. What it left out runs on resume, unless the run has `decided` what it was to find out. */
export type StopReason = 'budget' | 'decided' | 'fail_fast' | 'interrupted';

/** Why a case was not run. */
export type SkipReason = 'skip' | StopReason;

/** The outcome of an attempt: the fields of a `result` event that are known only after it ran. */
export type Outcome = {
  status: Status;
  duration_ms: number;
  output?: unknown;
  /** One line about what went wrong, unless the attempt passed. */
  error?: string;
  code?: ErrorCode;
  stack?: string;
  reason?: SkipReason;
  verdicts?: Verdict[];
  /** The weighted mean of the scores of its assertions, 0 to 1, if they have scores or weights. */
  score?: number;
  /** The score that the case needed to pass, if it says so. */
  pass_score?: number;
  tool_calls?: ToolCall[];
  usage?: Usage;
  cost_usd?: number | null;
  first_token_ms?: number;
  messages?: Message[];
  sent_messages?: SentMessage[];
  trace?: TraceEntry[];
  answer_metadata?: Record<string, unknown>;
  /** The number of turns of a conversation. */
  turns?: number;
  checkpoints?: CheckpointState[];
  /** The spending of the simulated user and of judging checkpoints; not part of the result's own usage. */
  simulation?: Spending;
  logs?: string[];
  /** The number of assertions of a script test; reports mark a test that passed without any. */
  assertions?: number;
  subtests?: Subtest[];
  /** The check counts of a skill test that returned a result; undefined if it checked nothing. */
  checks?: Checks;
  /** Resources that a skill test left open, so that its process had to be killed after the result. */
  leaks?: string;
  /** Why a test skipped itself. */
  skip_message?: string;
  /** Why its `after` hook failed, independent of the attempt itself. */
  after_error?: string;
  /** The number of retries because it could not be measured, including those of a run that was resumed. */
  retries?: number;
  /** How often it was rerun because another attempt blocked or crashed their shared worker. */
  restarted?: number;
};

/** How often an attempt was executed before. */
export type Reruns = { retries: number; restarted: number };

/** The outcome of an attempt that an earlier part of the run executed already: every execution counts. */
export function withReruns(outcome: Outcome, { retries, restarted }: Reruns): Outcome {
  if (outcome.status === 'skipped') return outcome;
  const restarts = restarted + (outcome.restarted ?? 0);
  return {
    ...outcome,
    retries: retries + (outcome.retries ?? 0),
    ...(restarts > 0 && { restarted: restarts }),
  };
}

/** True if the attempt is a measurement of the agent: it was judged, timed out or crashed by itself. */
export function isMeasured(outcome: { status: Status; code?: ErrorCode }): boolean {
  if (outcome.status === 'skipped') return false;
  return outcome.status !== 'error' || outcome.code === 'agent';
}
