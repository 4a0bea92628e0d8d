type Payload = { messages: { role: string; content: string }[] };
type Order = { order: string; state: string; arrives: string };

/** Finds the order with a tool of the shop, and remembers it for the next turn. */
function Next(ctx: agent.Context, { messages }: Payload) {
  const text = messages.at(-1)?.content ?? '';
  const order: string | null = /A-\d+/.exec(text)?.[0] ?? ctx.memory.chat.Get('order');
  if (order === null) return { data: 'Which order is it?' };
  ctx.memory.chat.Set('order', order);

  const message = ctx.SendStream('Looking for ');
  ctx.Append(message, `${order} …`);
  ctx.End(message);

  const step = ctx.trace.Add({ order }, { label: 'Find the order' });
  const found: Order = ctx.mcp.CallTool('agents.shop.orders', 'find_order', { order });
  step.Complete(found.state);

  if (!/\bwhy\b/i.test(text)) return { data: `${order} is ${found.state} and arrives on ${found.arrives}.` };
  const [news] = ctx.search.Web('delays of parcels').items;
  return { data: `${order} is ${found.state}. ${news.title}` };
}
