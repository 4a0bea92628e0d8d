import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isJsonList, readJsonList } from './json-list.ts';
import type { ParsedObject } from './jsonl.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-list-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string | Buffer): string {
  const path = join(folder, `${String(Math.random())}.json`);
  writeFileSync(path, content);
  return path;
}

async function read(content: string | Buffer, chunkBytes?: number): Promise<ParsedObject[]> {
  const all: ParsedObject[] = [];
  for await (const batch of readJsonList(file(content), chunkBytes === undefined ? {} : { chunkBytes }))
    all.push(...batch);
  return all;
}

const LIST = `// cases
[
  {"id": "a", "input": "x ] } , \\" y"},
  // the second
  {
    "id": "b",
    "input": [1, {"c": []}]
  },
  7, "text",
]
`;
const ELEMENTS = [
  { value: { id: 'a', input: 'x ] } , " y' }, line: 3 },
  { value: { id: 'b', input: [1, { c: [] }] }, line: 5 },
  { value: 7, line: 9 },
  { value: 'text', line: 9 },
];

test.each([undefined, 1, 2, 7])(
  'gives the elements with their lines, read %s bytes at a time',
  async (chunkBytes) => {
    expect(await read(LIST, chunkBytes)).toEqual(ELEMENTS);
  },
);

test('a broken element does not hide the others', async () => {
  expect(await read('[{"id":"a"},\n{"id":"b",},\n{"id":\'c\'},\n{"id":"d"}]')).toEqual([
    { value: { id: 'a' }, line: 1 },
    { problem: 'invalid JSON: there is a comma before "}": remove it (line 2, column 11)', line: 2 },
    { problem: 'invalid JSON: texts are in double quotes, not in single quotes (line 3, column 7)', line: 3 },
    { value: { id: 'd' }, line: 4 },
  ]);
});

test.each([
  [
    '[{"id":"a"}',
    [
      { value: { id: 'a' }, line: 1 },
      { problem: 'the list is not closed: "]" is missing', line: 1 },
    ],
  ],
  ['[\n{"id":"a"', [{ problem: 'the list or an object in it is not closed', line: 2 }]],
  [
    '[1]\n[2]',
    [
      { value: 1, line: 1 },
      { problem: 'there is more text after the end of the list', line: 2 },
    ],
  ],
])('says what is wrong with %j', async (text, expected) => {
  expect(await read(text)).toEqual(expected);
});

test.each([
  [Buffer.from([0x5b, 0xff, 0x5d]), 'the file is not valid UTF-8: save it as UTF-8'],
  [Buffer.from('[1]', 'utf16le'), 'the file is UTF-16: save it as UTF-8'],
])('refuses what is no UTF-8', async (bytes, problem) => {
  expect(await read(bytes)).toEqual([{ problem, line: 1 }]);
});

test.each([
  ['  [1]', true],
  ['\uFEFF# c\n// d\n[', true],
  ['{"a": []}', false],
  ['', false],
])('tells a list from objects: %j', async (text, expected) => {
  expect(await isJsonList(file(text))).toBe(expected);
});
