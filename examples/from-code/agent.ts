// An agent of your program: a function with a tool.

type Message = { role: string; content: unknown };

const PRICES: Record<string, number> = { tea: 3, cake: 5 };

/** Answers what things cost, and reports the tool calls that it made. */
export async function shopAgent(messages: Message[]): Promise<object> {
  const question = String(messages.at(-1)?.content).toLowerCase();
  const names = Object.keys(PRICES).filter((name) => question.includes(name));
  if (names.length === 0) return { output: 'I only know what tea and cake cost.', tool_calls: [] };
  const tool_calls = names.map((name) => ({
    name: 'price',
    arguments: { item: name },
    result: PRICES[name],
  }));
  const total = names.reduce((sum, name) => sum + (PRICES[name] ?? 0), 0);
  return { output: `That is ${String(total)} euros.`, tool_calls };
}

export default shopAgent;
