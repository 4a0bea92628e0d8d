import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownFiles } from './own-files.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-own-')));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('knows the code of the user by its real path', () => {
  const root = join(folder, 'node_modules/app');
  mkdirSync(root, { recursive: true });
  symlinkSync(root, join(folder, 'link'));
  const isOwn = ownFiles(join(folder, 'link'));
  const names = [
    'src/setup.ts',
    'src/view.jsx',
    'src/tool.mjs',
    'src/setup_test.ts',
    'src/setup_test.mjs',
    'src/types.d.ts',
    'src/data.json',
    'src/prompt.md',
    'node_modules/pkg/index.js',
    '../outside.ts',
  ];
  expect(names.filter((name) => isOwn(join(root, name)))).toEqual(names.slice(0, 3));
});
