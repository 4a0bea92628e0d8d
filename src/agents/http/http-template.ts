// Builds the request body from the template in the agent's definition.

import type { HttpFormat, HttpRun } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { lastInput } from '../transcript.ts';
import { isObject } from '../../json/is-object.ts';
import type { messageForms } from './message-forms.ts';

const PLACEHOLDER = /\\?\{\{\s*([\w.-]+)\s*\}\}/g;
const ALONE = /^\s*\{\{\s*([\w.-]+)\s*\}\}\s*$/;

type Values = { messages: Message[]; context: ContextData; input: string };
type Forms = typeof messageForms;

/** The bodies of formats. */
const BODIES: Record<HttpFormat, unknown> = {
  'ag-ui': '{{ag_ui}}',
  'ai-sdk-ui': { id: '{{context.chat_id}}', messages: '{{ui_messages}}', trigger: 'submit-message' },
};

/** Makes the body of a request. */
type BodyBuilder = (messages: Message[], context: ContextData) => unknown;

/**
 * Fills `{{messages}}`, `{{input}}`, `{{context}}`, `{{context.…}}`, `{{ui_messages}}`, `{{ag_ui}}` and variables of the test into
 * every string of the template. A string that is only a placeholder becomes the JSON value; inside text it becomes text. Unknown
 * placeholders are kept.
 */
export async function openBody({ format, body }: Pick<HttpRun, 'body' | 'format'>): Promise<BodyBuilder> {
  const templates = [format === undefined ? undefined : BODIES[format], body].filter(
    (template) => template !== undefined,
  );
  const isConverted = /\{\{\s*(?:ag_ui|ui_messages)\b/.test(JSON.stringify(templates));
  const forms: Forms = isConverted ? (await import('./message-forms.ts')).messageForms : {};
  return (messages, context) => {
    const values: Values = { messages, context, input: lastInput(messages) };
    const filled = templates.map((template) => fill(template, values, forms));
    if (filled.length === 0) return values;
    // Fields of the definition are added to the body of the format.
    return filled.length > 1 && filled.every(isObject) ? Object.assign({}, ...filled) : filled.at(-1);
  };
}

function fill(template: unknown, values: Values, forms: Forms): unknown {
  if (typeof template === 'string') return fillText(template, values, forms);
  if (Array.isArray(template)) return template.map((item) => fill(item, values, forms));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) => [key, fill(value, values, forms)]),
  );
}

function fillText(text: string, values: Values, forms: Forms): unknown {
  const alone = ALONE.exec(text)?.[1];
  const whole = alone === undefined ? undefined : lookUp(alone, values, forms);
  if (whole !== undefined) return whole;
  return text.replaceAll(PLACEHOLDER, (placeholder, path: string) => {
    const value = lookUp(path, values, forms);
    if (value === undefined) return placeholder;
    // A backslash escapes a variable of the test; before other placeholders it is a plain backslash.
    const isEscaped = placeholder.startsWith('\\');
    if (isEscaped && isVariable(path, values, forms)) return placeholder.slice(1);
    if (isEscaped) return `\\${typeof value === 'string' ? value : JSON.stringify(value)}`;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function isVariable(path: string, { context: { variables = {} }, ...values }: Values, forms: Forms): boolean {
  if (Object.hasOwn(forms, path)) return false;
  return !Object.hasOwn(values, path) && path !== 'context' && Object.hasOwn(variables, path);
}

function lookUp(path: string, values: Values, forms: Forms): unknown {
  if (isVariable(path, values, forms)) return values.context.variables?.[path];
  const [first = '', ...others] = path.split('.');
  const form = Object.hasOwn(forms, first) ? forms[first] : undefined;
  let current: unknown = form === undefined ? values : form(values.messages, values.context);
  for (const step of form === undefined ? [first, ...others] : others) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}
