import { expect, test } from 'vitest';
import { checkValue, parseValue, valueText } from './values.ts';

test.each([
  ['string', 'a=b', 'a=b'],
  ['string', '', ''],
  ['string', '12', '12'],
  ['number', '0.7', 0.7],
  ['number', '-1e3', -1000],
  ['number', ' 5 ', 5],
  ['boolean', 'true', true],
  ['boolean', 'YES', true],
  ['boolean', '1', true],
  ['boolean', 'no', false],
  ['boolean', '0', false],
  ['boolean', 'False', false],
  ['date', '2026-01-31', new Date('2026-01-31T00:00:00Z')],
  ['date', '2026-01-31T12:30:00+02:00', new Date('2026-01-31T10:30:00Z')],
] as const)('%s reads %j', (type, text, value) => {
  expect(parseValue(text, type)).toEqual({ value });
});

test.each([
  ['number', '', 'expected a number, got ""'],
  ['number', 'warm', 'expected a number, got "warm"'],
  ['number', 'Infinity', 'expected a number, got "Infinity"'],
  ['boolean', 'maybe', 'expected true or false, got "maybe"'],
  ['boolean', '', 'expected true or false, got ""'],
  ['date', '31.1.2026', 'expected a date like 2026-01-31 or 2026-01-31T12:00:00Z, got "31.1.2026"'],
  ['date', '2026-02-30', 'expected a date like 2026-01-31 or 2026-01-31T12:00:00Z, got "2026-02-30"'],
  ['date', '2026-13-01', 'expected a date like 2026-01-31 or 2026-01-31T12:00:00Z, got "2026-13-01"'],
] as const)('%s refuses the text %j', (type, text, problem) => {
  expect(parseValue(text, type)).toEqual({ problem });
});

test.each([
  ['string', 1],
  ['string', null],
  ['number', '1'],
  ['number', Number.NaN],
  ['number', Number.POSITIVE_INFINITY],
  ['boolean', 'true'],
  ['boolean', 0],
  ['date', 20260131],
  ['date', new Date('never')],
] as const)('a %s of a file is not %j', (type, value) => {
  expect(checkValue(value, type)).toEqual({ problem: expect.stringMatching(/^expected /) });
});

test('values as people write them', () => {
  const day = new Date('2026-01-31');
  const time = new Date('2026-01-31T10:30:00Z');
  expect([0.5, true, 'x', day, time].map((value) => valueText(value))).toEqual([
    '0.5',
    'true',
    'x',
    '2026-01-31',
    '2026-01-31T10:30:00.000Z',
  ]);
});
