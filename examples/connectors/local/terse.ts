// Plays a model that saves words: the language is right, the name is lost.

type Request = { messages: { role: string; content: string }[] };

const GREETINGS: Record<string, string> = { de: 'Guten Tag', en: 'Good day', fr: 'Bonjour' };

export default function terseModel({ messages }: Request) {
  const language = /language "(\w+)"/.exec(messages[0]?.content ?? '')?.[1] ?? 'en';
  return `${GREETINGS[language] ?? 'Hello'}.`;
}
