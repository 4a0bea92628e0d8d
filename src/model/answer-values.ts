// The values about an answer that users' judging code gets, by the names it knows them under.

import type { Transcript } from './agent.ts';
import type { CaseInput } from './case.ts';

/** Plain JSON. `tool_calls`, `usage` and `cost_usd` are missing if the agent does not report them. */
export type AnswerValues = {
  /** The answer, or what a transform made of it. */
  output: unknown;
  input: CaseInput;
  /** The `value` of the assertion, else `expected` of the case. */
  expected?: unknown;
  vars: Record<string, unknown>;
  metadata: Record<string, unknown>;
  duration_ms: number;
  cost_usd?: number;
} & Pick<Transcript, 'answer_metadata' | 'messages' | 'tool_calls' | 'usage'>;

/** Every name, present or not. */
export const VALUE_NAMES: readonly (keyof AnswerValues)[] = [
  'output',
  'input',
  'expected',
  'vars',
  'metadata',
  'tool_calls',
  'messages',
  'answer_metadata',
  'usage',
  'cost_usd',
  'duration_ms',
];

/** Names of measurements that an agent may leave out. */
export const REPORTED: readonly (keyof AnswerValues)[] = ['tool_calls', 'usage', 'cost_usd'];
