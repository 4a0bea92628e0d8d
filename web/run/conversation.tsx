// The messages of an attempt as a conversation.

import type { VNode } from 'preact';
import type { Message } from '../../src/model/case.ts';
import type { ResultEvent } from '../../src/model/event.ts';
import { oneLine } from '../../src/text/untrusted.ts';
import { Block, Line } from '../ui/text.tsx';

type ShownMessage = { role: string; name?: string; content: unknown; more?: Record<string, unknown> };

export function Conversation({ event }: { event: ResultEvent }): VNode | null {
  const said = listMessages(event);
  if (said.length === 0) return null;
  return (
    <section>
      <h3>Conversation</h3>
      <ol class="conversation">
        {said.map((message, at) => (
          <li key={at} class={`said ${KNOWN.has(message.role) ? message.role : 'other'}`}>
            <p class="role">
              <Line
                text={message.name === undefined ? message.role : `${message.role} ${message.name}`}
                limit={60}
              />
            </p>
            {message.content !== null && message.content !== '' && (
              <Block value={textOfContent(message.content)} label={`Message of ${oneLine(message.role)}`} />
            )}
            {message.more !== undefined && <Block value={message.more} label="Further fields" />}
          </li>
        ))}
      </ol>
    </section>
  );
}

const KNOWN = new Set(['assistant', 'system', 'tool', 'user']);

/** The messages of an attempt; without messages, its input and output. */
function listMessages({ messages = [], input, output, kind }: ResultEvent): ShownMessage[] {
  if (kind !== 'agent-eval') return output === undefined ? [] : [{ role: 'output', content: output }];
  if (messages.length > 0) {
    const last = messages.at(-1);
    const isAnswered = last !== undefined && last.role === 'assistant';
    const said = messages.map(toShownMessage);
    return isAnswered || output === undefined ? said : [...said, { role: 'assistant', content: output }];
  }
  const asked = input === undefined ? [] : inputMessages(input);
  return output === undefined ? asked : [...asked, { role: 'assistant', content: output }];
}

function inputMessages(input: unknown): ShownMessage[] {
  if (Array.isArray(input) && input.every(isMessage)) return input.map(toShownMessage);
  return isMessage(input) ? [toShownMessage(input)] : [{ role: 'user', content: input }];
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}

function toShownMessage({ role, content, name, ...more }: Message): ShownMessage {
  return {
    role,
    content,
    ...(name !== undefined && { name }),
    ...(Object.keys(more).length > 0 && { more }),
  };
}

/** Shows content parts that are only text as text. */
function textOfContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
      ? part.text
      : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join('\n') : content;
}
