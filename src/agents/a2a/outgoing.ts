// Builds the A2A message of a turn from the messages and context of a case.

import { randomUUID } from 'node:crypto';
import type { Message as A2aMessage, Part, Role } from '@a2a-js/sdk';
import { readSource } from '../../connectors/content-source.ts';
import type { ContentPart, Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';

/** ROLE_USER of the SDK, whose values are not loaded yet. */
const USER: Role = 1;

/** The agent's context, and its task if that waits for input. Both are empty in the first turn. */
export type Thread = { contextId: string; taskId: string };

/** The message of one turn: the whole conversation in the first turn, later only the new messages. */
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
    metadata: requestMetadata(context),
    extensions: [],
    referenceTaskIds: [],
  };
}

/** The metadata of the case, the user and the team. */
function requestMetadata({ authorized, chat_id, locale, metadata }: ContextData): Record<string, unknown> {
  const { user_id, team_id } = authorized;
  return {
    chat_id,
    ...(user_id !== undefined && { user_id }),
    ...(team_id !== undefined && { team_id }),
    locale,
    ...metadata,
  };
}

/** An A2A message has one author, the user. Messages of other roles are summarised in a text part. */
function partsFor(messages: readonly Message[]): Part[] {
  const lastOther = messages.findLastIndex(({ role }) => role !== 'user');
  const earlier = messages.slice(0, lastOther + 1);
  const parts = messages.slice(lastOther + 1).flatMap(messageParts);
  if (earlier.length === 0) return parts;
  const lines = earlier.map((message) => `${message.role}: ${messageText(message)}`);
  const files = earlier.flatMap(messageParts).filter(({ content }) => content?.$case !== 'text');
  return [textPart(`The conversation so far:\n\n${lines.join('\n\n')}`), ...files, ...parts];
}

function messageParts({ content }: Message): Part[] {
  if (typeof content === 'string') return [textPart(content)];
  return (content ?? []).map(toPart);
}

function messageText(message: Message): string {
  const texts = messageParts(message).map(({ content }) => (content?.$case === 'text' ? content.value : ''));
  return texts.filter((text) => text !== '').join('\n');
}

/** Content that is neither text nor a file becomes a JSON part. */
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
