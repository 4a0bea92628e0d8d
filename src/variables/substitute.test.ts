import { expect, test } from 'vitest';
import { substitute } from './substitute.ts';

const values = { Language: 'de', Temperature: 0.7, IsFormal: false, Braces: '{{Language}} $& \\{{', Zero: 0 };
const strict = { values, isStrict: true };
const lenient = { values, isStrict: false };

test.each([
  ['no names', 'no names'],
  ['Say it in {{Language}}.', 'Say it in de.'],
  ['{{ Language }}/{{Language}}', 'de/de'],
  ['{{Temperature}}', 0.7],
  ['{{ IsFormal }}', false],
  ['{{Zero}}', 0],
  [' {{Zero}}', ' 0'],
  ['at {{Temperature}}, formal: {{IsFormal}}', 'at 0.7, formal: false'],
  ['{"a":{{Zero}}}', '{"a":0}'],
  ['{{Braces}}!', '{{Language}} $& \\{{!'],
  ['{{Braces}}', '{{Language}} $& \\{{'],
  ['{{a.b}} {{#if}} {{a b}} {{}} {{1a}} {{ä}} {{', '{{a.b}} {{#if}} {{a b}} {{}} {{1a}} {{ä}} {{'],
  ['{Language} {{Language}', '{Language} {{Language}'],
] as const)('%j becomes %j, strictly or not', (text, value) => {
  expect(substitute(text, strict)).toEqual({ value, problems: [] });
  expect(substitute(text, lenient)).toEqual({ value, problems: [] });
});

test.each([
  ['\\{{Language}}', '{{Language}}', '{{Language}}'],
  ['\\{{ Language }} {{Language}}', '{{ Language }} de', '{{ Language }} de'],
  ['\\\\{{Language}}', '\\{{Language}}', '\\{{Language}}'],
  ['\\{{#if}} \\{{', '{{#if}} {{', '\\{{#if}} \\{{'],
  ['\\{{Other}}', '{{Other}}', '\\{{Other}}'],
  ['\\{{messages}} {{messages}}', '{{messages}} {{messages}}', '\\{{messages}} {{messages}}'],
] as const)('%j becomes %j, and %j if not strict', (text, strictly, otherwise) => {
  const skip = new Set(['messages']);
  expect(substitute(text, { ...strict, skip })).toEqual({ value: strictly, problems: [] });
  expect(substitute(text, { ...lenient, skip })).toEqual({ value: otherwise, problems: [] });
});

test('names that belong to somebody else stay, even if they have a value', () => {
  const options = { values: { input: 'x', Language: 'de' }, isStrict: true, skip: new Set(['input']) };
  expect(substitute(['{{input}}', '{{Language}} {{input}}'], options)).toEqual({
    value: ['{{input}}', 'de {{input}}'],
    problems: [],
  });
});

test('all names without a value are told with their places, and stay', () => {
  const value = {
    input: 'Say {{Word}} in {{Language}}, {{Word}} again, {{toString}}',
    assert: [{ value: '{{Limit}}' }, { value: '{{Gone}}' }],
  };
  const options = { values: { ...values, Gone: undefined }, isStrict: true };
  expect(substitute(value, options)).toEqual({
    value: {
      input: 'Say {{Word}} in de, {{Word}} again, {{toString}}',
      assert: [{ value: '{{Limit}}' }, { value: '{{Gone}}' }],
    },
    problems: [
      { name: 'Word', path: ['input'] },
      { name: 'toString', path: ['input'] },
      { name: 'Limit', path: ['assert', 0, 'value'] },
      { name: 'Gone', path: ['assert', 1, 'value'] },
    ],
  });
  expect(substitute(value, { ...options, isStrict: false }).problems).toEqual([]);
});

test('values that are lists or objects stay what they are, and are JSON inside of text', () => {
  const options = { values: { Tags: ['a', 'b'], Nothing: null }, isStrict: true };
  expect(substitute(['{{Tags}}', 'tags: {{Tags}}', '{{Nothing}}', 'no: {{Nothing}}'], options).value).toEqual(
    [['a', 'b'], 'tags: ["a","b"]', null, 'no: null'],
  );
});

test('what has nothing to replace is the same object', () => {
  const untouched = { a: ['x', { b: '{{a.b}}' }], n: 1, none: null };
  const value = { untouched, list: ['{{Language}}', untouched], '{{Language}}': 'key' };
  expect(substitute(untouched, strict).value).toBe(untouched);
  const found = substitute(value, strict).value as typeof value;
  expect(found).toEqual({ untouched, list: ['de', untouched], '{{Language}}': 'key' });
  expect(found.untouched).toBe(untouched);
  expect(found.list[1]).toBe(untouched);
  expect(value.list[0]).toBe('{{Language}}');
});

test('keys of prototypes are keys like others', () => {
  const value: unknown = JSON.parse('{"__proto__": {"admin": "{{Language}}"}, "constructor": "{{Zero}}"}');
  const found = substitute(value, strict).value;
  expect(JSON.stringify(found)).toBe('{"__proto__":{"admin":"de"},"constructor":0}');
  expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  expect(substitute('{{__proto__}} {{constructor}}', strict).problems.map(({ name }) => name)).toEqual([
    '__proto__',
    'constructor',
  ]);
});
