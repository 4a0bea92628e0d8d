import { expect, test } from 'vitest';
import { progressLine } from './progress.ts';
import { createStyle } from './style.ts';

const style = createStyle({ color: false, unicode: false });
const progress = {
  done: 0,
  kept: 0,
  total: 4,
  passed: 0,
  failed: 0,
  unmeasured: 0,
  running: 2,
  elapsedMs: 0,
  isStopping: false,
};

test.each([
  ['at the start', {}, '0/4  0 passed  2 running'],
  ['before the first result', { elapsedMs: 65_400 }, '0/4  0 passed  2 running  1m5s elapsed'],
  ['after the first result', { elapsedMs: 2000, done: 1, passed: 1 }, '1/4  1 passed  2 running  ETA 6s'],
  [
    'two kinds of trouble',
    { failed: 1, unmeasured: 2 },
    '0/4  0 passed  1 failed  2 not measured  2 running',
  ],
  ['taken up again', { elapsedMs: 2000, done: 1, kept: 1 }, '1/4  0 passed  2 running  2s elapsed'],
  ['stopping', { elapsedMs: 2000, done: 2, isStopping: true }, '2/4  0 passed  2 running  2s elapsed'],
])('%s', (_, fields, text) => {
  expect(progressLine({ ...progress, ...fields }, 100, style).replace(/^[#.]+ /, '')).toBe(text);
});
