// Fields that several assertions have.

import type { Problem } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import type { Assertion } from '../model/case.ts';
import { optional } from '../schema/object.ts';
import { nameHint } from '../schema/shape.ts';
import { anything, boolean, that } from '../schema/values.ts';
import { quote } from '../text/quote.ts';
import { NO_PROBLEMS } from './assertion.ts';

/** Each type checks its own value. */
export const VALUE = optional(anything, 'Expected value or pattern');

export const THRESHOLD = optional(
  that<number>('a number from 0 to 1', { type: 'number', minimum: 0, maximum: 1 }, isShare),
  'The lowest score that passes, for agent, bleu, command, expression, levenshtein, rouge, script and similar',
);

/** The threshold of an assertion; the check before the run has made sure of its type. */
export function readThreshold({ threshold }: Assertion): number | undefined {
  return typeof threshold === 'number' ? threshold : undefined;
}

export const USE = optional(
  that<string>('the id of an agent, such as "agents:judge"', { type: 'string', minLength: 1 }, isName),
  'agents:<id>, for agent and select_best',
);

export const CONNECTOR = optional(
  that<string>('the id of a connector', { type: 'string', minLength: 1 }, isName),
  'The built-in judge of agent and select_best, the embedding model of similar',
);

export const IGNORE_CASE = optional(boolean, 'Upper and lower case are the same, for assertions on texts');

/** A tool call that is asked for: a name or `{name, arguments}`. `type` is the assertion that asks. */
export function checkTool(type: string, tool: unknown): readonly Problem[] {
  if (isName(tool)) return NO_PROBLEMS;
  if (!isObject(tool))
    return [{ message: `"${type}" needs a name or {name, arguments}, not ${quote(tool)}` }];
  const unknown = Object.keys(tool).filter((field) => !TOOL_FIELDS.includes(field));
  const problems = unknown.map((field) => ({
    message: `unknown field ${quote(field)} in the value of "${type}"`,
    hint: nameHint(field, TOOL_FIELDS),
  }));
  return isName(tool['name'])
    ? problems
    : [...problems, { message: `the value of "${type}" needs a "name"` }];
}

/** True for a number from 0 to 1. */
export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** True for a text that can name something. */
export function isName(text: unknown): text is string {
  return typeof text === 'string' && text !== '';
}

const TOOL_FIELDS = ['arguments', 'name'];
