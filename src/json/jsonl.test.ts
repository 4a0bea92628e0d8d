import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ParsedObject, ReadOptions } from './jsonl.ts';
import { readJsonLines, readObjects } from './jsonl.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-jsonl-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function objectsOf(content: string | Buffer, options?: ReadOptions): Promise<ParsedObject[]> {
  const file = path.join(folder, 'cases.jsonl');
  writeFileSync(file, content);
  const all: ParsedObject[] = [];
  for await (const batch of readObjects(file, options)) all.push(...batch);
  return all;
}

describe('readObjects', () => {
  test('reads one object a line and skips blank lines and comments', async () => {
    const text = '{"id":"a"}\n\n# note\n  // more\n \t\n  {"id":"b"}\n{"id":"c"}';
    expect(await objectsOf(text)).toEqual([
      { value: { id: 'a' }, line: 1 },
      { value: { id: 'b' }, line: 6 },
      { value: { id: 'c' }, line: 7 },
    ]);
  });

  test('reads objects over several lines, with braces in column 0 and comments between', async () => {
    const text =
      '{\n  "id": "a",\n  // the brackets: [{\n  "text": "}{ \\" ]["\n}\n{"id": "b", "assert": [\n{"type": "x"},\n{"type": "y"}\n]}\n';
    expect(await objectsOf(text)).toEqual([
      { value: { id: 'a', text: '}{ " ][' }, line: 1 },
      { value: { id: 'b', assert: [{ type: 'x' }, { type: 'y' }] }, line: 6 },
    ]);
  });

  test('reports a broken object at its first line and goes on at the next brace in column 0', async () => {
    const text = [
      '{"id": "a", }',
      '{"id": "b"}',
      '{',
      '  "id": "c",',
      '  "input": x',
      '}',
      '  {"id": "hidden"}',
      '{"id": "d"',
      '{"id": "e"}',
      'hello',
      '{"id": "f"} {"id": "g"}',
      '{"id": "h",',
      '{"id": "i"}',
      '{"id": "j", "assert": [',
      '{"id": "k"}',
      '{"id": "l"}',
      '{"id": "m", "input": "not closed',
      '{"id": "n"]',
      '{"id": "o"}',
    ].join('\n');
    expect(await objectsOf(text)).toEqual([
      { problem: 'invalid JSON: there is a comma before "}": remove it (line 1, column 13)', line: 1 },
      { value: { id: 'b' }, line: 2 },
      { problem: "invalid JSON: unexpected token 'x'", line: 3 },
      { problem: 'the object is not closed', line: 8 },
      { value: { id: 'e' }, line: 9 },
      { problem: 'expected a JSON object starting with "{"', line: 10 },
      {
        problem: 'invalid JSON: unexpected non-whitespace character after JSON (line 11, column 13)',
        line: 11,
      },
      { problem: 'the object is not closed', line: 12 },
      { value: { id: 'i' }, line: 13 },
      { problem: 'the object is not closed', line: 14 },
      { value: { id: 'k' }, line: 15 },
      { value: { id: 'l' }, line: 16 },
      { problem: 'invalid JSON: a string is not closed on its line', line: 17 },
      { problem: 'invalid JSON: "]" closes nothing that is open', line: 18 },
      { value: { id: 'o' }, line: 19 },
    ]);
  });

  test('names the line and column inside an object over several lines', async () => {
    const text = '\n{\n  "id": "a"\n  "input": "x"\n}\n';
    expect(await objectsOf(text)).toEqual([
      { problem: 'invalid JSON: there is no comma before this text (line 4, column 3)', line: 2 },
    ]);
  });

  test('reports every object that is open at the end of the file', async () => {
    expect(await objectsOf('{"a": [\n{"b": [\n{"c": 1}\n')).toEqual([
      { problem: 'the object is not closed', line: 1 },
      { problem: 'the object is not closed', line: 2 },
      { value: { c: 1 }, line: 3 },
    ]);
  });

  test('says what to do with a list of objects', async () => {
    expect(await objectsOf('[\n  {"id": "a"},\n  {"id": "b"}\n]\n')).toEqual([
      {
        problem:
          'expected a JSON object starting with "{", not a list: write one object a line, without the list around them, or name the file .json',
        line: 1,
      },
    ]);
  });

  test('tolerates a byte order mark and CRLF', async () => {
    expect(await objectsOf('\uFEFF{"id":"a"}\r\n\r\n{\r\n"id": "b"\r\n}\r\n')).toEqual([
      { value: { id: 'a' }, line: 1 },
      { value: { id: 'b' }, line: 3 },
    ]);
  });

  test('takes an empty file as no objects', async () => {
    expect(await objectsOf('')).toEqual([]);
  });

  test('reports a binary file once', async () => {
    expect(await objectsOf(Buffer.from([1, 10, 2, 10, 0, 10, 3, 0]))).toEqual([
      { problem: 'the file is binary (it holds NUL bytes), not text in UTF-8', line: 3 },
    ]);
    expect(await objectsOf(Buffer.from('\uFEFF{"id":"a"}\n', 'utf16le'))).toEqual([
      { problem: 'the file is UTF-16: save it as UTF-8', line: 1 },
    ]);
  });

  test('reports lines that are not UTF-8 and reads the others', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"id":"ä"}\n{"id":"'),
      Buffer.from([0xe4]),
      Buffer.from('"}\n{"id":"b"}'),
    ]);
    expect(await objectsOf(bytes)).toEqual([
      { value: { id: 'ä' }, line: 1 },
      { problem: 'the line is not valid UTF-8: save the file as UTF-8', line: 2 },
      { value: { id: 'b' }, line: 3 },
    ]);
  });

  test('skips objects over the limit, on one line or on several', async () => {
    const problem = 'the object is larger than 64 bytes: use a file:// source for large data';
    const long = `{"id":"${'x'.repeat(80)}"}`;
    const tall = `{\n${'  "a": "bbbbbbbb",\n'.repeat(8)}  "z": 1\n}`;
    const text = `{"id":"a"}\n${long}\n{"id":"b"}\n# ${'x'.repeat(99)}\n${tall}\n{"id":"c"}\n{\n${long}\n}\n{"id":"d"}`;
    expect(await objectsOf(text, { maxObjectBytes: 64, chunkBytes: 16 })).toEqual([
      { value: { id: 'a' }, line: 1 },
      { problem, line: 2 },
      { value: { id: 'b' }, line: 3 },
      { problem, line: 5 },
      { value: { id: 'c' }, line: 16 },
      { problem, line: 17 },
      { value: { id: 'd' }, line: 20 },
    ]);
  });

  test('passes over a line of 100 MB without keeping it', async () => {
    const file = path.join(folder, 'long.jsonl');
    await writeFile(file, '{"id":"a"}\n{"id":"');
    const handle = await open(file, 'a');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 100; count++) await handle.write(piece);
    await handle.close();
    await appendFile(file, '"}\n{"id":"b"}\n');
    const before = process.memoryUsage().rss;
    let peak = before;
    const all: ParsedObject[] = [];
    const onBytes = (): void => {
      peak = Math.max(peak, process.memoryUsage().rss);
    };
    for await (const batch of readObjects(file, { onBytes })) all.push(...batch);
    expect(all).toEqual([
      { value: { id: 'a' }, line: 1 },
      { problem: 'the object is larger than 16 MB: use a file:// source for large data', line: 2 },
      { value: { id: 'b' }, line: 3 },
    ]);
    expect((peak - before) / 1024 / 1024).toBeLessThan(80);
    rmSync(file);
  });

  test('stays quick on a file in which every object is left open', async () => {
    const lines = 30_000;
    const started = performance.now();
    const all = await objectsOf('{"id":[\n'.repeat(lines));
    expect(all[0]).toEqual({ problem: 'the object is not closed', line: 1 });
    expect(performance.now() - started).toBeLessThan(20_000);
  }, 30_000);

  test('gives back any list of objects with the lines they start on', async () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }));
    const layout = fc.record({
      object,
      indent: fc.constantFrom(0, 1, 2, '\t'),
      before: fc.array(fc.constantFrom('', '  ', '# {', '\t// "', '#€ü漢'), { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(layout, { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.constantFrom(5, 64, 4096),
        async (entries, lineBreak, isTerminated, chunkBytes) => {
          const lines: string[] = [];
          const expected: ParsedObject[] = [];
          for (const entry of entries) {
            lines.push(...entry.before);
            const value: unknown = JSON.parse(JSON.stringify(entry.object));
            expected.push({ value, line: lines.length + 1 });
            lines.push(...JSON.stringify(value, null, entry.indent).split('\n'));
          }
          const text = lines.join(lineBreak) + (isTerminated ? lineBreak : '');
          expect(await objectsOf(text, { chunkBytes })).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  }, 30_000);
});

describe('readJsonLines', () => {
  async function linesOf(content: string | Buffer, options: Parameters<typeof readJsonLines>[1] = {}) {
    const file = path.join(folder, 'log.jsonl');
    writeFileSync(file, content);
    const values: unknown[] = [];
    let end = 0;
    for await (const batch of readJsonLines(file, options)) {
      values.push(...batch.values);
      end = batch.end;
    }
    return { values, end };
  }

  test('reads complete lines and says where they end', async () => {
    expect(await linesOf('{"a":"ü"}\n{"b":2}\n')).toEqual({ values: [{ a: 'ü' }, { b: 2 }], end: 19 });
    expect(await linesOf('')).toEqual({ values: [], end: 0 });
  });

  test('leaves out a torn last line, wherever it is torn', async () => {
    const whole = Buffer.from('{"a":"ü"}\n');
    const torn = Buffer.from('{"b":"漢"}');
    for (let length = 0; length <= torn.length; length++) {
      const content = Buffer.concat([whole, torn.subarray(0, length)]);
      for (const chunkBytes of [3, 1024]) {
        expect(await linesOf(content, { chunkBytes })).toEqual({ values: [{ a: 'ü' }], end: 11 });
      }
    }
  });

  test('leaves out a last line that has its line break and is torn all the same', async () => {
    const content = Buffer.concat([
      Buffer.from('{"a":1}\n{"b":'),
      Buffer.from([0, 0, 0xe4]),
      Buffer.from('\n\n'),
    ]);
    expect(await linesOf(content)).toEqual({ values: [{ a: 1 }], end: 8 });
    expect(await linesOf(content, { chunkBytes: 4 })).toEqual({ values: [{ a: 1 }], end: 8 });
  });

  test('keeps a last line without line break if asked to, but never half of it', async () => {
    expect(await linesOf('{"a":1}\n{"b":2}', { unterminated: 'keep' })).toEqual({
      values: [{ a: 1 }, { b: 2 }],
      end: 15,
    });
    expect(await linesOf('{"a":1}\n{"b":', { unterminated: 'keep' })).toEqual({ values: [{ a: 1 }], end: 8 });
  });

  test('says which line is damaged if others follow', async () => {
    await expect(linesOf('{"a":1}\n{"b":\n{"c":3}\n')).rejects.toThrow(
      /log\.jsonl:2: the line is not JSON, so this is not a run log or it is damaged$/,
    );
  });
});
