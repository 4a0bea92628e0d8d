import type { Part } from '@a2a-js/sdk';
import { expect, test } from 'vitest';
import { joinParts } from './output.ts';

const part = (content: Part['content']): Part => ({
  content,
  filename: '',
  mediaType: '',
  metadata: undefined,
});
const text = (value: string): Part => part({ $case: 'text', value });
const data = (value: unknown): Part => part({ $case: 'data', value });

test.each<[string, Part[][], unknown]>([
  ['nothing', [], null],
  ['empty groups', [[], [part(undefined)], [text('')]], null],
  ['pieces of one group follow each other', [[text('a'), text('b')]], 'ab'],
  ['groups have lines of their own', [[text('a'), text('b')], [text('c')]], 'ab\nc'],
  ['one piece of data is its value', [[data({ n: 1 })]], { n: 1 }],
  ['empty text beside data does not count', [[text(''), data([1])]], [1]],
  ['several are a list of their values', [[data(1)], [data('two')]], [1, 'two']],
  [
    'text and data are the list of all parts',
    [[text('a'), text('b'), data(1)], [text('c')]],
    [
      { type: 'text', text: 'ab' },
      { type: 'data', data: 1 },
      { type: 'text', text: 'c' },
    ],
  ],
  [
    'files are references',
    [[part({ $case: 'url', value: 'https://example.com/a.png' })]],
    [{ type: 'file', url: 'https://example.com/a.png' }],
  ],
])('%s', (_name, groups, expected) => {
  expect(joinParts(groups)).toEqual(expected);
});
