// Plays a model that does what it is told: the language of the prompt, and the name that it hears.

type Request = { messages: { role: string; content: string }[] };

const GREETINGS: Record<string, string> = { de: 'Guten Tag', en: 'Good day', fr: 'Bonjour' };

export default function politeModel({ messages }: Request) {
  const language = /language "(\w+)"/.exec(messages[0]?.content ?? '')?.[1] ?? 'en';
  const name = /\bI am (\w+)/.exec(messages.at(-1)?.content ?? '')?.[1];
  const greeting = GREETINGS[language] ?? 'Hello';
  return name === undefined ? `${greeting}, and welcome!` : `${greeting}, ${name}!`;
}
