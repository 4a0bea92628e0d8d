import { isObject } from '../platform/is-object.ts';

const MASK = '***';

/** Fields that hold nothing but a credential; `key` or `token` alone may be anything. */
const CREDENTIAL =
  /^(?:(?:access|auth|bearer|id|refresh|session)[_-]?token|(?:client|app)[_-]?secret|x?[_-]?api[_-]?key|private[_-]?key|authorization|password|passwd)$/i;

/** A copy without the values of fields that hold credentials. */
export function withoutCredentials(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      CREDENTIAL.test(name) && typeof field === 'string' && field !== '' ? MASK : withoutCredentials(field),
    ]),
  );
}

/** A copy with every text changed, the names of fields included. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [change(name), mapTexts(field, change)]),
  );
}

/** True if the text is the recorded one, in which anything may stand where a secret was. */
export function matchesMasked(text: string, recorded: string): boolean {
  const [first = '', ...rest] = recorded.split(MASK);
  if (rest.length === 0) return text === recorded;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
