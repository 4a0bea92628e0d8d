import { expect, test, vi } from 'vitest';
import type { Slot } from './limiter.ts';
import { Limiter } from './limiter.ts';

const never = new AbortController().signal;

/** Calls that note when they are let in. */
function crowd(limiter: Limiter) {
  const entered: string[] = [];
  const enter = (name: string, options: { signal?: AbortSignal; isReturning?: boolean } = {}) => {
    const { signal = never, ...rest } = options;
    return Promise.resolve(limiter.enter(signal, rest)).then((place) => {
      entered.push(name);
      return place;
    });
  };
  return { entered, enter };
}

test('lets as many in as the limit says, the others in the order of their arrival', async () => {
  const limiter = new Limiter(2);
  const { entered, enter } = crowd(limiter);
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => enter(name)));
  const again = enter('again', { isReturning: true });
  await Promise.resolve();
  expect(limiter.state).toEqual({ limit: 2, active: 2, waiting: 4 });
  for (let index = 0; index < 6; index += 1) limiter.leave();
  await Promise.all([all, again]);
  expect(entered).toEqual(['a', 'b', 'again', 'c', 'd', 'e']);
  expect(limiter.state).toEqual({ limit: 2, active: 0, waiting: 0 });
});

test('without a maximum everybody is let in at once', async () => {
  const limiter = new Limiter();
  for (let index = 0; index < 1000; index += 1) await limiter.enter(never);
  expect(limiter.state).toEqual({ limit: Number.POSITIVE_INFINITY, active: 1000, waiting: 0 });
});

test('those who give up take no place', async () => {
  const limiter = new Limiter(1);
  const { entered, enter } = crowd(limiter);
  await enter('first');
  const controller = new AbortController();
  const reason = new Error('too late');
  const abandoned = enter('abandoned', { signal: controller.signal }).catch((error: unknown) => error);
  const next = enter('next');
  controller.abort(reason);
  expect(await abandoned).toBe(reason);
  expect(limiter.state).toEqual({ limit: 1, active: 1, waiting: 1 });
  limiter.leave();
  await next;
  expect(() => limiter.enter(controller.signal)).toThrow(reason);
  limiter.leave();
  expect(entered).toEqual(['first', 'next']);
  expect(limiter.state).toEqual({ limit: 1, active: 0, waiting: 0 });
});

test('halves the limit once for a burst, and grows by one for as many successes as it allows', async () => {
  const limiter = new Limiter(8);
  const places: Slot[] = [];
  for (let index = 0; index < 8; index += 1) places.push(await limiter.enter(never));
  for (const place of places) limiter.slowDown(place, 0);
  expect(limiter.state).toEqual({ limit: 4, active: 0, waiting: 0 });

  const succeed = async (times: number): Promise<number> => {
    for (let index = 0; index < times; index += 1) {
      await limiter.enter(never);
      limiter.succeed();
    }
    return limiter.state.limit;
  };
  expect([await succeed(3), await succeed(1), await succeed(5), await succeed(100)]).toEqual([4, 5, 6, 8]);

  limiter.slowDown(await limiter.enter(never), 0);
  limiter.slowDown(await limiter.enter(never), 0);
  expect(limiter.state).toEqual({ limit: 1, active: 0, waiting: 0 });
});

test('nobody begins before a pause is over', async () => {
  const limiter = new Limiter();
  const { entered, enter } = crowd(limiter);
  const place = await enter('first');
  const before = performance.now();
  limiter.slowDown(place, 50);
  const controller = new AbortController();
  const abandoned = enter('abandoned', { signal: controller.signal }).catch(() => 'gave up');
  const second = enter('second');
  const third = enter('third');
  await Promise.resolve();
  expect(entered).toEqual(['first']);
  controller.abort();
  await second;
  expect(performance.now() - before).toBeGreaterThanOrEqual(50);
  expect(limiter.state).toEqual({ limit: 1, active: 1, waiting: 1 });
  limiter.succeed();
  await third;
  expect([await abandoned, entered]).toEqual(['gave up', ['first', 'second', 'third']]);
});

test('a pause that ends between two looks at the clock keeps nobody out', async () => {
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1));
  try {
    for (let pauseMs = 0.5; pauseMs < 12; pauseMs += 1) {
      const limiter = new Limiter();
      limiter.slowDown(await limiter.enter(never), pauseMs);
      await limiter.enter(never);
      expect(limiter.state).toEqual({ limit: 1, active: 1, waiting: 0 });
    }
  } finally {
    clock.mockRestore();
  }
});

test('a refusal is serious when nobody has been answered, and the more so the longer that lasts', async () => {
  const limiter = new Limiter();
  const refuse = async (): Promise<number> => {
    const place = await limiter.enter(never);
    const severity = limiter.severity(place);
    limiter.slowDown(place, 0);
    return severity;
  };
  const [first, second] = [
    await limiter.enter(never),
    await limiter.enter(never),
    await limiter.enter(never),
  ];
  limiter.slowDown(first, 0);
  const ofTheSameBurst = limiter.severity(second);
  limiter.slowDown(second, 0);
  limiter.leave();
  expect([ofTheSameBurst, await refuse(), await refuse()]).toEqual([0, 1, 2]);

  await limiter.enter(never);
  limiter.succeed();

  const severities: number[] = [];
  for (let index = 0; index < 8; index += 1) severities.push(await refuse());
  expect(severities).toEqual([-6, -5, -4, -3, -2, -1, 0, 1]);
});
