import type { ContextData } from './context.ts';

/** A context like any other, for tests; what a test asks for is its own. */
export function contextWith(own: Partial<ContextData>): ContextData {
  return {
    chat_id: 'c1',
    assistant_id: 'a1',
    authorized: { user_id: 'u1' },
    metadata: {},
    client: { type: 'test', ip: '127.0.0.1' },
    locale: 'en-us',
    referer: 'test',
    accept: 'standard',
    ...own,
  };
}
