// What may be in the fields that several assertions have.

import type { Problem } from '../errors.ts';
import { didYouMean } from '../text/nearest.ts';
import { isObject } from '../json/is-object.ts';
import { NO_PROBLEMS } from './assertion.ts';
import { quote } from '../text/quote.ts';

/** A score that has to be reached; it may be missing. */
export function checkThreshold(threshold: unknown): readonly Problem[] {
  if (threshold === undefined) return NO_PROBLEMS;
  if (typeof threshold === 'number' && threshold >= 0 && threshold <= 1) return NO_PROBLEMS;
  return [{ message: `"threshold" must be a number from 0 to 1, not ${quote(threshold)}` }];
}

/** The id of a connector; it may be missing. */
export function checkConnector(connector: unknown): readonly Problem[] {
  if (connector === undefined || isName(connector)) return NO_PROBLEMS;
  return [{ message: `"connector" must be the id of a connector, not ${quote(connector)}` }];
}

/** One of a few words; it may be missing. */
export function checkChoice(field: string, value: unknown, choices: readonly string[]): readonly Problem[] {
  if (value === undefined || (typeof value === 'string' && choices.includes(value))) return NO_PROBLEMS;
  const all = `it may be ${choices.join(', ')}`;
  const hint = typeof value === 'string' ? (didYouMean(value, choices) ?? all) : all;
  return [{ message: `${quote(value)} is no "${field}"`, hint }];
}

/** A tool call that is asked for: a name or `{name, arguments}`. `type` is the assertion that asks. */
export function checkTool(type: string, tool: unknown): readonly Problem[] {
  if (isName(tool)) return NO_PROBLEMS;
  if (!isObject(tool))
    return [{ message: `"${type}" needs a name or {name, arguments}, not ${quote(tool)}` }];
  const unknown = Object.keys(tool).filter((field) => !TOOL_FIELDS.includes(field));
  const problems = unknown.map((field) => ({
    message: `unknown field ${quote(field)} in the value of "${type}"`,
    hint: didYouMean(field, TOOL_FIELDS) ?? `it may have ${TOOL_FIELDS.join(', ')}`,
  }));
  return isName(tool['name'])
    ? problems
    : [...problems, { message: `the value of "${type}" needs a "name"` }];
}

/** True for a text that can name something. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

const TOOL_FIELDS = ['arguments', 'name'];
