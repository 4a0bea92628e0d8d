import type { ContextData } from '../model/context.ts';

/** A context like any other, for tests. */
export const context: ContextData = {
  chat_id: 'c',
  assistant_id: 'a',
  authorized: { user_id: 'eve' },
  metadata: {},
  client: { type: 'test', ip: '127.0.0.1' },
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
};
