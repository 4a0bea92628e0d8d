// The `input` of a case: text, a message, messages, a content part or content parts.

import type { CaseProblem } from './case.ts';
import { isObject } from '../../../json/is-object.ts';

const NONE: readonly CaseProblem[] = [];

/** Returns everything that is wrong with an input. */
export function checkCaseInput(input: unknown): readonly CaseProblem[] {
  if (typeof input === 'string') return NONE;
  if (Array.isArray(input)) return checkList(input);
  if (!isObject(input)) return wrong('"input" must be text, a message, a content part, or a list of either');
  if ('role' in input) return checkMessage(input, 'input');
  if ('type' in input) return checkPart(input, 'input');
  if ('content' in input) return checkMessage(input, 'input');
  return wrong('"input" needs "role" and "content" (a message) or "type" (a content part)');
}

function checkList(items: readonly unknown[]): readonly CaseProblem[] {
  if (items.length === 0) return wrong('"input" is an empty list');
  const isPartList = items.some((item) => isObject(item) && 'type' in item && !('role' in item));
  const hasMessages = items.some((item) => isObject(item) && 'role' in item);
  if (isPartList && hasMessages) return wrong('"input" mixes messages and content parts: use one of them');
  const check = isPartList ? checkPart : checkMessage;
  return items.flatMap((item, index) => check(item, `input[${index}]`));
}

function checkMessage(message: unknown, at: string): readonly CaseProblem[] {
  if (!isObject(message)) return wrong(`"${at}" must be a message with "role" and "content"`);
  const { role, content } = message;
  const problems: CaseProblem[] = [];
  if (role === undefined) problems.push({ message: `"${at}.role" is missing` });
  else if (typeof role !== 'string' || role === '')
    problems.push({ message: `"${at}.role" must be a string` });
  problems.push(...checkContent(message, content, at));
  return problems;
}

function checkContent(
  message: Record<string, unknown>,
  content: unknown,
  at: string,
): readonly CaseProblem[] {
  if (typeof content === 'string') return NONE;
  // An assistant that only calls tools says nothing.
  if (content === null && Array.isArray(message['tool_calls'])) return NONE;
  if (content === undefined) return wrong(`"${at}.content" is missing`);
  if (!Array.isArray(content)) return wrong(`"${at}.content" must be text or a list of content parts`);
  if (content.length === 0) return wrong(`"${at}.content" is an empty list`);
  return content.flatMap((part, index) => checkPart(part, `${at}.content[${index}]`));
}

function checkPart(part: unknown, at: string): readonly CaseProblem[] {
  if (!isObject(part)) return wrong(`"${at}" must be a content part with "type"`);
  const { type, text } = part;
  if (type === undefined) return wrong(`"${at}.type" is missing`);
  if (typeof type !== 'string' || type === '') return wrong(`"${at}.type" must be a string`);
  if (type === 'text' && typeof text !== 'string') return wrong(`"${at}.text" must be a string`);
  return NONE;
}

function wrong(message: string): readonly CaseProblem[] {
  return [{ message }];
}
