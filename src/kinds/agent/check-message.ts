// Checks messages of agent workers before anything in them is used: the agent's code can write to their channel.

import type { FromWorker } from '../../execute/process/protocol.ts';
import { isCount } from '../../model/spending.ts';
import { isDeeper } from '../../json/is-deeper.ts';
import { isObject } from '../../json/is-object.ts';
import { isTexts } from '../../json/is-texts.ts';

/** The value of a hook is sent on, which takes a stack frame per level. */
const MAX_DEPTH = 600;
const MAX_SECRET = 64 * 1024;

const isNumbered = (value: unknown): boolean => isObject(value) && Number.isInteger(value['seq']);
const isText = (value: unknown): boolean => typeof value === 'string';

type Fields = Record<string, unknown>;

/** The fields of each message that a pool uses; the content of answers is checked where they are assessed. */
const CHECKS: Record<Exclude<FromWorker['type'], ScriptMessage>, (message: Fields) => boolean> = {
  answered: ({ answers, stuck }) => Array.isArray(answers) && answers.every(isNumbered) && isCount(stuck),
  before: (message) => isNumbered(message) && !isDeeper(message['data'], MAX_DEPTH),
  done: ({ id }) => Number.isInteger(id),
  dropped: ({ seqs }) => Array.isArray(seqs) && seqs.every(Number.isInteger),
  ended: (message) => isNumbered(message) && (message['logs'] === undefined || isTexts(message['logs'])),
  evaluated: () => true,
  late: ({ name }) => isText(name),
  pong: ({ load }) => isCount(load),
  prepared: isNumbered,
  ready: () => true,
  secrets: ({ secrets }) => isTexts(secrets) && secrets.every((text) => text.length <= MAX_SECRET),
  taped: ({ id, report }) => Number.isInteger(id) && isObject(report),
};

/** Messages that only script workers send. */
type ScriptMessage = 'closed' | 'more' | 'progress' | 'settled';

/** True for a message that an agent worker may send, with fields of the right types. */
export function isMessage(message: FromWorker): boolean {
  const { type } = message;
  // Every message is an object with a type; more is not known of it yet.
  return Object.hasOwn(CHECKS, type) && CHECKS[type as keyof typeof CHECKS](message);
}
