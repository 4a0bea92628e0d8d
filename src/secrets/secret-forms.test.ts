// A secret is masked however it is written and wherever it is cut, in time that grows with the text only.

import { expect, test } from 'vitest';
import { smallestGrowth } from '../../test/growth.ts';
import { createRedactor } from './redact.ts';

const KEY = 'sk-Live/9f8E7d6c+5B4a';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['base64', base64(KEY), '***'],
  ['base64 after one character', base64(`u${KEY}`), 'dX***Q=='],
  ['base64 after two characters', base64(`ab${KEY}`), 'YWJ***E='],
  ['base64 amid other text', base64(`abc${KEY} and so on`), 'YWJj***IGFuZCBzbyBvbg=='],
  ['Basic', `Basic ${base64(`user:${KEY}`)}`, 'Basic dXNlcjp***E='],
  ['base64url', Buffer.from(`??${KEY}>>`).toString('base64url'), 'Pz9***E-Pg'],
  ['wrapped base64', base64(KEY).replace(/(.{12})/, '$1\r\n'), '***'],
  ['hex', Buffer.from(KEY).toString('hex'), '***'],
  ['hex in capitals', Buffer.from(KEY).toString('hex').toUpperCase(), '***'],
  ['percent-encoded', encodeURIComponent(KEY), '***'],
  ['percent-encoded in lower case', encodeURIComponent(KEY).toLowerCase(), '***'],
  ['every byte percent-encoded', Buffer.from(KEY).toString('hex').replaceAll(/../g, '%$&'), '***'],
  ['lower case', KEY.toLowerCase(), '***'],
  ['upper case', KEY.toUpperCase(), '***'],
  ['JSON with escaped slashes', KEY.replaceAll('/', '\\/'), '***'],
  ['JSON with code points', KEY.replaceAll('-', '\\u002D'), '***'],
  ['JSON in JSON', JSON.stringify(JSON.stringify(KEY.replaceAll('/', '\\/'))), '"\\"***\\""'],
  ['two lines', `${KEY.slice(0, 9)}\n${KEY.slice(9)}`, '***'],
  ['indented lines', `${KEY.slice(0, 5)}\n    ${KEY.slice(5, 9)}\r\n\t${KEY.slice(9)}`, '***'],
  ['lines with spaces at their ends', `${KEY.slice(0, 9)}  \n ${KEY.slice(9)}`, '***'],
  ['a folded header', `Basic ${base64(`user:${KEY}`).replaceAll(/.{10}/g, '$&\r\n ')}`, 'Basic dXNlcjp***E='],
  ['a block of YAML', `|\n  ${base64(KEY).replaceAll(/.{12}/g, '$&\n  ')}`, '|\n  ***'],
  ['indented lines in JSON', JSON.stringify(`${KEY.slice(0, 9)}\n  ${KEY.slice(9)}`), '"***"'],
  ['percent-encoded lines', `${KEY.slice(0, 5)}%0A${KEY.slice(5, 9)}%0d%0A%20%20${KEY.slice(9)}`, '***'],
  ['continued lines', `${KEY.slice(0, 9)}\\\n  ${KEY.slice(9)}`, '***'],
])('masks %s', (_form, written, shown) => {
  expect(createRedactor([KEY]).text(`before ${written} after`)).toBe(`before ${shown} after`);
});

test('leaves what only looks like a secret', () => {
  const { text } = createRedactor([KEY, 'short']);
  for (const plain of [
    'short',
    'sk-Live',
    base64('sk-Live/9f8E and more'),
    'sk-Live/9f8E7d6c+5B4 and more',
    'aGVsbG8=',
  ])
    expect(text(plain)).toBe(plain);
});

test('masks a key in pieces: log lines, events of a stream, events as text, parts of a message', () => {
  const pieces = ['sk-L', 'ive/9f8', 'E7d6c+5B4a ok'];
  const event = (content: string): object => ({
    choices: [{ delta: { content }, logprobs: content.length }],
  });
  const spaced = (content: string): string => `data: {"choices": [{"delta": {"content": "${content}"}}]}`;
  const { redact, data } = createRedactor([KEY]);
  expect(redact({ logs: ['start', ...pieces] })).toEqual({ logs: ['start', '***', '***', '*** ok'] });
  expect(data(pieces.map(event), { mask: '#', rest: '' })).toEqual(
    ['#', '', ' ok'].map(event).map((shown, index) => ({
      choices: [{ ...Object(Reflect.get(shown, 'choices')[0]), logprobs: pieces[index]?.length }],
    })),
  );
  expect(data(pieces.map(spaced), { mask: '#', rest: '' })).toEqual(['#', '', ' ok'].map(spaced));
  expect(data(pieces.map(spaced).join('\n\n'))).toBe(['***', '***', '*** ok'].map(spaced).join('\n\n'));
  const parts = (texts: string[]): object => ({ output: texts.map((text) => ({ type: 'text', text })) });
  expect(redact(parts(pieces))).toEqual(parts(['***', '***', '*** ok']));
});

