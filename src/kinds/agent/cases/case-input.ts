// The `input` of a case: text, a message, messages, a content part or content parts.

import { isObject } from '../../../json/is-object.ts';
import type { CaseInput, ContentPart, Message } from '../../../model/case.ts';
import { list, object, optional, required } from '../../../schema/object.ts';
import type { Findings, Shape } from '../../../schema/shape.ts';
import { anything, name, nullable, string, that, variants } from '../../../schema/values.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { quote } from '../../../text/quote.ts';

const PART = { others: 'free', expected: 'a content part with "type"' } as const;
const type = required(name, 'text, image, file …');
const otherPart = object({ type }, PART);
const textPart = object({ type, text: required(string) }, PART);
const describedPart = object(
  {
    type,
    text: optional(string),
    source: optional(anything, 'A URL, or file:// and a path relative to the case file'),
  },
  PART,
);

const part: Shape<ContentPart> = {
  check: (value, findings) =>
    (isObject(value) && value['type'] === 'text' ? textPart : otherPart).check(value, findings),
  schema: describedPart.schema,
};
const parts = list(part);

const MESSAGE = { others: 'free', expected: 'a message with "role" and "content"' } as const;
const ROLES = ['assistant', 'developer', 'function', 'system', 'tool', 'user'];
/** Roles of other programs. */
const OTHER_ROLES: Record<string, string> = {
  ai: 'assistant',
  bot: 'assistant',
  human: 'user',
  model: 'assistant',
};
const knownRole: Shape<string> = {
  check(value, findings) {
    if (typeof value !== 'string') return findings.wrong('a string', value);
    if (ROLES.includes(value)) return;
    const meant = Object.hasOwn(OTHER_ROLES, value) ? `did you mean "${OTHER_ROLES[value]}"?` : undefined;
    const hint = meant ?? didYouMean(value, ROLES) ?? `the roles are ${ROLES.join(', ')}`;
    findings.rule(value === '' ? 'must not be empty' : `is an unknown role: ${quote(value)}`, hint);
  },
  schema: () => ({ enum: ROLES }),
};
const role = required(knownRole, 'user, assistant, system, developer, tool or function');
const noContent = that<never>('text or a list of content parts', {}, () => false);
const content = variants<string | ContentPart[]>([string, parts], (value) =>
  typeof value === 'string' ? string : Array.isArray(value) ? parts : noContent,
);
const speaking = object({ role, content: required(content) }, MESSAGE);
/** An assistant that only calls tools has no content. */
const callingTools = object({ role }, MESSAGE);
const describedMessage = object(
  {
    role,
    content: required(nullable(content)),
    tool_calls: optional(list(anything, { isEmptyFine: true })),
  },
  MESSAGE,
);

const message: Shape<Message> = {
  check: (value, findings) => (callsTools(value) ? callingTools : speaking).check(value, findings),
  schema: describedMessage.schema,
};
const messages = list(message);

/** One of the forms that `input` may take. */
export const inputShape: Shape<CaseInput> = {
  check(input, findings) {
    if (typeof input === 'string') return;
    if (Array.isArray(input)) checkList(input, findings);
    else if (!isObject(input)) findings.wrong('text, a message, a content part, or a list of either', input);
    else if ('role' in input) message.check(input, findings);
    else if ('type' in input) part.check(input, findings);
    else if ('content' in input) message.check(input, findings);
    else findings.rule('needs "role" and "content" (a message) or "type" (a content part)');
  },
  schema: () => ({ anyOf: [string, message, part, messages, parts].map((shape) => shape.schema()) }),
};

function checkList(items: readonly unknown[], findings: Findings): void {
  const hasParts = items.some(isPart);
  if (hasParts && items.some(hasRole)) findings.rule('mixes messages and content parts: use one of them');
  else (hasParts ? parts : messages).check(items, findings);
}

function callsTools(value: unknown): boolean {
  return isObject(value) && value['content'] === null && Array.isArray(value['tool_calls']);
}

function isPart(item: unknown): boolean {
  return isObject(item) && 'type' in item && !('role' in item);
}

function hasRole(item: unknown): boolean {
  return isObject(item) && 'role' in item;
}
