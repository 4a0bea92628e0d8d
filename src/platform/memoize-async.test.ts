import { expect, test } from 'vitest';
import { memoizeAsync } from './memoize-async.ts';

test('does the work once for a key, and then has the result at once', async () => {
  const done: string[] = [];
  const find = memoizeAsync(async (key: string) => {
    done.push(key);
    return Promise.resolve({ key });
  });
  const [first, second] = [find('a'), find('a')];
  expect(first).toBe(second);
  expect(await first).toEqual({ key: 'a' });
  expect(find('a')).toEqual({ key: 'a' });
  expect(await find('b')).toEqual({ key: 'b' });
  expect(done).toEqual(['a', 'b']);
});

test('what failed is done again', async () => {
  let tries = 0;
  const find = memoizeAsync(async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return Promise.resolve({ tries });
  });
  await expect(find(undefined)).rejects.toThrow('not yet');
  expect(await find(undefined)).toEqual({ tries: 2 });
});
