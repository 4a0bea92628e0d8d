/** True for what `await` waits for. `instanceof Promise` misses thenables, and every promise once user code has replaced the global. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  const isAny = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isAny && 'then' in value && typeof value.then === 'function';
}
