import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkCodeCache, readCodeCache, writeCodeCache } from './code-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-code-cache-'));

test('a code cache is used if it is what was written', () => {
  const bundle = join(folder, 'whole.mjs');
  writeCodeCache(bundle, Buffer.from('compiled'));
  expect(readCodeCache(bundle, checkCodeCache(bundle))?.toString()).toBe('compiled');
});

test('a code cache that was changed, before or after the check, is not used', () => {
  const bundle = join(folder, 'changed.mjs');
  writeCodeCache(bundle, Buffer.from('compiled'));
  const checked = checkCodeCache(bundle);
  const bytes = readFileSync(`${bundle}.bin`);
  writeFileSync(`${bundle}.bin`, bytes.toString().replace('compiled', 'complied'));
  expect([readCodeCache(bundle, checked), checkCodeCache(bundle)]).toEqual([undefined, undefined]);
});

test('the code cache of another bundle, none and a short one are not used', () => {
  const bundle = join(folder, 'one.mjs');
  writeCodeCache(join(folder, 'other.mjs'), Buffer.from('compiled'));
  writeFileSync(`${bundle}.bin`, readFileSync(join(folder, 'other.mjs.bin')));
  expect(checkCodeCache(bundle)).toBeUndefined();
  writeFileSync(`${bundle}.bin`, 'short');
  expect(checkCodeCache(bundle)).toBeUndefined();
  expect(checkCodeCache(join(folder, 'none.mjs'))).toBeUndefined();
});
