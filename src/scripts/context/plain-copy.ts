import { messageOf } from '../../errors.ts';

/** A JSON copy of a value that a script passes to a member of the context. Throws an error that names the member. */
export function plainCopy(value: unknown, member: string): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new TypeError(`${member}: the value cannot be written as JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
