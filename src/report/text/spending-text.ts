import type { Spending } from '../../model/spending.ts';
import { isCount } from '../../model/spending.ts';
import { groupDigits } from '../../text/group-digits.ts';

/** `1,200 tokens in, 340 out, $0.0042`; undefined if neither tokens nor costs are known. */
export function spendingText({ usage, cost_usd }: Spending): string | undefined {
  const facts: string[] = [];
  // Logs of older versions have null for unknown counts.
  const { input_tokens: input, output_tokens: output } = usage ?? {};
  if (isCount(input)) facts.push(`${groupDigits(input)} tokens in`);
  if (isCount(output)) facts.push(`${groupDigits(output)} out`);
  if (typeof cost_usd === 'number') facts.push(dollars(cost_usd));
  else if (cost_usd === null && facts.length > 0) facts.push('price not known');
  return facts.length === 0 ? undefined : facts.join(', ');
}

/** Amounts from one dollar on have two decimals; smaller ones keep three significant digits. */
export function dollars(amount: number): string {
  if (amount === 0 || amount >= 1) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(3)).toFixed(8).replace(/0+$/, '')}`;
}
