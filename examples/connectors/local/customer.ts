// Plays the model of the simulated customer: answers what the shop asks until the goal is reached.

type Message = { role: string; content: string };

export default function customerModel({ messages }: { messages: Message[] }) {
  const { goal, conversation } = JSON.parse(messages.at(-1)?.content ?? '{}') as {
    goal: string;
    conversation: Message[];
  };
  const asked = conversation.at(-1)?.content ?? '';
  const order = /\b[A-Z]-\d{4}\b/.exec(goal)?.[0] ?? 'A-0000';
  if (/on their way/.test(asked)) return reply('', true, 'the money is on its way');
  if (/order number/i.test(asked)) return reply(`It is ${order}.`, false, 'the shop needs the number');
  if (/yes or no/i.test(asked)) return reply('Yes, please.', false, 'the shop wants a confirmation');
  return reply('I want a refund.', false, 'the goal is not reached');
}

function reply(message: string, goal_achieved: boolean, reasoning: string): string {
  return JSON.stringify({ message, goal_achieved, reasoning });
}
