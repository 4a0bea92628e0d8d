import { expect, test } from 'vitest';
import { ServerEvents } from './server-events.ts';

function read(...pieces: string[]): string[] {
  const events: string[] = [];
  const lines = new ServerEvents((data) => events.push(data));
  for (const piece of pieces) lines.push(piece);
  lines.end();
  return events;
}

test('reads data in all its forms', () => {
  expect(read('data: a\n\ndata:b\n\n: comment\nevent: x\nid: 1\ndata:  c\n\n\n\n')).toEqual(['a', 'b', ' c']);
  expect(read('data: a\r\n\r\ndata: b\r\rdata: c\n\n')).toEqual(['a', 'b', 'c']);
  expect(read('data: a\ndata: b\n\n')).toEqual(['a\nb']);
  expect(read('data: a\n\ndata: the last without an end')).toEqual(['a', 'the last without an end']);
  expect(read('retry: 1\n\nnothing\n\n')).toEqual([]);
  expect(read('data:\n\ndata: \n\ndata\n\ndata: a\ndata:\n\n')).toEqual(['', '', '', 'a\n']);
  expect(read('', '\uFEFFdata: a\n\n', '\uFEFFdata: b\n\n')).toEqual(['a']);
});

test('puts together what arrives in pieces, wherever it is split', () => {
  const text = ': hi\r\ndata: {"a": 1}\r\n\r\ndata: b\r\ndata: c\r\n\r\ndata: d\n\n';
  const whole = read(text);
  expect(whole).toEqual(['{"a": 1}', 'b\nc', 'd']);
  for (let at = 0; at <= text.length; at += 1) expect(read(text.slice(0, at), text.slice(at))).toEqual(whole);
  expect(read(...text.split(''))).toEqual(whole);
});

test('gives each event its name', () => {
  const events: [string, string][] = [];
  const lines = new ServerEvents((data, event) => events.push([data, event]));
  lines.push('event: error\ndata: a\n\ndata: b\n\nevent: errors\ndata: c\n\ndata: d\nevent:error\n\n');
  lines.push('event: error\n\ndata: e\n\n');
  expect(events).toEqual([
    ['a', 'error'],
    ['b', ''],
    ['c', 'errors'],
    ['d', 'error'],
    ['e', ''],
  ]);
});
