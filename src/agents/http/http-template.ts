// Builds the request body from the template in the agent's definition.

import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { lastInput } from '../transcript.ts';
import { isObject } from '../../json/is-object.ts';

const PLACEHOLDER = /\\?\{\{\s*([\w.-]+)\s*\}\}/g;
const ALONE = /^\s*\{\{\s*([\w.-]+)\s*\}\}\s*$/;

type Values = { messages: Message[]; context: ContextData; input: string };

/**
 * Fills `{{messages}}`, `{{input}}`, `{{context}}`, `{{context.…}}` and variables of the test into every string of a template.
 * A string that is only a placeholder becomes the JSON value; inside text it becomes text. Unknown placeholders are kept.
 */
export function requestBody(template: unknown, messages: Message[], context: ContextData): unknown {
  const values: Values = { messages, context, input: lastInput(messages) };
  return template === undefined ? values : fill(template, values);
}

function fill(template: unknown, values: Values): unknown {
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (!isObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, values)]));
}

function fillText(text: string, values: Values): unknown {
  const alone = ALONE.exec(text)?.[1];
  const whole = alone === undefined ? undefined : lookUp(alone, values);
  if (whole !== undefined) return whole;
  return text.replaceAll(PLACEHOLDER, (placeholder, path: string) => {
    const value = lookUp(path, values);
    if (value === undefined) return placeholder;
    // A backslash escapes a variable of the test; before other placeholders it is a plain backslash.
    const isEscaped = placeholder.startsWith('\\');
    if (isEscaped && isVariable(path, values)) return placeholder.slice(1);
    if (isEscaped) return `\\${typeof value === 'string' ? value : JSON.stringify(value)}`;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function isVariable(path: string, { context: { variables = {} }, ...values }: Values): boolean {
  return !Object.hasOwn(values, path) && path !== 'context' && Object.hasOwn(variables, path);
}

function lookUp(path: string, values: Values): unknown {
  if (isVariable(path, values)) return values.context.variables?.[path];
  let current: unknown = values;
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}
