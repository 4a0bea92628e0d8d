import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { startCoverage, takeCoverage, writeEntries } from './v8-counts.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-record-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const BUNDLE = join(folder, 'bundle 100%.cjs');
const CODE = 'function a(x) { return x ? 1 : 2; } function b() {} globalThis.a = a; a(1); a(1);';

function run(code: string, filename: string): { a: (value: number) => number } {
  const context = createContext();
  new Script(code, { filename }).runInContext(context);
  // What the code above sets.
  return context as { a: (value: number) => number };
}

const range = (startOffset: number, endOffset: number, count: number): object => ({
  startOffset,
  endOffset,
  count,
});

test('counts the bundles that are asked for, each time since the last', () => {
  startCoverage();
  startCoverage();
  const { a } = run(CODE, BUNDLE);
  run('1 + 1;', join(folder, 'other.cjs'));
  expect(takeCoverage([{ file: BUNDLE }])).toEqual([
    {
      file: BUNDLE,
      functions: [
        { functionName: '', ranges: [range(0, CODE.length, 1)], isBlockCoverage: true },
        { functionName: 'a', ranges: [range(0, 35, 2), range(29, 32, 0)], isBlockCoverage: true },
        { functionName: 'b', ranges: [range(36, 51, 0)], isBlockCoverage: false },
      ],
    },
  ]);

  a(0);
  const [entry] = takeCoverage([{ file: BUNDLE }]);
  expect(entry?.functions.find(({ functionName }) => functionName === 'a')?.ranges[0]?.count).toBe(1);
});

test('leaves out what was put around a bundle', () => {
  startCoverage();
  const head = '(function () { ';
  const code = 'if (globalThis.x) { y(); } function z() {} z();';
  const wrapped = `${head}${code}\n})`;
  // The function that the head begins.
  (new Script(wrapped, { filename: BUNDLE }).runInContext(createContext()) as () => void)();
  expect(takeCoverage([{ file: BUNDLE, offset: head.length }])).toEqual([
    {
      file: BUNDLE,
      functions: [
        {
          functionName: '',
          ranges: [range(0, code.length + 2, 1), range(18, 26, 0)],
          isBlockCoverage: true,
        },
        { functionName: 'z', ranges: [range(27, 42, 1)], isBlockCoverage: true },
      ],
    },
  ]);
});

test('keeps entries in files of their own, and none for nothing', () => {
  const kept = join(folder, 'kept');
  writeEntries(kept, []);
  expect(existsSync(kept)).toBe(false);
  const entry = (file: string): { file: string; functions: [] } => ({ file, functions: [] });
  writeEntries(kept, [entry('/a'), entry('/b')]);
  writeEntries(kept, [entry('/c')]);
  const texts = readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'));
  expect(texts.sort()).toEqual([
    '[{"file":"/a","functions":[]},{"file":"/b","functions":[]}]',
    '[{"file":"/c","functions":[]}]',
  ]);
});
