import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { didYouMeanFile, nearestName } from './nearest-file.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-nearest-'));

beforeAll(() => {
  mkdirSync(join(root, 'tests/deep'), { recursive: true });
  mkdirSync(join(root, '.hidden'));
  for (const name of ['agent.ts', 'tests/inputs.jsonl', 'tests/deep/more.jsonl', '.hidden/secret.jsonl'])
    writeFileSync(join(root, name), '');
});
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ['tests/input.jsonl', 'tests/inputs.jsonl'],
  ['test/inputs.jsonl', 'tests/inputs.jsonl'],
  ['tets/input.jsonl', 'tests/inputs.jsonl'],
  ['tests/dep/more.jsonl', 'tests/deep/more.jsonl'],
  ['tests/inputs.json', 'tests/inputs.jsonl'],
  ['inputs.jsonl', 'tests/inputs.jsonl'],
  ['Agent.ts', 'agent.ts'],
])('%s is probably %s', (wrong, right) => {
  expect(didYouMeanFile(join(root, wrong), root)).toBe(`did you mean "${right}"?`);
});

test.each(['other.ts', 'tests/x.jsonl', 'none/more.jsonl', 'secret.jsonl', 'tests/entirely-else.jsonl'])(
  'there is nothing like %s',
  (wrong) => {
    expect(didYouMeanFile(join(root, wrong), root)).toBeUndefined();
  },
);

test('an ending that is shared counts for nothing', () => {
  expect(nearestName('none.jsonl', ['cases.jsonl'])).toBeUndefined();
  expect(nearestName('a.jsonl', ['b.jsonl'])).toBeUndefined();
  expect(nearestName('case.jsonl', ['bases.jsonl', 'cases.jsonl'])).toBe('cases.jsonl');
});
