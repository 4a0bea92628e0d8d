import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { packageFiles } from './package-files.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-packages-'));
const FILES: Record<string, string> = {
  'node_modules/one/package.json': '{"dependencies":{"two":"1","three":"1","missing":"1"}}',
  'node_modules/one/lib/index.js': '',
  'node_modules/one/README.md': '',
  'node_modules/one/node_modules/two/package.json': '{"dependencies":{"one":"1"}}',
  'node_modules/two/package.json': '{}',
  'node_modules/three/package.json': 'no json',
};
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
const list = (limit?: number): string[] =>
  packageFiles([join(root, 'node_modules/one/package.json')], limit).map((path) => relative(root, path));

test('finds the files of a package and of those it depends on, as Node resolves them', () => {
  expect(list().sort()).toEqual([
    'node_modules/one',
    'node_modules/one/lib',
    'node_modules/one/lib/index.js',
    'node_modules/one/node_modules/two',
    'node_modules/one/node_modules/two/package.json',
    'node_modules/one/package.json',
    'node_modules/three',
    'node_modules/three/package.json',
  ]);
});

test('stops at a limit', () => {
  expect(list(3)).toHaveLength(3);
});
