import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredRun } from '../history/store/store.ts';
import { createLiveness } from './liveness.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const MINUTE_MS = 60_000;

function run(startedAgoMs: number, finished_at: string | null = null): StoredRun {
  // A cast, because nothing else of a run is looked at.
  return { run_id: 'a', started_at: new Date(NOW - startedAgoMs).toISOString(), finished_at } as StoredRun;
}

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const nothing = { started: () => [], lastActivity: () => undefined };

test('a run that has just begun is alive, one that began long ago is not', () => {
  expect(createLiveness(nothing)(run(1000), 0)).toBe(true);
  expect(createLiveness(nothing)(run(2 * MINUTE_MS), 7)).toBe(false);
  expect(createLiveness(nothing)(run(1000, '2026-01-01T12:00:00Z'), 7)).toBe(false);
});

test('results that come are a sign of life, for a minute', () => {
  const isLive = createLiveness(nothing);
  const old = run(10 * MINUTE_MS);
  expect(isLive(old, 7)).toBe(false);
  expect(isLive(old, 8)).toBe(true);
  vi.setSystemTime(NOW + MINUTE_MS - 1);
  expect(isLive(old, 8)).toBe(true);
  vi.setSystemTime(NOW + MINUTE_MS);
  expect(isLive(old, 8)).toBe(false);
});

test('so is a log that was written a moment ago, and a process that was started here', () => {
  const old = run(10 * MINUTE_MS);
  expect(createLiveness({ ...nothing, lastActivity: () => NOW - 1000 })(old, 7)).toBe(true);
  expect(createLiveness({ ...nothing, started: () => ['a'] })(old, 7)).toBe(true);
});

test('a clock that is ahead keeps nothing alive for longer', () => {
  const isLive = createLiveness(nothing);
  const ahead = run(-60 * MINUTE_MS);
  expect(isLive(ahead, 0)).toBe(true);
  vi.setSystemTime(NOW + MINUTE_MS);
  expect(isLive(ahead, 0)).toBe(false);
});
