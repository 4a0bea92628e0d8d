// Every reader takes any file: it gives a value or a bounded ConfigError, in time that grows with the file only.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { smallestGrowth } from '../../test/growth.ts';
import { ConfigError } from '../errors.ts';
import { parseJsonDocument } from '../json/jsonc.ts';
import { readObjects } from '../json/jsonl.ts';
import { decodeText } from '../json/text-file.ts';
import { parseYamlDocument } from '../json/yaml-document.ts';
import { parseDotEnv } from './dotenv.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function readJsonl(bytes: Buffer): Promise<unknown> {
  const file = join(folder, 'cases.jsonl');
  writeFileSync(file, bytes);
  let count = 0;
  for await (const batch of readObjects(file)) {
    for (const parsed of batch) if ('value' in parsed) JSON.stringify(parsed.value);
    count += batch.length;
  }
  return count;
}

const READERS: Record<string, (bytes: Buffer) => unknown> = {
  json: (bytes) => parseJsonDocument(decodeText(bytes, 'a.json'), 'a.json'),
  yaml: (bytes) => parseYamlDocument(decodeText(bytes, 'a.yml'), 'a.yml'),
  env: (bytes) => parseDotEnv(decodeText(bytes, '.env')),
  jsonl: readJsonl,
};

/** What a reader makes of a file; throws what is no ConfigError. */
async function outcome(read: (bytes: Buffer) => unknown, bytes: Buffer): Promise<string[]> {
  try {
    const document = await read(bytes);
    // What is read can be walked by recursion.
    JSON.stringify(document);
    return ['read'];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ at, message }) => `${at ?? ''}: ${message}`);
  }
}

/** A generator of numbers below 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PARTS = [
  '{', '}', '[', ']', ',', ':', '"', "'", '`', '\\', '\n', '\r\n', '\t', ' ', '  ', '- ', '? ', '*a', '&a ', '!!x ', '|', '>', '#', '//', '/*', '*/',
  '---\n', '%', '=', 'A=', 'export ', 'a: ', '"a":', '"a": 1', '{"id":"a","input":"x"}', 'null', '1e999', '\\u', '\\ud800', 'é', '𝒳', '\uFEFF', '\0', '<<: *a', '@', '~',
]; // prettier-ignore

test.each(Object.keys(READERS))(
  '%s: five hundred random files give a value or a bounded error',
  async (name) => {
    const random = seeded(20_260_101);
    const unbounded: string[] = [];
    for (let round = 0; round < 500; round += 1) {
      let text = '';
      const repeat = random() < 0.2 ? 300 : 1;
      for (let length = Math.floor(random() * 60); length > 0; length -= 1) {
        const part = PARTS[Math.floor(random() * PARTS.length)] ?? '';
        text += part.repeat(random() < 0.1 ? repeat : 1);
      }
      const encoding =
        (['utf8', 'utf8', 'utf8', 'latin1', 'utf16le'] as const)[Math.floor(random() * 5)] ?? 'utf8';
      const problems = await outcome(READERS[name] ?? String, Buffer.from(text, encoding));
      if (problems.length > 21) unbounded.push(text);
    }
    expect(unbounded).toEqual([]);
  },
);

test.each([
  ['UTF-16 with a mark', Buffer.from('\uFEFF{"id": "hello"}', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('{"id": "hello"}', 'utf16le')],
  ['UTF-16, big end first', Buffer.from('{"id": "hello"}', 'utf16le').swap16()],
  ['UTF-16, big end first, with a mark', Buffer.from('\uFEFF{"id": "hello"}', 'utf16le').swap16()],
  ['UTF-16 without Latin letters', Buffer.from('\uFEFF你好', 'utf16le')],
])('names %s and the remedy', (_name, bytes) => {
  expect(() => decodeText(bytes, 'a.json')).toThrow('a.json:1: the file is UTF-16: save it as UTF-8');
});

test('names the line that is not UTF-8, and the line of a NUL byte', () => {
  expect(() => decodeText(Buffer.from('a\nb\né', 'latin1'), 'a.yml')).toThrow(
    'a.yml:3: the line is not valid UTF-8: save the file as UTF-8',
  );
  expect(() => decodeText(Buffer.from('a\nb\0'), 'a.yml')).toThrow(
    'a.yml:2: the file is binary (it holds NUL bytes), not text in UTF-8',
  );
});

const DEEP = 'nested deeper than 500 levels';
test.each([
  ['json', '['.repeat(100_000), [`a.json:1: ${DEEP}`]],
  ['json', `\n${'{"a":'.repeat(100_000)}`, [`a.json:2: ${DEEP}`]],
  ['json', `${'['.repeat(500)}${']'.repeat(500)}`, ['read']],
  ['yaml', '['.repeat(100_000), [`a.yml:1: ${DEEP}`]],
  ['yaml', `a:\n  ${'- '.repeat(100_000)}`, [`a.yml:2: ${DEEP}`]],
  ['yaml', '? '.repeat(100_000), [`a.yml:1: ${DEEP}`]],
  ['yaml', `${'['.repeat(400)}${']'.repeat(400)}`, ['read']],
  ['yaml', 'a: &x {b: *x, c: *x}', [`a.yml: aliases make it ${DEEP}`]],
  ['yaml', laughs(10), ['a.yml: invalid YAML: Excessive alias count indicates a resource exhaustion attack']],
  ['yaml', 'a: 1\nb: 2\na: 3', ['a.yml:3: invalid YAML: Map keys must be unique']],
  [
    'json',
    '@ '.repeat(1000),
    [
      ...Array.from({ length: 20 }, () => 'a.json:1: invalid JSON: invalid symbol'),
      'a.json: and 981 more syntax errors',
    ],
  ],
])('%s: %.20s', async (name, text, expected) => {
  expect(await outcome(READERS[name] ?? String, Buffer.from(text))).toEqual(expected);
});

function laughs(count: number): string {
  let text = 'a0: &a0 lol\n';
  for (let at = 1; at < count; at += 1)
    text += `a${at}: &a${at} [${Array.from({ length: 9 }, () => `*a${at - 1}`).join(', ')}]\n`;
  return text;
}

const HOSTILE: [string, (size: number) => string][] = [
  ['open braces', (size) => '{'.repeat(size)],
  ['closing braces', (size) => '}\n'.repeat(size / 2)],
  ['commas', (size) => ','.repeat(size)],
  ['open strings', (size) => '"a\n'.repeat(size / 3)],
  ['open assignments', (size) => 'A="a\n'.repeat(size / 5)],
  ['escapes', (size) => `A="${'\\n'.repeat(size / 2)}`],
  ['symbols', (size) => '@ '.repeat(size / 2)],
  ['many keys', (size) => Array.from({ length: size / 10 }, (_, at) => `k${at}: v\n`).join('')],
  ['open objects', (size) => '{"a": 1,\n'.repeat(size / 9)],
];
const PAIRS = Object.keys(READERS).flatMap((reader) =>
  HOSTILE.map(([kind, build]) => ({ reader, kind, build })),
);
test.each(PAIRS)('$reader takes linear time for $kind', async ({ reader, build }) => {
  const work = (size: number): (() => unknown) => {
    const bytes = Buffer.from(build(size));
    return () => outcome(READERS[reader] ?? String, bytes);
  };
  // Quadratic work would take 16 times as long.
  const growth = await smallestGrowth(work, { small: 50_000, large: 200_000, floorUs: 8000 });
  expect(growth).toBeLessThan(12);
});
