// Numbers that lose digits when JSON is read: two of them can be equal here and different in the text.

/**
 * True if values are equal and this is certain. Throws if they are equal, but `expected` has a whole number beyond 2^53: its last digits, and
 * those of the answer, are lost.
 */
export function isCertainlyEqual(isEqual: boolean, expected: unknown): boolean {
  if (isEqual) refuseRounded(expected);
  return isEqual;
}

/** Throws if a value is or has a whole number beyond 2^53. */
export function refuseRounded(value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) refuseRounded(part);
    return;
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return;
  throw new Error(
    `whether the answer has the number ${BigInt(value)} cannot be told: JSON numbers beyond 2^53 lose their last digits. Let the agent answer with a text, or search the text of the answer with "regex"`,
  );
}
