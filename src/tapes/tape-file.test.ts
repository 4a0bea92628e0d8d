import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { TapeFile } from './tape-file.ts';
import { readTape, tapePath, writeTape } from './tape-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-tape-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('every case has a file of its own, with a name that any system takes', () => {
  expect([
    tapePath('assistants/chat/tests/inputs.jsonl', 'T001', ''),
    tapePath('chat', 'T001', '[["Model","a"]]'),
    tapePath('chat', 'T001', '[["Model","b"]]'),
    tapePath('../up', 'a/b', ''),
    tapePath('chat', 'a b', ''),
    tapePath('chat', 'a-b', ''),
    tapePath('chat', 'Größe.1', ''),
    tapePath('chat', '..', ''),
    tapePath('chat', 'CON', ''),
    tapePath('chat', 'x'.repeat(300), '').length,
  ]).toEqual([
    'assistants/chat/tests/inputs.jsonl/T001.tape.json',
    expect.stringMatching(/^chat\/T001@[0-9a-f]{8}\.tape\.json$/),
    expect.stringMatching(/^chat\/T001@[0-9a-f]{8}\.tape\.json$/),
    expect.stringMatching(/^x~[0-9a-f]{8}\/up\/a-b~[0-9a-f]{8}\.tape\.json$/),
    expect.stringMatching(/^chat\/a-b~[0-9a-f]{8}\.tape\.json$/),
    'chat/a-b.tape.json',
    'chat/Größe.1.tape.json',
    expect.stringMatching(/^chat\/x~[0-9a-f]{8}\.tape\.json$/),
    expect.stringMatching(/^chat\/CON~[0-9a-f]{8}\.tape\.json$/),
    'chat/'.length + 80 + '~12345678.tape.json'.length,
  ]);
  const variants = ['a', 'b'].map((model) => tapePath('chat', 'T001', model));
  expect(new Set(variants).size).toBe(2);
});

const TAPE: TapeFile = {
  tape_version: 1,
  test: 'chat',
  case: 'a',
  runs: [
    {
      run: 1,
      exchanges: [
        {
          request: {
            method: 'POST',
            url: 'https://x.test/',
            json: { messages: [{ role: 'user', content: 'hi' }] },
          },
          response: { status: 200, after_ms: 1.5, stream: [{ data: { a: 1 } }], at_ms: [2] },
        },
      ],
      times: { answer: [3] },
    },
  ],
};

test('is written so that people can read it, whole or not at all', () => {
  const file = join(folder, 'deep', 'a.tape.json');
  writeTape(file, TAPE);
  expect(readTape(file)).toEqual(TAPE);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['a.tape.json']);
  expect(readFileSync(file, 'utf8')).toBe(`{
  "tape_version": 1,
  "test": "chat",
  "case": "a",
  "runs": [
    {
      "run": 1,
      "exchanges": [
        {
          "request": {
            "method": "POST",
            "url": "https://x.test/",
            "json": {
              "messages": [{ "role": "user", "content": "hi" }]
            }
          },
          "response": {
            "status": 200,
            "after_ms": 1.5,
            "stream": [
              { "data": { "a": 1 } }
            ],
            "at_ms": [2]
          }
        }
      ],
      "times": { "answer": [3] }
    }
  ]
}
`);
  expect(readTape(join(folder, 'none.tape.json'))).toBeUndefined();
});

const BROKEN: [name: string, text: string, message: string][] = [
  ['no JSON', '{"tape', 'the recording is not JSON'],
  ['something else', '[1]', 'is no recording'],
  ['an older shape', '{"tape_version": 0}', 'is no recording'],
  ['a later version', '{"tape_version": 2}', 'the recording is of a later version (2)'],
  ['no runs', '{"tape_version": 1, "test": "a", "case": "b"}', '"runs" is missing'],
  ['a broken run', '{"tape_version": 1, "test": "a", "case": "b", "runs": [{}]}', '"runs[0].run" is missing'],
  [
    'a broken exchange',
    JSON.stringify({ ...TAPE, runs: [{ ...TAPE.runs[0], exchanges: [{ request: {} }] }] }),
    '"runs[0].exchanges[0].request.method" is missing',
  ],
  ['no times', JSON.stringify({ ...TAPE, runs: [{ run: 1, exchanges: [] }] }), '"runs[0].times" is missing'],
];

test.each(BROKEN)('refuses %s', (_name, text, message) => {
  const file = join(folder, 'broken.tape.json');
  writeFileSync(file, text);
  expect(() => readTape(file)).toThrow(message);
});
