// The messages of a case and its context in, the message that is sent out.

import { randomUUID } from 'node:crypto';
import type { Message as A2aMessage, Part, Role } from '@a2a-js/sdk';
import { readSource } from '../../connectors/content-source.ts';
import type { ContentPart, Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';

/** ROLE_USER; only the SDK's types are there before it is loaded. */
const USER: Role = 1;

/** What goes on: the agent's context, and its task if that waits for an answer. Empty at the beginning. */
export type Thread = { contextId: string; taskId: string };

/** The message of one turn: everything said at the beginning, later only what is new. */
export function outgoing(
  messages: readonly Message[],
  context: ContextData,
  { contextId, taskId }: Thread,
): A2aMessage {
  return {
    messageId: randomUUID(),
    contextId,
    taskId,
    role: USER,
    parts: partsFor(messages),
    metadata: metadataOf(context),
    extensions: [],
    referenceTaskIds: [],
  };
}

/** What the other side may know about the case: its metadata, and who is asking. */
function metadataOf({ authorized, chat_id, locale, metadata }: ContextData): Record<string, unknown> {
  const { user_id, team_id } = authorized;
  return {
    chat_id,
    ...(user_id !== undefined && { user_id }),
    ...(team_id !== undefined && { team_id }),
    locale,
    ...metadata,
  };
}

/** A message has one author, the user: what others have said before is told in a text of its own. */
function partsFor(messages: readonly Message[]): Part[] {
  const lastOther = messages.findLastIndex(({ role }) => role !== 'user');
  const earlier = messages.slice(0, lastOther + 1);
  const parts = messages.slice(lastOther + 1).flatMap(partsOfMessage);
  if (earlier.length === 0) return parts;
  const lines = earlier.map((message) => `${message.role}: ${textOf(message)}`);
  const files = earlier.flatMap(partsOfMessage).filter(({ content }) => content?.$case !== 'text');
  return [textPart(`The conversation so far:\n\n${lines.join('\n\n')}`), ...files, ...parts];
}

function partsOfMessage({ content }: Message): Part[] {
  if (typeof content === 'string') return [textPart(content)];
  return (content ?? []).map(toPart);
}

function textOf(message: Message): string {
  const texts = partsOfMessage(message).map(({ content }) =>
    content?.$case === 'text' ? content.value : '',
  );
  return texts.filter((text) => text !== '').join('\n');
}

/** A part of a case; one that is neither text nor a file goes as the JSON it is. */
function toPart(part: ContentPart): Part {
  if (typeof part['text'] === 'string') return textPart(part['text']);
  const source = readSource(part);
  if (source === undefined)
    return { ...EMPTY, content: { $case: 'data', value: part }, mediaType: 'application/json' };
  const filename = [part['name'], part['filename']].find((name) => typeof name === 'string') ?? '';
  if ('url' in source) return { ...EMPTY, content: { $case: 'url', value: source.url }, filename };
  const bytes = Buffer.from(source.base64, 'base64');
  return { content: { $case: 'raw', value: bytes }, filename, mediaType: source.mime, metadata: undefined };
}

function textPart(text: string): Part {
  return { ...EMPTY, content: { $case: 'text', value: text }, mediaType: 'text/plain' };
}

const EMPTY = { filename: '', mediaType: '', metadata: undefined };
