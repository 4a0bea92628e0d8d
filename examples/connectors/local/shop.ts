// Plays the model of the shop assistant: decides by a few rules when to call a tool and what to say.

type Message = { role: string; content: string | null; name?: string };
type Request = { messages: Message[]; tools?: { name: string }[] };

export default function shopModel({ messages, tools = [] }: Request) {
  const last = messages.at(-1);
  if (last?.role === 'tool') return sentenceFor(last.name ?? '', JSON.parse(last.content ?? 'null'));

  const talk = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const all = talk.map(({ content }) => content ?? '').join('\n');
  const said = last?.content ?? '';
  const order = /\b[A-Z]-\d{4}\b/.exec(all)?.[0];
  const tool = (end: string) => tools.find(({ name }) => name.endsWith(`__${end}`))?.name ?? end;

  if (order === undefined) return 'I am happy to help. What is your order number?';
  if (/\byes\b/i.test(said) && /shall i refund/i.test(all)) {
    return { tool_calls: [{ name: tool('refund'), arguments: { order } }] };
  }
  if (/refund|money back/i.test(all)) return `Shall I refund order ${order}? Please answer yes or no.`;
  return { tool_calls: [{ name: tool('find_order'), arguments: { order } }] };
}

function sentenceFor(tool: string, result: Record<string, string>): string {
  if (result['error'] !== undefined) return `I am sorry: ${result['error']}.`;
  if (tool.endsWith('refund')) return `Done: ${result['amount']} EUR are on their way to you.`;
  return `Order ${result['order']} is ${result['state']}; it arrives on ${result['arrives']}.`;
}
