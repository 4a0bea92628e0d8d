// `uses.search` of package.yao: a tool (`mcp:<server>.<tool>`) or an agent that searches for `ctx.search`.

import { messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import type { Caller } from './call-member.ts';
import { callMember } from './call-member.ts';

/** Asks the provider. A list that it returns are the items; its failure is in the answer. */
export function askProvider(
  caller: Caller,
  provider: string,
  type: string,
  [query, options]: unknown[],
): Record<string, unknown> {
  const answer = { type, query, source: provider, items: [] };
  const question = { ...(isObject(options) ? options : {}), type, query };
  try {
    const found = provider.startsWith('mcp:')
      ? callTool(caller, provider.slice('mcp:'.length), question)
      : callAgent(caller, provider, question);
    if (Array.isArray(found)) return { ...answer, items: found };
    if (isObject(found)) return { ...answer, ...found };
    return { ...answer, error: `the provider returned no items but ${JSON.stringify(found)}` };
  } catch (error) {
    return { ...answer, error: messageOf(error) };
  }
}

function callTool(caller: Caller, name: string, question: object): unknown {
  const at = name.lastIndexOf('.');
  return callMember(caller, 'mcp.CallTool', [name.slice(0, at), name.slice(at + 1), question]);
}

function callAgent(caller: Caller, id: string, question: object): unknown {
  const messages = [{ role: 'user', content: JSON.stringify(question) }];
  const answer = callMember(caller, 'agent.Call', [id, messages, { skip: { output: true } }]);
  const { content, error, response } = isObject(answer) ? answer : {};
  if (typeof error === 'string') throw new Error(error);
  const next = isObject(response) ? response['next'] : undefined;
  return next ?? jsonOrText(String(content));
}
