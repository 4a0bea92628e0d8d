import { CheckPolicy, ReadExpense, Totals } from './tools.ts';

type Options = { currency: string; limits: Record<string, number> };

/** Answers a list of expenses, one a line, with what they cost and what is wrong with them. */
function Next(_ctx: agent.Context, payload: { messages: { content: string }[] }, options: Options) {
  const text = payload.messages.at(-1)?.content ?? '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const expenses = lines.map(ReadExpense);
  const problems = expenses.flatMap((expense) => CheckPolicy(expense, options));
  return { data: { totals: Totals(expenses), problems } };
}
