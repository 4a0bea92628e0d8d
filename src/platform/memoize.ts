/**
 * Caches the latest `size` results of a function; errors are not cached.
 * @example const compile = memoize(compileSlowly, { size: 500 })
 */
export function memoize<Key, Value>(
  compute: (key: Key) => Value,
  { size }: { size: number },
): (key: Key) => Value {
  const known = new Map<Key, { value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = compute(key);
    for (const oldest of known.keys()) {
      if (known.size < size) break;
      known.delete(oldest);
    }
    known.set(key, { value });
    return value;
  };
}
