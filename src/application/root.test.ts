import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findApplicationRoot } from './root.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'assay-application-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function make(name: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

describe('findApplicationRoot', () => {
  test('finds the nearest folder with a marker, from a file or a folder', () => {
    const cases = make('app/assistants/keyword/tests/inputs.jsonl');
    expect(findApplicationRoot(cases, '/fallback')).toBe(path.join(folder, 'app'));
    expect(findApplicationRoot(path.dirname(cases), '/fallback')).toBe(path.join(folder, 'app'));
    expect(findApplicationRoot(path.join(folder, 'app'), '/fallback')).toBe(path.join(folder, 'app'));

    make('app/assistants/keyword/app.yao');
    expect(findApplicationRoot(cases, '/fallback')).toBe(path.join(folder, 'app/assistants/keyword'));
  });

  test.each([
    'assay.config.ts',
    'assay.config.js',
    'assay.config.mjs',
    'assay.config.json',
    'assay.config.yml',
    'assay.config.yaml',
  ])('knows %s', (name) => {
    const cases = make('app/tests/inputs.jsonl');
    make(`app/${name}`);
    expect(findApplicationRoot(cases, '/fallback')).toBe(path.join(folder, 'app'));
  });

  test('falls back when there is no marker; a file named assistants is none', () => {
    make('app/assistants');
    expect(findApplicationRoot(make('app/tests/inputs.jsonl'), folder)).toBe(folder);
  });
});
