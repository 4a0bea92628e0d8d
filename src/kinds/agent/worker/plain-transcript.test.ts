import { expect, test } from 'vitest';
import { plainTranscript } from './plain-transcript.ts';

const MEGABYTE = 1024 * 1024;

test('logs are no part of the answer: too many are cut in the middle', () => {
  const line = 'x'.repeat(MEGABYTE - 1);
  const logs = ['first', ...Array.from({ length: 12 }, () => line), 'last'];
  const { output, logs: kept = [] } = plainTranscript({ output: 'fine', logs });
  expect(output).toBe('fine');
  expect([kept[0], kept.at(-1)]).toEqual(['first', 'last']);
  expect(kept.filter((text) => text.includes('left out'))).toEqual([
    '… [12,582,923 bytes, 2,097,163 left out] …',
  ]);
  expect(kept.join('\n').length).toBeLessThan(10 * MEGABYTE + 100);
});

test('what is too long to be judged is named', () => {
  const content = 'x'.repeat(11 * MEGABYTE);
  const half = 'x'.repeat(6 * MEGABYTE);
  const limit = 'at most 10 MB can be judged';
  expect(() => plainTranscript({ output: content })).toThrow(`the answer is 11.0 MB long; ${limit}`);
  expect(() => plainTranscript({ output: { content }, tool_calls: [] })).toThrow(
    `the answer is 11.0 MB long; ${limit}`,
  );
  const messages = [{ role: 'assistant', content }];
  expect(() => plainTranscript({ output: 'fine', messages })).toThrow(
    `the messages of the answer are 11.0 MB long; ${limit}`,
  );
  const tool_calls = [{ name: 'look' }, { name: 'fetch', result: content }];
  expect(() => plainTranscript({ output: 'fine', tool_calls })).toThrow(
    `the tool calls of the answer are 11.0 MB long (the longest is "fetch" with 11.0 MB); ${limit}`,
  );
  expect(() => plainTranscript({ output: half, tool_calls: [{ name: 'fetch', result: half }] })).toThrow(
    `the answer with its tool calls and messages is 12.0 MB long; ${limit}`,
  );
});

test('an answer that is nested too deeply is not judged', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect(plainTranscript({ output: nested(500) })).toEqual({ output: nested(500) });
  const problem = 'the answer is nested deeper than 500 levels';
  expect(() => plainTranscript({ output: nested(501) })).toThrow(problem);
});

test('half a character in an answer is replaced', () => {
  expect(plainTranscript({ output: 'a\uD83Db' }).output).toBe('a\uFFFDb');
  expect(plainTranscript({ output: { '\uDE00': ['\uD83D', '😀', '\\ud83d'] } }).output).toEqual({
    '\uFFFD': ['\uFFFD', '😀', '\\ud83d'],
  });
});
