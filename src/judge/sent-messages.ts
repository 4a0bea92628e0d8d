// `"of": "messages"` on an assertion: what hooks sent to the user is judged instead of the answer.

import { isObject } from '../json/is-object.ts';
import type { SentMessage } from '../model/agent.ts';
import type { Assertion } from '../model/case.ts';
import type { Subject } from './assertion.ts';
import { isCombinator } from './inner-assertions.ts';

/** Types that judge something else than the answer, so that they have no `of`. */
const OTHERS = new Set(['cost', 'latency', 'tokens', 'tool_called', 'tool_result', 'trajectory']);
/** Types that look at values; all others look at texts. */
const STRUCTURED = new Set(['command', 'expression', 'json_path', 'schema', 'script', 'type']);

/** What is wrong with the `of` of an assertion, if it has one. */
export function ofProblem({ type, of }: Assertion): string | undefined {
  if (of === undefined) return undefined;
  if (isCombinator(type)) return `"${type}" cannot have "of": write it into the assertions of its list`;
  if (!OTHERS.has(type)) return undefined;
  return `"${type}" does not judge the answer, so it cannot have "of"`;
}

/** What is wrong with the `transform` of an assertion, if it has one. */
export function transformProblem({ type, transform }: Assertion): string | undefined {
  if (transform === undefined || !OTHERS.has(type)) return undefined;
  return `"${type}" does not judge the answer, so it cannot have "transform"`;
}

/**
 * The subject with the messages in place of the answer: the list of messages for types that look at values, else the texts
 * in them, one per line.
 */
export function subjectOf(assertion: Assertion, subject: Subject): Subject {
  if (assertion['of'] === undefined) return subject;
  const messages = subject.transcript.sent_messages ?? [];
  return { ...subject, output: looksAtValues(assertion) ? messages : messageTexts(messages) };
}

function looksAtValues({ type, value, transform }: Assertion): boolean {
  // A transform works on values, whatever the type does.
  if (transform !== undefined) return true;
  if (type === 'equals' || type.endsWith('contains')) return typeof value === 'object';
  if (type === 'length') return isObject(value) && value['unit'] === 'items';
  return STRUCTURED.has(type);
}

function messageTexts(messages: readonly SentMessage[]): string {
  const texts = messages.map(({ props }) => (isObject(props) ? props['content'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}
