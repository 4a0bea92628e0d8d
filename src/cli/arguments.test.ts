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

test('what may be said with test before it is a command of its own', () => {
  expect(normaliseArguments(['test', 'run', 'greeting', '-run', 'A'])).toEqual([
    'run',
    'greeting',
    '--run',
    'A',
  ]);
  expect(normaliseArguments(['test', 'suite', 'nightly'])).toEqual(['suite', 'nightly']);
  expect(normaliseArguments(['test', 'list'])).toEqual(['list']);
  expect(normaliseArguments(['test', '-i', 'run'])).toEqual(['test', '-i', 'run']);
  expect(normaliseArguments(['skills', 'list'])).toEqual(['skills', 'list']);
});
