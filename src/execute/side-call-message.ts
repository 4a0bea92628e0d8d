// Checks messages of side-call processes before anything in them is used: user code can write to their channel.

import { isObject } from '../json/is-object.ts';
import { isTexts } from '../json/is-texts.ts';
import type { FromWorker } from './process/protocol.ts';

type SideCallMessage = Extract<
  FromWorker,
  { type: 'done' | 'late' | 'pong' | 'ready' | 'secrets' | 'taped' }
>;

const isOptional = (value: unknown, isRight: (value: unknown) => boolean): boolean =>
  value === undefined || isRight(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isFailure = (value: unknown): boolean => isObject(value) && isText(value['code']);

/** The fields of each message that are used. A value is checked by the code that asked for it. */
const CHECKS: Record<SideCallMessage['type'], (message: Record<string, unknown>) => boolean> = {
  done: ({ id, error, failure, is_late, logs }) =>
    Number.isInteger(id) &&
    isOptional(error, isText) &&
    isOptional(failure, isFailure) &&
    isOptional(is_late, (value) => value === true) &&
    isOptional(logs, isTexts),
  late: () => true,
  pong: () => true,
  ready: () => true,
  secrets: ({ secrets }) => isTexts(secrets),
  taped: ({ id, report }) => Number.isInteger(id) && isObject(report),
};

/** True for a message that a side-call process may send, with fields of the right types. */
export function isSideCallMessage(message: FromWorker): message is SideCallMessage {
  // Every message is an object with a type; more is not known of it yet.
  return Object.hasOwn(CHECKS, message.type) && CHECKS[message.type as SideCallMessage['type']](message);
}
