// What became of an attempt.

import type { ToolCall, Usage } from './agent.ts';
import type { Message } from './case.ts';
import type { Subtest } from './script.ts';
import type { Checks } from './skill.ts';
import type { Spending } from './spending.ts';

/** Why an attempt is an error. `agent` is the agent's own fault; every other code could not be measured. */
export type ErrorCode =
  'agent' | 'connection' | 'rate_limit' | 'auth' | 'protocol' | 'judge' | 'harness' | 'replay';

export type Status = 'passed' | 'failed' | 'timeout' | 'error' | 'skipped';

/** The judgement of one assertion. */
export type Verdict = {
  type: string;
  status: 'passed' | 'failed' | 'error';
  /** Why it failed or could not be judged; the author's own message first if there is one. */
  message?: string;
  path?: string;
  negate?: boolean;
  expected?: unknown;
  actual?: unknown;
  /** A readable difference of expected and actual, several lines, no colour. */
  diff?: string;
  /** 0 to 1, of assertions that measure. */
  score?: number;
  /** What a judging agent says about its judgement. */
  reason?: string;
  /** What judging took; not part of the result's own usage. */
  usage?: Usage;
  cost_usd?: number | null;
  /** The checkpoint it is about. */
  checkpoint?: string;
  /** The turn of the conversation it is about, from 1. */
  turn?: number;
  /** Where in the test's source it stands: `expense/src/setup_test.ts:12:5`. */
  at?: string;
  /** The part of a script test it is about: `TestTotal/empty cart`. */
  subtest?: string;
};

/** How far a conversation with checkpoints came. */
export type CheckpointState = { id: string; required: boolean; reached: boolean; turn?: number };

/** Why a case was not run. Those that `fail_fast` and `interrupted` left out run again on resume. */
export type SkipReason = 'skip' | 'fail_fast' | 'interrupted';

/** What an attempt led to: everything of a `result` event that is known only afterwards. */
export type Outcome = {
  status: Status;
  duration_ms: number;
  output?: unknown;
  /** One line saying what went wrong, for everything that is not passed. */
  error?: string;
  code?: ErrorCode;
  stack?: string;
  reason?: SkipReason;
  verdicts?: Verdict[];
  tool_calls?: ToolCall[];
  usage?: Usage;
  cost_usd?: number | null;
  first_token_ms?: number;
  messages?: Message[];
  /** How many turns a conversation took. */
  turns?: number;
  checkpoints?: CheckpointState[];
  /** What the simulated user took, and who judged the checkpoints; not part of the result's own usage. */
  simulation?: Spending;
  logs?: string[];
  /** How many assertions a script test made; a test that passed with none is marked. */
  assertions?: number;
  subtests?: Subtest[];
  /** What a skill test counted, if it came to a result; nothing if it checked nothing. */
  checks?: Checks;
  /** What a skill test left open, so that it had to be ended after its result. */
  leaks?: string;
  /** Why a test skipped itself. */
  skip_message?: string;
  /** Why its `after` hook failed, whatever became of the attempt itself. */
  after_error?: string;
  /** How often it was tried again because it could not be measured. */
  retries?: number;
  /** 1 if it ran again alone because a neighbour stopped their worker. */
  restarted?: number;
};

/** True if the attempt says something about the agent: judged, timed out or crashed by itself. */
export function isMeasured(outcome: { status: Status; code?: ErrorCode }): boolean {
  if (outcome.status === 'skipped') return false;
  return outcome.status !== 'error' || outcome.code === 'agent';
}
