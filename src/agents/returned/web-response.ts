// A web `Response`, read as the answer of an HTTP agent.

import type { AnswerFormat } from './answer-format.ts';
import { hasMethods, readField } from '../frameworks/framework.ts';
import { unreadable } from './unreadable.ts';

export const webResponse: AnswerFormat = {
  matches: (value) =>
    hasMethods(value, 'text', 'json', 'arrayBuffer') &&
    hasMethods(readField(value, 'headers'), 'get') &&
    typeof readField(value, 'status') === 'number',
  async read(value) {
    // It has the methods of a Response.
    const response = value as unknown as Response;
    if (response.bodyUsed)
      throw unreadable('a Response whose body is already read', 'return the text or the value that was read');
    const [{ readAnswer }, { refusal }] = await Promise.all([
      import('../http/http-answer.ts'),
      import('../http/http-endpoint.ts'),
    ]);
    const where = describeSource(response);
    if (!response.ok) throw await refusal(response, where);
    return readAnswer(response, where);
  },
};

/** Without the query, which may hold credentials. */
function describeSource({ url }: Response): string {
  if (!URL.canParse(url)) return 'the Response that the agent returned';
  const { origin, pathname } = new URL(url);
  return `the Response of ${origin}${pathname} that the agent returned`;
}
