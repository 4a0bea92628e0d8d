/**
 * Does asynchronous work once for every key. While it is under way all get the same promise, and from then on the
 * result itself, which costs no tick; what failed is done again the next time.
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
