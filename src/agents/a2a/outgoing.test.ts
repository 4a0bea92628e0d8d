import { expect, test } from 'vitest';
import type { Message } from '../../model/case.ts';
import { outgoing } from './outgoing.ts';

const context = {
  chat_id: 'c1',
  assistant_id: 'a1',
  authorized: { user_id: 'ada' },
  metadata: { locale: 'de-de', skill: 'refund' },
  client: { type: 'test', ip: '127.0.0.1' },
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
};

function partsOf(messages: Message[]): unknown[] {
  return outgoing(messages, context, { contextId: '', taskId: '' }).parts.map(
    ({ content, filename, mediaType }) => [content?.$case, content?.value, mediaType, filename],
  );
}

test('parts of a case become parts of the message', () => {
  const content = [
    { type: 'text', text: 'what is this?' },
    { type: 'image', source: 'data:image/png;base64,aGk=', name: 'a.png' },
    { type: 'image_url', image_url: { url: 'https://example.com/b.png' } },
    { type: 'choice', options: [1, 2] },
  ];
  expect(partsOf([{ role: 'user', content }])).toEqual([
    ['text', 'what is this?', 'text/plain', ''],
    ['raw', Buffer.from('hi'), 'image/png', 'a.png'],
    ['url', 'https://example.com/b.png', '', ''],
    ['data', { type: 'choice', options: [1, 2] }, 'application/json', ''],
  ]);
});

test('what others have said before is told in a text of its own', () => {
  const image = { type: 'image', source: 'https://example.com/b.png' };
  const messages: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'hello' }, image] },
    { role: 'assistant', content: 'Hi!' },
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
  ];
  expect(partsOf(messages)).toEqual([
    [
      'text',
      'The conversation so far:\n\nsystem: Be brief.\n\nuser: hello\n\nassistant: Hi!',
      'text/plain',
      '',
    ],
    ['url', 'https://example.com/b.png', '', ''],
    ['text', 'one', 'text/plain', ''],
    ['text', 'two', 'text/plain', ''],
  ]);
});

test('metadata: who asks, and what the case says, which wins', () => {
  const { metadata, contextId, taskId } = outgoing([], context, { contextId: 'x', taskId: 't' });
  expect({ metadata, contextId, taskId }).toEqual({
    metadata: { chat_id: 'c1', user_id: 'ada', locale: 'de-de', skill: 'refund' },
    contextId: 'x',
    taskId: 't',
  });
});
