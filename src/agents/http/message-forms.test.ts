import { expect, test } from 'vitest';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { openBody } from './http-template.ts';

const context: ContextData = {
  chat_id: 'c1',
  assistant_id: 'a1',
  authorized: {},
  metadata: {},
  client: { type: 'test', ip: '127.0.0.1' },
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
};
const messages: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How warm is it in Oslo?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{"city":"Oslo"}' } },
      { id: 'c2', type: 'function', function: { name: 'now', arguments: '{}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"degrees":21}' },
  { role: 'assistant', content: '21.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And here?' },
      { type: 'image', source: 'data:image/png;base64,AAAA' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', source: 'data:text/plain;base64,aGk=' },
    ],
  },
];

const UI_MESSAGES = [
  { id: 'message-1', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { id: 'message-2', role: 'user', parts: [{ type: 'text', text: 'How warm is it in Oslo?' }] },
  {
    id: 'message-3',
    role: 'assistant',
    parts: [
      {
        type: 'tool-forecast',
        toolCallId: 'c1',
        state: 'output-available',
        input: { city: 'Oslo' },
        output: { degrees: 21 },
      },
      { type: 'tool-now', toolCallId: 'c2', state: 'input-available', input: {} },
    ],
  },
  { id: 'message-5', role: 'assistant', parts: [{ type: 'text', text: '21.' }] },
  {
    id: 'message-6',
    role: 'user',
    parts: [
      { type: 'text', text: 'And here?' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
      { type: 'file', mediaType: 'image/*', url: 'https://example.com/a.png' },
      { type: 'text', text: 'hi' },
    ],
  },
];

const AG_UI_MESSAGES = [
  { id: 'message-1', role: 'system', content: 'Be brief.' },
  { id: 'message-2', role: 'user', content: 'How warm is it in Oslo?' },
  {
    id: 'message-3',
    role: 'assistant',
    toolCalls: [
      { id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{"city":"Oslo"}' } },
      { id: 'c2', type: 'function', function: { name: 'now', arguments: '{}' } },
    ],
  },
  { id: 'message-4', role: 'tool', content: '{"degrees":21}', toolCallId: 'c1' },
  { id: 'message-5', role: 'assistant', content: '21.' },
  {
    id: 'message-6',
    role: 'user',
    content: [
      { type: 'text', text: 'And here?' },
      { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } },
      { type: 'image', source: { type: 'url', value: 'https://example.com/a.png' } },
      { type: 'text', text: 'hi' },
    ],
  },
];

test('a format decides the body; fields of the definition are added to it', async () => {
  const ui = await openBody({ format: 'ai-sdk-ui' });
  expect(ui(messages, context)).toEqual({ id: 'c1', messages: UI_MESSAGES, trigger: 'submit-message' });
  const more = await openBody({ format: 'ai-sdk-ui', body: { id: 'x', model: '{{context.locale}}' } });
  expect(more([], context)).toEqual({ id: 'x', messages: [], trigger: 'submit-message', model: 'en-us' });
  const agUi = await openBody({ format: 'ag-ui', body: { forwardedProps: { a: 1 } } });
  expect(agUi(messages, context)).toEqual({
    threadId: 'c1',
    runId: 'c1-6',
    state: {},
    messages: AG_UI_MESSAGES,
    tools: [],
    context: [],
    forwardedProps: { a: 1 },
  });
});

test('a template may use the forms and their fields', async () => {
  const build = await openBody({
    body: {
      chat: '{{ui_messages}}',
      history: '{{ ag_ui.messages }}',
      thread: 'thread {{ag_ui.threadId}} {{ag_ui.no}}',
    },
  });
  expect(build(messages, context)).toEqual({
    chat: UI_MESSAGES,
    history: AG_UI_MESSAGES,
    thread: 'thread c1 {{ag_ui.no}}',
  });
  const input = 'And here?';
  expect((await openBody({}))(messages, context)).toEqual({ messages, context, input });
});
