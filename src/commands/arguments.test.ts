import { expect, test } from 'vitest';
import { normaliseArguments } from './arguments.ts';

test('takes -run as Go does, up to --', () => {
  const args = ['test', '-run', 'A', '-run=B', '-runs', '-r', '-u', '--', '-run'];
  expect(normaliseArguments(args)).toEqual([
    'test',
    '--run',
    'A',
    '--run=B',
    '-runs',
    '-r',
    '-u',
    '--',
    '-run',
  ]);
});
