import { extractKeywords } from './rake.ts';

type Message = { role: string; content: string | { type: string; text?: string }[] };

/** Keeps only what the user said; a system message is no text to extract from. */
function Create(_ctx: unknown, messages: Message[]) {
  return { messages: messages.filter((message) => message.role === 'user') };
}

/** Answers with the key phrases of the last message, and whether they are worth a web search. */
function Next(
  ctx: { metadata: { max_keywords?: number } },
  payload: { messages: Message[] },
  options: { max_keywords: number },
) {
  const text = textOf(payload.messages.at(-1));
  const keywords = extractKeywords(text, ctx.metadata.max_keywords ?? options.max_keywords);
  return { data: { keywords, need_search: /\b(latest|today|current|news|weather|price)\b/i.test(text) } };
}

function textOf(message: Message | undefined): string {
  if (message === undefined) return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => part.text ?? '').join(' ');
}
