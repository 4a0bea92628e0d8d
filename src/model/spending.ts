// Sums of tokens and costs.

import type { Usage } from './agent.ts';

/** Tokens and US dollars; an unknown cost is null. */
export type Spending = { usage?: Usage; cost_usd?: number | null };

/** The costs of the agent, the simulated user and the judges of an attempt; null is an unknown price. */
export function costsOf({
  cost_usd,
  simulation,
  verdicts = [],
}: Spending & { simulation?: Spending; verdicts?: readonly Spending[] }): (number | null)[] {
  const costs = [cost_usd, simulation?.cost_usd, ...verdicts.map((verdict) => verdict.cost_usd)];
  return costs.filter((cost) => cost !== undefined);
}

/** The sum of two spendings. */
export function addSpending(a: Spending, b: Spending): Spending {
  const usage = addUsage(a.usage, b.usage);
  const cost = addCost(a.cost_usd, b.cost_usd);
  return { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost_usd: cost }) };
}

const COUNTS = ['input_tokens', 'output_tokens'] as const;

/** The sum of two token counts; an unknown count adds nothing. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum: Usage = {};
  for (const key of COUNTS) {
    const [first, second] = [a[key], b[key]];
    // Logs of older versions have null for unknown counts.
    if (isCount(first) || isCount(second)) sum[key] = (first ?? 0) + (second ?? 0);
  }
  return sum;
}

/** The sum of two calls of one attempt; a count that one call does not report is unknown for the sum. */
export function addCalls(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return undefined;
  const sum: Usage = {};
  for (const key of COUNTS) {
    const [first, second] = [a[key], b[key]];
    if (first !== undefined && second !== undefined) sum[key] = first + second;
  }
  return Object.keys(sum).length === 0 ? undefined : sum;
}

/** The sum of two parts of one attempt. A part that called no model reports neither usage nor cost, and costs nothing. */
export function joinSpending(a: Spending, b: Spending): Spending {
  const areCounted = [a, b].every((one) => one.usage !== undefined || one.cost_usd !== undefined);
  const usage = areCounted ? addCalls(a.usage, b.usage) : (a.usage ?? b.usage);
  const cost = addCost(a.cost_usd, b.cost_usd);
  return { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost_usd: cost }) };
}

/** The sum of two costs: undefined adds nothing, an unknown cost (null) makes the sum unknown. */
export function addCost(
  a: number | null | undefined,
  b: number | null | undefined,
): number | null | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  // Rounded to hide binary fractions: 0.1 + 0.2.
  return a === null || b === null ? null : Number((a + b).toPrecision(12));
}

const INPUT_NAMES = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens'] as const;
const OUTPUT_NAMES = ['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'] as const;

/** The names of token counts, in our form and in that of common services and SDKs. */
export const USAGE_NAMES: readonly string[] = [...INPUT_NAMES, ...OUTPUT_NAMES];

/** Reads token counts by any of these names; ignores invalid counts. */
export function toUsage(item: unknown): Usage | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  // The cast is safe because every field is checked.
  const fields = item as Record<string, unknown>;
  const input = firstValue(fields, INPUT_NAMES);
  const output = firstValue(fields, OUTPUT_NAMES);
  const usage: Usage = {
    ...(isCount(input) && { input_tokens: input }),
    ...(isCount(output) && { output_tokens: output }),
  };
  return Object.keys(usage).length === 0 ? undefined : usage;
}

function firstValue(fields: Record<string, unknown>, names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => value !== undefined && value !== null);
}

/** True for a valid number of tokens. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
