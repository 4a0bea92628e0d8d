import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJson } from './json-in-text.ts';

test.each<[string, string, unknown]>([
  ['bare object', ' {"a": 1}\n', { a: 1 }],
  ['bare array', '[1, 2]', [1, 2]],
  ['bare string', '"hello"', 'hello'],
  ['bare number', '-1.5e3', -1500],
  ['bare word', 'null', null],
  ['marked block', 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['marked block in capitals', '```JSON\n[1]\n```', [1]],
  ['marked block on one line', 'It is ```json {"a": 1}``` then.', { a: 1 }],
  ['marked block with a number', '```json\n42\n```', 42],
  ['block without a mark', '```\n{"a": 1}\n```', { a: 1 }],
  ['marked before unmarked', '```\n{"a": 1}\n```\n```json\n{"b": 2}\n```', { b: 2 }],
  ['second block', '```js\nlet x\n```\n```\n{"b": 2}\n```', { b: 2 }],
  ['indented block', '- item\n  ```json\n  {"a": 1}\n  ```', { a: 1 }],
  ['block with Windows line ends', '```json\r\n{"a": 1}\r\n```\r\n', { a: 1 }],
  ['fences inside a string', '```json\n{"md": "```js```"}\n```', { md: '```js```' }],
  ['block that is never closed', '```json\n{"a": 1}', { a: 1 }],
  ['inside prose', 'Sure! {"a": {"b": [1]}} Anything else?', { a: { b: [1] } }],
  ['array inside prose', 'They are ["x", "y"], I think.', ['x', 'y']],
  ['after braces that are none', 'Use {name} or {{x}} like {"a": 1}', { a: 1 }],
  ['inside brackets of prose', '[see {"a": 1}]', { a: 1 }],
  ['inside an unfinished list', '[{"a": 1}, …]', { a: 1 }],
  ['the outermost inside an unfinished list', '[{"a": {"b": [1]}}, …]', { a: { b: [1] } }],
  ['braces inside strings', 'x {"a": "}{\\"]"} y', { a: '}{"]' }],
  ['after a broken string', 'a ["text {"a": 1}', { a: 1 }],
  ['unicode', 'so: {"größe": "😀\\u00e9"} ✓', { größe: '😀é' }],
  ['not a number in a block of code', '```\n42\n```\n{"a": 1}', { a: 1 }],
])('finds JSON: %s', (_name, text, value) => {
  expect(findJson(text)).toEqual({ value });
});

test.each([
  ['nothing', ''],
  ['prose', 'The answer is 42.'],
  ['a number in prose', 'about 1.5e3'],
  ['single quotes', "{'a': 1}"],
  ['trailing comma', '{"a": 1,}'],
  ['a leading zero', '{"a": 01}'],
  ['cut off', '{"a": {"b": 1'],
  ['a raw line break in a string', '{"a": "x\ny"}'],
  ['a bad escape', '{"a": "\\x"}'],
  ['a key without a value', '{"a"}'],
])('finds none: %s', (_name, text) => {
  expect(findJson(text)).toBeUndefined();
});

test('JSON embedded in prose is found', () => {
  // Prose may hold anything but braces, brackets and fences, which could be JSON themselves.
  const prose = fc.string({ unit: 'binary' }).map((text) => text.replace(/[[\]{}`]/g, ''));
  const container = fc.jsonValue().filter((value) => typeof value === 'object' && value !== null);
  const indent = fc.constantFrom(0, 2);
  fc.assert(
    fc.property(prose, container, indent, prose, (before, value, spaces, after) => {
      const json = JSON.stringify(value, undefined, spaces);
      const expected = { value: JSON.parse(json) as unknown };
      expect(findJson(`${before}x${json}x${after}`)).toEqual(expected);
      expect(findJson(`${before}\n\`\`\`json\n${json}\n\`\`\`\n${after}`)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('what is found is a part of the text, whatever the text', () => {
  const soup = fc.array(
    fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', 'a', '\\', ' ', '\n', '```', 'null'),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(soup, (pieces) => {
      const text = pieces.join('');
      expect(findJson(text)).toEqual(firstByTrying(text));
    }),
    { numRuns: 3000 },
  );
});

test('hostile texts take linear time', () => {
  const pieces = [
    '{',
    '[',
    '[ ',
    '[1,',
    '{"a":',
    '{"a',
    '["',
    '["[',
    '["\\"[',
    '"{',
    '`',
    '```\nx',
    '```a\nb',
    '{"\\',
  ];
  for (const piece of pieces) {
    const started = performance.now();
    expect(findJson(piece.repeat(Math.ceil(1e6 / piece.length)))).toBeUndefined();
    expect({ piece, tooSlow: performance.now() - started > 3000 }).toEqual({ piece, tooSlow: false });
  }
  expect(findJson(`${'['.repeat(1e6)} {"a": 1}`)).toEqual({ value: { a: 1 } });
  expect(findJson(`${'['.repeat(1e6)} so {"a": 1}`)).toEqual({ value: { a: 1 } });
});

/** The slow and obvious way, for texts without blocks; with blocks only what is found inside them may differ. */
function firstByTrying(text: string): { value: unknown } | undefined {
  if (text.includes('```')) return findJson(text);
  const whole = tryParse(text.trim());
  if (whole !== undefined) return whole;
  for (let start = 0; start < text.length; start++) {
    if (text[start] !== '{' && text[start] !== '[') continue;
    for (let end = start + 2; end <= text.length; end++) {
      const found = tryParse(text.slice(start, end));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
