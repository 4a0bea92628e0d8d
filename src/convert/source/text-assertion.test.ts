import { expect, test } from 'vitest';
import { assertionFromText, splitList } from './text-assertion.ts';

test.each([
  ['Paris', { type: 'equals', value: 'Paris' }],
  ['contains: Paris', { type: 'contains', value: 'Paris' }],
  ['not-contains:Paris', { type: 'not-contains', value: 'Paris' }],
  ['contains-any: <b>,</span>', { type: 'contains-any', value: ['<b>', '</span>'] }],
  ['similar(0.9): hello', { type: 'similar', value: 'hello', threshold: 0.9 }],
  ['similar: hello', { type: 'similar', value: 'hello', threshold: 0.8 }],
  ['is-json', { type: 'is-json' }],
  ['grade: is polite', { type: 'llm-rubric', value: 'is polite' }],
  ['fn: output.length > 1', { type: 'javascript', value: 'output.length > 1' }],
  ['python: len(output) > 1', { type: 'python', value: 'len(output) > 1' }],
  ['file://check.py:get', { type: 'python', value: 'file://check.py:get' }],
  ['file://check.js', { type: 'javascript', value: 'file://check.js' }],
  ['time: noon', { type: 'equals', value: 'time: noon' }],
])('%s', (cell, assertion) => {
  expect(assertionFromText(cell)).toEqual(assertion);
});

test('a text with a comma is in quotes', () => {
  expect(splitList('"1,000", in stock ,"say ""hi"""')).toEqual(['1,000', 'in stock', 'say "hi"']);
});
