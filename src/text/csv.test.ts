import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CsvRecord } from './csv.ts';
import { CsvReader } from './csv.ts';

/** Reads a text in pieces of the given length. */
function read(
  text: string,
  { delimiter, piece = text.length }: { delimiter?: string; piece?: number } = {},
): CsvRecord[] {
  const reader = new CsvReader({ maxLength: 1000, ...(delimiter !== undefined && { delimiter }) });
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += Math.max(piece, 1))
    records.push(...reader.push(text.slice(at, at + Math.max(piece, 1))));
  return [...records, ...reader.end()];
}

test('gives the fields of each record with the line it begins on', () => {
  expect(read('a,b\n1,2\n\n"x\ny","say ""hi"""\nlast,')).toEqual([
    { fields: ['a', 'b'], line: 1 },
    { fields: ['1', '2'], line: 2 },
    { fields: ['x\ny', 'say "hi"'], line: 4 },
    { fields: ['last', ''], line: 6 },
  ]);
});

test('takes CRLF, a byte order mark and a last line without a break', () => {
  expect(read('\uFEFFa,b\r\n"1",2\r\n3,"4"')).toEqual([
    { fields: ['a', 'b'], line: 1 },
    { fields: ['1', '2'], line: 2 },
    { fields: ['3', '4'], line: 3 },
  ]);
});

test.each([
  [
    'a;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a\tb\n1;2\t3',
    [
      ['a', 'b'],
      ['1;2', '3'],
    ],
  ],
  ['only\nx', [['only'], ['x']]],
])('the header decides what separates the fields of %j', (text, fields) => {
  expect(read(text).map((record) => ('fields' in record ? record.fields : record))).toEqual(fields);
});

test('names a quote that is not closed, and goes on with the next line', () => {
  expect(read('a,b\n"open,1\nc,d\n')).toEqual([
    { fields: ['a', 'b'], line: 1 },
    { problem: 'a quote is opened and never closed', line: 2 },
    { fields: ['c', 'd'], line: 3 },
  ]);
});

test('names text after a closing quote', () => {
  expect(read('a,b\n"x"y,1\nc,d\n')).toEqual([
    { fields: ['a', 'b'], line: 1 },
    {
      problem: 'text after the closing quote of column 1: write "" for a quote inside a quoted field',
      line: 2,
    },
    { fields: ['c', 'd'], line: 3 },
  ]);
});

test('a record beyond the limit is a problem', () => {
  expect(read(`a,b\n"${'x'.repeat(1200)}`, { piece: 600 })[1]).toEqual({
    problem: 'the record is too long, or a quote is not closed',
    line: 2,
  });
});

test('gives back what was written, however it arrives', () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', ';', ' ', 'é') });
  const table = fc.array(fc.tuple(fc.constant('k'), field, field), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), (rows, piece) => {
      const text = rows
        .map((row) =>
          row.map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
        )
        .join('\n');
      const records = read(text, { delimiter: ',', piece });
      expect(records.map((record) => ('fields' in record ? record.fields : record))).toEqual(rows);
    }),
  );
});
