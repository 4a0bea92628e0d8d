import { expect, test } from 'vitest';
import { decodeMappings, encodeMappings } from './mappings.ts';

test('reads mappings as absolute numbers and writes them the same', () => {
  const text = ';AAAA,SAASA;AACgC,gBADhC,C;;A';
  const lines = [
    [],
    [
      [0, 0, 0, 0],
      [9, 0, 0, 9, 0],
    ],
    [[0, 0, 1, 41], [16, 0, 0, 9], [17]],
    [],
    [[0]],
  ];
  expect(decodeMappings(text)).toEqual(lines);
  expect(encodeMappings(lines)).toEqual(text);
});
