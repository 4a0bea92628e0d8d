import { expect, test } from 'vitest';
import { findComparing, usesExpected } from './expected.ts';

test('the preset factual without a value compares with expected of the case', () => {
  const factual = { type: 'agent', preset: 'factual', use: 'agents:judge' };
  expect(findComparing(factual)).toBe('factual');
  expect(
    findComparing([
      { type: 'contains', value: 'x' },
      { type: 'any_of', value: [factual] },
    ]),
  ).toBe('factual');
  expect(findComparing({ ...factual, value: 'Paris' })).toBe(undefined);
  expect(findComparing({ type: 'agent', preset: 'relevant', use: 'agents:judge' })).toBe(undefined);
  expect(findComparing({ type: 'rouge' })).toBe('rouge');
});

test('similar with a value does not use expected, a judge may', () => {
  expect(usesExpected({ type: 'similar', value: 'x' })).toBe(false);
  expect(usesExpected([{ type: 'similar' }])).toBe(true);
  expect(usesExpected({ type: 'agent', value: 'polite', use: 'agents:judge' })).toBe(true);
});