test('does not overflow the stack on nested values', () => {
  let value: unknown = KEY;
  for (let depth = 0; depth < 100_000; depth += 1) value = depth % 2 === 0 ? [value] : { value };
  let masked: unknown = createRedactor([KEY]).data(value);
  while (typeof masked === 'object' && masked !== null) masked = Object.values(masked)[0];
  expect(masked).toBe('***');
});

test('two fields whose names hold secrets stay two fields', () => {
  expect(createRedactor(['12345678']).data({ a12345678: 1, b: 2, 'a12345678 ': 3, __proto__x: 4 })).toEqual({
    'a***': 1,
    b: 2,
    'a*** ': 3,
    __proto__x: 4,
  });
  expect(createRedactor(['12345678', '87654321']).data({ 12345678: 1, 87654321: 2 })).toEqual({
    '***': 1,
    '****': 2,
  });
});

const near = 'sk-Live/9f8E7d6c+5B4';
const HOSTILE: [string, (size: number) => unknown][] = [
  ['near misses', (size) => near.repeat(size / near.length)],
  ['shortened keys', (size) => 'sk-Live/9f8E…'.repeat(size / 13)],
  ['shortened keys in a list', (size) => Array.from({ length: size / 13 }, () => 'sk-Live/9f8E')],
  ['the key', (size) => `${KEY} `.repeat(size / 22)],
  ['backslashes', (size) => '\\'.repeat(size)],
  ['percent signs', (size) => '%73%6B'.repeat(size / 6)],
  ['open JSON', (size) => '{"'.repeat(size / 2)],
  ['escaped quotes', (size) => `{"${'\\"'.repeat(size / 2)}`],
  ['ellipses', (size) => '…'.repeat(size)],
  ['spaces', (size) => `sk-Live/9${' '.repeat(size)}`],
  ['spaces after a line', (size) => `sk-Live/9\n${' '.repeat(size)}`],
  ['indented lines', (size) => 'sk-Live/9\n '.repeat(size / 11)],
  ['lines of spaces', (size) => '  \n\t'.repeat(size / 4)],
];
test.each(HOSTILE)('takes linear time for %s', async (_name, build) => {
  const { data } = createRedactor([
    KEY,
    ...Array.from({ length: 50 }, (_, at) => `sk-Live/${at}-0123456789`),
  ]);
  const work = (size: number): (() => unknown) => {
    const value = build(size);
    return () => data(value);
  };
  // Quadratic work would take 16 times as long.
  const growth = await smallestGrowth(work, { small: 200_000, large: 800_000, floorUs: 2000 });
  expect(growth).toBeLessThan(10);
});

test('learning a thousand secrets one by one costs little more than all at once', () => {
  const secrets = Array.from({ length: 1000 }, (_, at) => `token-${at}-abcdefghijklmnop`);
  const redactor = createRedactor([]);
  for (const secret of secrets) {
    redactor.learn([secret]);
    expect(redactor.text(`a ${secret}`)).toBe('a ***');
  }
  expect(redactor.text(secrets.join(' '))).toBe(secrets.map(() => '***').join(' '));
});

test.each([
  ['wrapped over lines', 'sk-Live9aQ7Z\nx3Tq8vWm2Lp', '+ sk-Live9aQ7Z\n+ x3Tq8vWm2Lp'],
  ['in a list', ['sk-Live9aQ7Z', 'x3Tq8vWm2Lp'], '+ [\n+   "sk-Live9aQ7Z",\n+   "x3Tq8vWm2Lp"\n+ ]'],
])('a diff does not show a key that is %s', (_, output, lines) => {
  const { redact } = createRedactor(['sk-Live9aQ7Zx3Tq8vWm2Lp']);
  const diff = `- expected\n+ actual\n\n- x\n${lines}`;
  const verdict = { type: 'equals', status: 'failed', expected: 'x', actual: output, diff };
  const event = { type: 'result', output, verdicts: [verdict, { ...verdict, actual: 'cut' }] };
  const masked = redact(event);
  expect(masked.verdicts.map((one) => one.diff)).toEqual([
    'left out: the values hold a secret',
    'left out: the values hold a secret',
  ]);
  expect(event.verdicts[0]?.diff).toBe(diff);
});

test('a diff of values without a secret stays', () => {
  const { redact } = createRedactor(['sk-Live9aQ7Zx3Tq8vWm2Lp']);
  const verdict = { type: 'equals', status: 'failed', expected: 'x', actual: 'y', diff: '- x\n+ y' };
  const event = { type: 'result', error: 'sk-Live9aQ7Zx3Tq8vWm2Lp', output: 'y', verdicts: [verdict] };
  expect(redact(event)).toEqual({ ...event, error: '***' });
});

test('a secret with spaces is found, wrapped or not, and too much space ends it', () => {
  const { text } = createRedactor(['correct horse battery', 'first line\n  second line']);
  expect(text('a correct horse battery b')).toBe('a *** b');
  expect(text('a correct hor\n  se battery b')).toBe('a *** b');
  expect(text('a correct horse\n battery b')).toBe('a *** b');
  expect(text('a first line\n  second line b')).toBe('a *** b');
  const far = `correct hor\n${' '.repeat(300)}se battery`;
  expect(text(far)).toBe(far);
});
