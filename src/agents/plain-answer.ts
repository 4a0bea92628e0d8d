// Tells values that are judged as they are from those that have to be read: answers of SDKs, streams, objects of a class.

import { isObject } from '../json/is-object.ts';

/**
 * True for a list or a plain object that is not the answer of an SDK. Nothing in it may get lost as JSON: a Map inside
 * becomes `{}`, and a judge would not see what it holds.
 */
export function isPlainAnswer(answer: object): boolean {
  try {
    if (!isPlain(answer) || isStream(answer) || isSdkAnswer(answer)) return false;
    return isJson(Reflect.get(answer, 'output')) && findLost(answer) === undefined;
  } catch {
    // A getter throws. Writing the answer as JSON fails as well, with a message that says why.
    return true;
  }
}

/** True for a value that JSON holds as it is: no object of a class, unless it says itself how it is written. */
export function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !isLostScalar(value);
  return isPlain(value) || (hasJson(value) && !isLost(value));
}

/** True for values that JSON leaves out, turns into null or refuses. */
export function isLostScalar(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  // Some programs define how a BigInt is written.
  if (typeof value === 'bigint') return !('toJSON' in BigInt.prototype);
  return typeof value === 'function' || typeof value === 'symbol';
}

/** True for a list and for an object that no class made, also of another realm. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return isObject(prototype) && Object.getPrototypeOf(prototype) === null && 'isPrototypeOf' in prototype;
}

/** True for async iterables, streams and generators. */
export function isStream(value: object): boolean {
  return (
    Symbol.asyncIterator in value || 'getReader' in value || (Symbol.iterator in value && 'next' in value)
  );
}

/** True for a message of LangChain. */
export function isLangChainMessage(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ['getType', '_getType'].some((name) => typeof value[name] === 'function');
}

/** True for plain objects with the marks of an SDK's answer. */
function isSdkAnswer(value: object): boolean {
  if (Array.isArray(value)) return isLangChainMessage(value.at(-1));
  if (!isObject(value)) return false;
  const { object, type, role, content, candidates, messages } = value;
  return (
    object === 'chat.completion' ||
    (object === 'response' && 'output' in value) ||
    (type === 'message' && role === 'assistant' && Array.isArray(content) && 'stop_reason' in value) ||
    (Array.isArray(candidates) && ('usageMetadata' in value || 'modelVersion' in value)) ||
    (Array.isArray(messages) && isLangChainMessage(messages.at(-1)))
  );
}

/** A value and its place: `items[0].tags`. */
export type LostValue = { value: unknown; path: string };

/** The first value inside that JSON cannot hold. Reads objects of other classes field by field, as JSON does. */
export function findLost(answer: object): LostValue | undefined {
  if (hasJson(answer)) return undefined;
  const seen = new Set<object>([answer]);
  const open: { value: object; path: string }[] = [{ value: answer, path: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: holder, path: place } = next;
    const isList = Array.isArray(holder);
    for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
      const isObject = typeof value === 'object' && value !== null;
      if (isObject ? seen.has(value) : !isLostIn(holder, value)) continue;
      const path = isList ? `${place}[${key}]` : `${place}.${key}`;
      if (!isObject || isLost(value)) return { value, path: path.replace(/^\./, '') };
      seen.add(value);
      if (!hasJson(value)) open.push({ value, path });
    }
  }
  return undefined;
}

/** Functions of objects of a class are methods. */
function isLostIn(holder: object, value: unknown): boolean {
  return isLostScalar(value) && (typeof value !== 'function' || isPlain(holder));
}

function isLost(value: object): boolean {
  if (isPlain(value)) return false;
  // JSON writes an invalid date as null.
  if (value instanceof Date && Number.isNaN(value.getTime())) return true;
  // Bytes, errors and objects of LangChain say how they are written, but not in a form that can be judged.
  if (ArrayBuffer.isView(value) || 'lc_serializable' in value) return true;
  if (Object.prototype.toString.call(value) === '[object Error]') return true;
  return !hasJson(value) && Object.keys(value).length === 0;
}

/** True if the object says itself how it is written as JSON: a Date, a URL. */
function hasJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
