// Plays the model of the judge: the criteria are met as far as their important words are in the answer.

type Request = { messages: { role: string; content: string }[] };

export default function judgeModel({ messages }: Request) {
  const { criteria, output } = JSON.parse(messages.at(-1)?.content ?? '{}') as Record<string, unknown>;
  const words =
    String(criteria)
      .toLowerCase()
      .match(/\b[a-z]{5,}\b/g) ?? [];
  const answer = JSON.stringify(output ?? '').toLowerCase();
  const missing = words.filter((word) => !answer.includes(word));
  const score = words.length === 0 ? 0 : (words.length - missing.length) / words.length;
  const reason =
    missing.length === 0 ? 'everything asked for is there' : `nothing about: ${missing.join(', ')}`;
  return JSON.stringify({ reason, score, passed: missing.length === 0 });
}
