import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

test('looks at the text of the answer', () => {
  const passed = { type: 'regex', status: 'passed' };
  expect(verdictOn('call 555-1234', { type: 'regex', value: '\\d{3}-\\d{4}' })).toEqual(passed);
  expect(verdictOn('HELLO', { type: 'regex', value: '(?i)^hello$' })).toEqual(passed);
  expect(verdictOn({ a: [1] }, { type: 'regex', value: '^\\{"a":\\[1\\]\\}$' })).toEqual(passed);
  expect(verdictOn('none', { type: 'regex', value: '\\d' })).toEqual({
    type: 'regex',
    status: 'failed',
    message: 'the answer does not match \\d',
    expected: '\\d',
    actual: 'none',
  });
});

test('a hostile pattern is judged in no time', () => {
  const started = performance.now();
  expect(verdictOn('a'.repeat(100_000), { type: 'regex', value: '(a+)+$' }).status).toBe('passed');
  expect(verdictOn(`${'a'.repeat(100_000)}!`, { type: 'regex', value: '(a+)+$' }).status).toBe('failed');
  expect(performance.now() - started).toBeLessThan(3000);
});
