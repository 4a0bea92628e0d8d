/**
 * Runs asynchronous work once per key. While it runs, all callers get the same promise; later they get the
 * result itself, without a microtask. Failures are not cached.
 */
export function memoizeAsync<Key, Value extends object>(
  work: (key: Key) => Promise<Value>,
): (key: Key) => Value | Promise<Value> {
  const known = new Map<Key, Value | Promise<Value>>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const working = work(key).then(
      (value) => {
        known.set(key, value);
        return value;
      },
      (error: unknown) => {
        known.delete(key);
        throw error;
      },
    );
    known.set(key, working);
    return working;
  };
}
