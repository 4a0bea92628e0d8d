// What several calls took together.

import type { Usage } from './agent.ts';

/** Tokens and US dollars; a cost that is not known is null. */
export type Spending = { usage?: Usage; cost_usd?: number | null };

/** What both took. */
export function addSpending(a: Spending, b: Spending): Spending {
  const usage = addUsage(a.usage, b.usage);
  const cost = addCost(a.cost_usd, b.cost_usd);
  return { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost_usd: cost }) };
}

const COUNTS = ['input_tokens', 'output_tokens'] as const;

/** The sum of two counts of tokens, as far as they are known; nothing is made up for what was not counted. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum: Usage = {};
  for (const key of COUNTS) {
    const [first, second] = [a[key], b[key]];
    // Logs of older versions have a null where nothing was counted.
    if (isCount(first) || isCount(second)) sum[key] = (first ?? 0) + (second ?? 0);
  }
  return sum;
}

/** What two calls of one attempt took: what one of them did not count is not known of both. */
export function addCalls(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return undefined;
  const sum: Usage = {};
  for (const key of COUNTS) {
    const [first, second] = [a[key], b[key]];
    if (first !== undefined && second !== undefined) sum[key] = first + second;
  }
  return Object.keys(sum).length === 0 ? undefined : sum;
}

/** The sum of two costs: nothing spent is no cost, an unknown one (null) makes the sum unknown. */
export function addCost(
  a: number | null | undefined,
  b: number | null | undefined,
): number | null | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  // Rounded, because the sum of two decimal fractions is seldom one.
  return a === null || b === null ? null : Number((a + b).toPrecision(12));
}

/** Token counts in our form or in that of a common service; what is no count is left out. */
export function toUsage(item: unknown): Usage | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  // Whatever its fields hold is looked at.
  const told = item as Record<string, unknown>;
  const input = told['input_tokens'] ?? told['prompt_tokens'];
  const output = told['output_tokens'] ?? told['completion_tokens'];
  const usage: Usage = {
    ...(isCount(input) && { input_tokens: input }),
    ...(isCount(output) && { output_tokens: output }),
  };
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** True for what can be a number of tokens. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
