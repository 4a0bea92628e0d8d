// `ctx.Send` and the other members with which a hook writes to the user.

import { isObject } from '../../json/is-object.ts';
import type { SentMessage } from '../../model/agent.ts';
import { plainCopy } from './plain-copy.ts';

/** What was sent during one request, as the user sees it at the end, and how many ids were given out. */
export type Sent = {
  messages: SentMessage[];
  ids: { M: number; B: number; T: number };
  /** Called for every message and every appended piece, if another agent listens. */
  listener?: (message: Record<string, unknown>) => void;
};

export type Messages = {
  Send(message: unknown, blockId?: string): string;
  SendStream(message: unknown, blockId?: string): string;
  Append(id: string, content: unknown, path?: string): string;
  Replace(id: string, message: unknown): string;
  Merge(id: string, data: unknown, path?: string): string;
  Set(id: string, value: unknown, path?: string): string;
  End(id: string, content?: unknown): string;
  MessageID(): string;
  BlockID(): string;
  ThreadID(): string;
  EndBlock(id: string): void;
};

export const MESSAGE_MEMBERS: readonly (keyof Messages)[] = [
  'Append',
  'BlockID',
  'End',
  'EndBlock',
  'Merge',
  'MessageID',
  'Replace',
  'Send',
  'SendStream',
  'Set',
  'ThreadID',
];

/** `current` returns the state of the request that is under way. */
export function createMessages(current: () => Sent): Messages {
  const nextId = (kind: 'M' | 'B' | 'T'): string => {
    const { ids } = current();
    ids[kind] += 1;
    return `${kind}${String(ids[kind])}`;
  };
  const send = (member: string, message: unknown, blockId: unknown): string => {
    const { message_id, id = message_id, block_id, ...given } = readMessage(member, message);
    const block = blockId ?? block_id;
    const own = typeof id === 'string' && id !== '' ? id : nextId('M');
    const { messages, listener } = current();
    messages.push({ id: own, ...given, ...(typeof block === 'string' && { block_id: block }) });
    listener?.(given);
    return own;
  };
  const change = (member: string, id: unknown, work: (message: SentMessage) => SentMessage): string =>
    changeMessage(current().messages, { member, id }, work);
  const edit = (
    member: string,
    id: unknown,
    path: string | undefined,
    work: (old: unknown, place: string) => unknown,
  ): string =>
    change(member, id, (message) => {
      const keys = pathKeys(path);
      const place = `ctx.${member}(${JSON.stringify(id)}, …, ${JSON.stringify(path ?? '')})`;
      const props = edited(message.props, keys, (old) => work(old, place), place);
      if (!isObject(props)) throw new TypeError(`${place}: the props of a message are an object`);
      return { ...message, props };
    });
  const append: Messages['Append'] = (id, content, path = 'content') => {
    if (typeof content === 'string') current().listener?.({ type: 'text', props: { content } });
    return edit('Append', id, path, (old, place) => appended(old, plainCopy(content, place), place));
  };

  return {
    Send: (message, blockId) => send('Send', message, blockId),
    SendStream: (message, blockId) => send('SendStream', message, blockId),
    Append: append,
    Replace: (id, message) =>
      change('Replace', id, ({ block_id }) => {
        const { id: _id, message_id: _own, block_id: block, ...given } = readMessage('Replace', message);
        const kept = typeof block === 'string' ? block : block_id;
        return { id, ...given, ...(kept !== undefined && { block_id: kept }) };
      }),
    Merge: (id, data, path) =>
      edit('Merge', id, path, (old, place) => {
        const more = plainCopy(data, place);
        if (!isObject(more)) throw new TypeError(`${place}: the data to merge must be an object`);
        return { ...(isObject(old) ? old : {}), ...more };
      }),
    Set: (id, value, path) => edit('Set', id, path, (_old, place) => plainCopy(value, place)),
    End: (id, content) =>
      (content ?? '') === '' ? change('End', id, (message) => message) : append(id, content),
    MessageID: () => nextId('M'),
    BlockID: () => nextId('B'),
    ThreadID: () => nextId('T'),
    EndBlock: () => undefined,
  };
}

/** Changes a message that was sent. */
function changeMessage(
  messages: SentMessage[],
  { member, id }: { member: string; id: unknown },
  work: (message: SentMessage) => SentMessage,
): string {
  const at = messages.findLastIndex((message) => message.id === id);
  const message = messages[at];
  if (message === undefined) {
    const known = messages.length === 0 ? 'nothing was sent yet' : messages.map((one) => one.id).join(', ');
    throw new TypeError(`ctx.${member}: there is no message ${JSON.stringify(id)}; sent: ${known}`);
  }
  messages[at] = work(message);
  return message.id;
}

type ReadMessage = {
  type: string;
  props: Record<string, unknown>;
  id?: unknown;
  message_id?: unknown;
  block_id?: unknown;
};

function readMessage(member: string, message: unknown): ReadMessage {
  if (typeof message === 'string') return { type: 'text', props: { content: message } };
  const copy = plainCopy(message, `ctx.${member}`);
  if (!isObject(copy) || typeof copy['type'] !== 'string' || copy['type'] === '')
    throw new TypeError(`ctx.${member}: a message is a text or {type, props}, not ${JSON.stringify(copy)}`);
  const { type, props } = copy;
  return { ...copy, type, props: isObject(props) ? props : {} };
}

/** The keys of a path inside `props`: `content`, `props.rows.0`, `rows[0]`. */
function pathKeys(path: string | undefined): string[] {
  if (path === undefined || path === '' || path === 'props') return [];
  const keys = path.replaceAll(/\[(\w+)\]/g, '.$1').split('.');
  return keys[0] === 'props' ? keys.slice(1) : keys;
}

/** A copy of the value with a changed part; missing objects on the way are created. */
function edited(
  value: unknown,
  [key, ...rest]: string[],
  work: (old: unknown) => unknown,
  place: string,
): unknown {
  if (key === undefined) return work(value);
  if (key === '__proto__') throw new TypeError(`${place}: there is no such place`);
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > list.length)
      throw new TypeError(`${place}: the list has no element ${key}`);
    list[index] = edited(list[index], rest, work, place);
    return list;
  }
  if (value !== undefined && value !== null && !isObject(value))
    throw new TypeError(`${place}: there is no such place, because a part of it is not an object`);
  const object = value ?? {};
  return {
    ...object,
    [key]: edited(Object.hasOwn(object, key) ? object[key as never] : undefined, rest, work, place),
  };
}

function appended(old: unknown, more: unknown, place: string): unknown {
  if (old === undefined || old === null) return more;
  if (typeof old === 'string') return old + (typeof more === 'string' ? more : JSON.stringify(more));
  if (Array.isArray(old))
    return [...(old as unknown[]), ...(Array.isArray(more) ? (more as unknown[]) : [more])];
  throw new TypeError(`${place}: only texts and lists can be appended to`);
}
