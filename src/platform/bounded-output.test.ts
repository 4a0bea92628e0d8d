import { expect, test } from 'vitest';
import { BoundedOutput, formatBytes } from './bounded-output.ts';

function collect(limit: number, ...chunks: string[]) {
  const output = new BoundedOutput(limit);
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  return { text: output.text(), length: output.length, truncated: output.truncated };
}

test('keeps everything up to the limit, however it is cut', () => {
  expect(collect(10)).toEqual({ text: '', length: 0, truncated: false });
  expect(collect(10, 'abc', '', 'defg')).toEqual({ text: 'abcdefg', length: 7, truncated: false });
  expect(collect(10, '0123456789')).toEqual({ text: '0123456789', length: 10, truncated: false });
  expect(collect(8, 'ä€', 'ä')).toEqual({ text: 'ä€ä', length: 7, truncated: false });
});

test('keeps head and tail beyond the limit and says what is missing', () => {
  const expected = { text: '01234\n… [16 bytes, 6 left out] …\nbcdef', length: 16, truncated: true };
  expect(collect(10, '0123456789abcdef')).toEqual(expected);
  expect(collect(10, ...'0123456789abcdef'.split(''))).toEqual(expected);
  expect(collect(10, '0123', '456789abc', 'def')).toEqual(expected);
});

test('tears no character apart', () => {
  expect(collect(10, '€'.repeat(1000))).toEqual({
    text: '€\n… [3,000 bytes, 2,994 left out] …\n€',
    length: 3000,
    truncated: true,
  });
});

test('takes 1 GB in flat memory', () => {
  const output = new BoundedOutput();
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const before = process.memoryUsage().rss;
  for (let pushed = 0; pushed < 1024 ** 3; pushed += chunk.length) output.push(chunk);
  expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024);
  expect(output.text()).toContain('\n… [1,073,741,824 bytes, 1,063,256,064 left out] …\n');
  expect(output.text().length).toBeLessThan(10 * 1024 * 1024 + 100);
});

test('names sizes', () => {
  expect([0, 1023, 1024, 10 * 1024 ** 2, 1024 ** 3].map(formatBytes)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1.0 kB',
    '10.0 MB',
    '1.0 GB',
  ]);
});

test('lines are about as long as the limit, also as JSON', () => {
  const short = new BoundedOutput(100);
  short.push(Buffer.from('one\r\ntwo\n'));
  expect([short.lines(), new BoundedOutput(100).lines()]).toEqual([['one', 'two'], []]);
  const output = new BoundedOutput(60_000);
  output.push(Buffer.alloc(1_000_000));
  const [head = '', note, tail = ''] = output.lines();
  const left = (1_000_000 - head.length - tail.length).toLocaleString('en-US');
  expect(note).toBe(`… [1,000,000 bytes, ${left} left out] …`);
  expect(JSON.stringify([head, tail]).length).toBeGreaterThan(50_000);
  expect(JSON.stringify([head, tail]).length).toBeLessThan(61_000);
});
