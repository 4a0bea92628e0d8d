import type { Spending } from '../model/spending.ts';

/** `1,200 tokens in, 340 out, $0.0042`; nothing if no tokens were counted and nothing was spent. */
export function spendingText({ usage, cost_usd }: Spending): string | undefined {
  const facts: string[] = [];
  if (usage?.input_tokens !== undefined) facts.push(`${usage.input_tokens.toLocaleString('en')} tokens in`);
  if (usage?.output_tokens !== undefined) facts.push(`${usage.output_tokens.toLocaleString('en')} out`);
  if (typeof cost_usd === 'number') facts.push(dollars(cost_usd));
  else if (cost_usd === null && facts.length > 0) facts.push('price not known');
  return facts.length === 0 ? undefined : facts.join(', ');
}

/** Cents are enough for dollars; small amounts keep their first digits. */
function dollars(amount: number): string {
  if (amount === 0 || amount >= 1) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(3)).toFixed(8).replace(/0+$/, '')}`;
}
