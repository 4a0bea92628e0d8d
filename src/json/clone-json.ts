// Copies of plain JSON for code that may change its arguments.

/** Copies a JSON object deeply. Most objects are flat, and a shallow copy of those is quick. */
export function cloneJson<T extends object>(value: T): T {
  return isFlat(value) ? { ...value } : structuredClone(value);
}

/** True if no value of the object is an object or a list. */
export function isFlat(value: object): boolean {
  return Object.values(value).every((field) => typeof field !== 'object' || field === null);
}
