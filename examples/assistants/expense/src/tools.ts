// Operations on expenses. Amounts are in cents, because 0.1 + 0.2 is not 0.3.

import { writeFile } from 'node:fs/promises';

export type Expense = { note: string; category: string; cents: number; currency: string };

const CATEGORIES: [category: string, words: RegExp][] = [
  ['travel', /\b(taxi|train|bus|flight|parking)\b/i],
  ['lodging', /\b(hotel|hostel|room)\b/i],
  ['meal', /\b(breakfast|lunch|dinner|coffee)\b/i],
];
const RATES = 'https://rates.example.com/latest';
const RATES_LIVE_MS = 60 * 60 * 1000;
const PAUSE_MS = 2000;
const TRIES = 3;

export function Categorize(note: string): string {
  return CATEGORIES.find(([, words]) => words.test(note))?.[0] ?? 'other';
}

/** Reads `Taxi to the airport 23.50 EUR`; the currency may be left out. */
export function ReadExpense(line: string): Expense {
  const [, note, units, hundredths = '0', currency] =
    /^\s*(\S.*?)\s+(\d+)(?:[.,](\d{2}))?(?:\s+([A-Z]{3}))?\s*$/.exec(line) ?? [];
  if (note === undefined) throw new Error(`"${line}" has no amount`);
  const cents = Number(units) * 100 + Number(hundredths);
  return { note, category: Categorize(note), cents, currency: currency ?? HomeCurrency() };
}

export function HomeCurrency(): string {
  return process.env.EXPENSE_CURRENCY ?? 'EUR';
}

/** Cents by category. */
export function Totals(expenses: readonly Expense[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { category, cents } of expenses) totals[category] = (totals[category] ?? 0) + cents;
  return totals;
}

/** The violations of the rules, one sentence each. */
export function CheckPolicy(
  { note, category, cents, currency }: Expense,
  rules: { currency: string; limits: Record<string, number> },
): string[] {
  if (currency !== rules.currency) return [`${note}: ${currency} has to be converted to ${rules.currency}`];
  const limit = rules.limits[category];
  if (limit === undefined) return [`${note}: there is no rule for it`];
  return cents > limit * 100 ? [`${note}: more than ${limit} ${currency} for ${category}`] : [];
}

let known: { rates: Record<string, number>; readAt: number } | undefined;

/** The same expense in another currency, by today's rates. */
export async function Convert(expense: Expense, currency: string): Promise<Expense> {
  if (expense.currency === currency) return expense;
  if (known === undefined || Date.now() - known.readAt > RATES_LIVE_MS) {
    known = { rates: await readRates(), readAt: Date.now() };
  }
  const [from, to] = [known.rates[expense.currency], known.rates[currency]];
  if (from === undefined || to === undefined)
    throw new Error(`no rate for ${expense.currency} to ${currency}`);
  return { ...expense, cents: Math.round((expense.cents / from) * to), currency };
}

export function ForgetRates(): void {
  known = undefined;
}

/** Asks a busy server again after a pause. */
async function readRates(): Promise<Record<string, number>> {
  for (let left = TRIES; left > 0; left -= 1) {
    const response = await fetch(RATES);
    if (response.ok) return ((await response.json()) as { rates: Record<string, number> }).rates;
    if (response.status !== 503) throw new Error(`the rates cannot be read: ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error('the rates cannot be read: the server is busy');
}

/** Writes a table that spreadsheets can open. */
export async function SaveReport(file: string, expenses: readonly Expense[]): Promise<void> {
  const rows = expenses.map(({ category, note, cents, currency }) =>
    [category, JSON.stringify(note), (cents / 100).toFixed(2), currency].join(','),
  );
  await writeFile(file, `category,note,amount,currency\n${rows.join('\n')}\n`);
}
