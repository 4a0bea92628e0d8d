// Copies of plain JSON for code that may change what it is given.

/** A copy that shares nothing with the original but values that cannot be changed. Most objects are flat, which is quick. */
export function ownCopy<T extends object>(value: T): T {
  return isFlat(value) ? { ...value } : structuredClone(value);
}

/** True if none of its values is an object or a list. */
export function isFlat(value: object): boolean {
  return Object.values(value).every((field) => typeof field !== 'object' || field === null);
}
