import { expect, test } from 'vitest';
import { ConfigError, RuntimeError } from '../../errors.ts';
import { describeProblem } from './problems.ts';

test('shows every problem of a configuration error with its place and hint', () => {
  const error = ConfigError.of([
    { message: 'unknown assertion "equal"', at: 'cases.jsonl:3', hint: 'did you mean "equals"?' },
    { message: 'missing id', at: 'cases.jsonl:9' },
    { message: 'no agent\u001b[31m' },
  ]);
  expect(describeProblem(error)).toBe(`cases.jsonl:3: unknown assertion "equal"
  hint: did you mean "equals"?
cases.jsonl:9: missing id
no agent\\x1b[31m`);
});

test('shows what a runtime error came from, unless it says so itself', () => {
  const cause = new Error('ENOSPC');
  expect(describeProblem(new RuntimeError('cannot write x', { cause, hint: 'make room' }))).toBe(
    'cannot write x: ENOSPC\n  hint: make room',
  );
  expect(describeProblem(new RuntimeError('cannot write x: ENOSPC', { cause }))).toBe(
    'cannot write x: ENOSPC',
  );
  expect(describeProblem('odd')).toBe('odd');
});

test('keeps the lines of a hint in line', () => {
  const hint = '1 | import x from y\n                 ^';
  expect(describeProblem(new ConfigError('unexpected y', { at: 'agent.ts:1:14', hint })))
    .toBe(`agent.ts:1:14: unexpected y
  hint:
    1 | import x from y
                     ^`);
});

test('problems are bounded, one by one and together', () => {
  const long = describeProblem(new ConfigError('x'.repeat(5000), { at: 'a.yml:1' }));
  expect(long).toBe(`a.yml:1: ${'x'.repeat(4000)} … (5000 characters)`);
  const many = ConfigError.of(Array.from({ length: 100 }, () => ({ message: 'y'.repeat(1000) })));
  const lines = describeProblem(many).split('\n');
  expect(lines).toEqual([...Array.from({ length: 65 }, () => 'y'.repeat(1000)), '35 more problems']);
});
