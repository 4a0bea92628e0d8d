import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { usesBlockingGlobals } from './blocking.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-blocking-'));
afterAll(() => rmSync(folder, { recursive: true }));

function uses(...sources: string[]): boolean {
  return usesBlockingGlobals(
    sources.map((source, index) => {
      const file = join(folder, `${String(index)}.ts`);
      writeFileSync(file, source);
      return file;
    }),
  );
}

test('sees calls of the synchronous http, not those of other clients', () => {
  expect(uses('const r = http.Get("https://x");')).toBe(true);
  expect(uses('export {};', 'http\n  .Post<{ a: 1 }>(url, {})')).toBe(true);
  expect(uses('http.get("https://x"); myhttp.Get("x"); http.Getter("x"); fetch("x")')).toBe(false);
  expect(usesBlockingGlobals([join(folder, 'missing.ts')])).toBe(false);
});
