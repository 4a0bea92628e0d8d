import { messageOf } from '../../errors.ts';
import { parse, stringify } from '../process/intrinsics.ts';

/** The value that user code returned, as plain JSON; undefined for values that JSON cannot express. Throws if it cannot be serialized. */
export function toJsonValue(value: unknown): unknown {
  try {
    // Undefined for a function, although the type does not say so.
    const text = stringify(value) as string | undefined;
    return text === undefined ? undefined : (parse(text) as unknown);
  } catch (cause) {
    throw new Error(`returned something that cannot be written as JSON: ${messageOf(cause)}`, { cause });
  }
}
