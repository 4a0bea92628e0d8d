// What a hook around cases returned: data for the hook after them, and mocks.

import { isObject } from '../json/is-object.ts';
import type { Mocks } from './context/mocks.ts';

const FIELDS = ['data', 'mocks'];

/** `{data, mocks}` is taken apart; any other value is the data itself. Throws if the mocks are no object. */
export function readHookResult(value: unknown): { data: unknown; mocks?: Mocks } {
  const names = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || names.length === 0 || !names.every((name) => FIELDS.includes(name)))
    return { data: value };
  const { data, mocks } = value;
  if (mocks === undefined || mocks === null) return { data };
  if (!isObject(mocks)) throw new TypeError('its mocks are not an object of names and answers');
  return { data, mocks };
}
