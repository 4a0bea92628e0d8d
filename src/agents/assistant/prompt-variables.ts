// Fills `$SYS.…`, `$CTX.…` and the test's variables into prompts during an attempt.

import type { Prompt } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';

const VARIABLE = /\$(SYS|CTX)\.([A-Za-z_][\w-]*)|\\?\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

type PromptContext = Pick<
  ContextData,
  'authorized' | 'chat_id' | 'assistant_id' | 'locale' | 'metadata' | 'variables'
>;

/** Turns prompts into messages. A `$CTX` name that the context lacks becomes empty; an unknown `$SYS` name is kept. */
export function fillPrompts(prompts: readonly Prompt[], context: PromptContext, time: Date): Message[] {
  return prompts.map((prompt) => ({
    ...prompt,
    // One pass: inserted values are not expanded again.
    content: prompt.content.replaceAll(
      VARIABLE,
      (reference: string, kind?: string, name = '', variable?: string) => {
        if (variable !== undefined) return variableText(reference, variable, context);
        return kind === 'SYS' ? (systemValue(name, time) ?? reference) : contextValue(name, context);
      },
    ),
  }));
}

/** A variable of the test. `\\{{Name}}` gives the literal `{{Name}}`; unknown names are kept. */
function variableText(reference: string, name: string, { variables = {} }: PromptContext): string {
  if (!Object.hasOwn(variables, name)) return reference;
  return reference.startsWith('\\') ? reference.slice(1) : asText(variables[name]);
}

function systemValue(name: string, time: Date): string | undefined {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(time.getFullYear())}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  switch (name) {
    case 'DATETIME':
      return `${date} ${clock}`;
    case 'DATE':
      return date;
    case 'TIME':
      return clock;
    case 'TIMEZONE':
      return new Intl.DateTimeFormat().resolvedOptions().timeZone;
    case 'WEEKDAY':
      return WEEKDAYS[time.getDay()];
    case 'YEAR':
      return String(time.getFullYear());
    case 'MONTH':
      return two(time.getMonth() + 1);
    case 'DAY':
      return two(time.getDate());
    case 'HOUR':
      return two(time.getHours());
    case 'MINUTE':
      return two(time.getMinutes());
    case 'SECOND':
      return two(time.getSeconds());
    default:
      return undefined;
  }
}

function contextValue(name: string, context: PromptContext): string {
  switch (name) {
    case 'USER_ID':
      return context.authorized.user_id ?? '';
    case 'TEAM_ID':
      return context.authorized.team_id ?? '';
    case 'LOCALE':
      return context.locale;
    case 'CHAT_ID':
      return context.chat_id;
    case 'ASSISTANT_ID':
      return context.assistant_id;
    default:
      return asText(metadataValue(name, context.metadata));
  }
}

/** `$CTX.GOAL` finds the key `goal` too. */
function metadataValue(name: string, metadata: Record<string, unknown>): unknown {
  if (Object.hasOwn(metadata, name)) return metadata[name];
  const key = Object.keys(metadata).find((other) => other.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : metadata[key];
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
