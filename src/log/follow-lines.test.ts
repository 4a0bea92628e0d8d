import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GrowingLines } from './follow-lines.ts';

test('gives whole lines as they come, also those that are longer than one reading', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'assay-lines-')), 'log.jsonl');
  writeFileSync(path, 'one\ntwo\nthr');
  const lines = await GrowingLines.open(path);
  expect(await lines.next()).toEqual(['one', 'two']);
  expect(await lines.next()).toBeUndefined();
  appendFileSync(path, 'ee');
  expect(await lines.next()).toEqual([]);
  const long = 'ä'.repeat(1_500_000);
  appendFileSync(path, `\n${long}\nlast\n`);
  const found: string[] = [];
  for (let some = await lines.next(); some !== undefined; some = await lines.next()) found.push(...some);
  expect(found).toEqual(['three', long, 'last']);
  await lines.close();
});
