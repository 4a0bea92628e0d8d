import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApplication } from './open.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'assay-open-')));
  mkdirSync(path.join(root, 'tests'));
  writeFileSync(path.join(root, 'app.yao'), '');
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, content: string): void {
  writeFileSync(path.join(root, name), content);
}

test('gives root, environment, configuration and settings', async () => {
  write('.env', 'ASSAY_RUNS=2\nASSAY_RETRIES=5\nKEY=from-file\n');
  write('assay.config.json', '{ "parallel": 3, "retries": 1 }');
  const opened = await openApplication({
    cwd: path.join(root, 'tests'),
    env: { ASSAY_RUNS: '7', HOME: '/home/me', EMPTY: undefined },
    flags: { user: 'typed' },
  });
  expect(opened).toEqual({
    root,
    env: { ASSAY_RUNS: '7', ASSAY_RETRIES: '5', KEY: 'from-file', HOME: '/home/me' },
    dotenv: { ASSAY_RETRIES: '5', KEY: 'from-file' },
    config: { parallel: 3, retries: 1 },
    settings: {
      inputs: [],
      outputs: [],
      tags: [],
      user: 'typed',
      runs: 7,
      parallel: 3,
      retries: 5,
      fail_fast: false,
      isolate: false,
      allow_empty: false,
      require_tests: false,
      verbose: false,
    },
  });
});

test('starts from another place, and falls back to a folder', async () => {
  const cwd = realpathSync(tmpdir());
  const env = {};
  expect((await openApplication({ cwd, env, start: path.join(root, 'tests') })).root).toBe(root);
  rmSync(path.join(root, 'app.yao'));
  expect((await openApplication({ cwd: root, env, fallback: '/elsewhere' })).root).toBe('/elsewhere');
});

test('reports the problems of the configuration and of the flags together', async () => {
  write('assay.config.json', '{ "paralel": 3 }');
  const opening = openApplication({ cwd: root, env: {}, flags: { runs: 'many' } });
  await expect(opening).rejects.toMatchObject({
    problems: [
      { message: 'unknown setting "paralel"', at: 'assay.config.json:1', hint: 'did you mean "parallel"?' },
      { at: '--runs' },
    ],
  });
});
