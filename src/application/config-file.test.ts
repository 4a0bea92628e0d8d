import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { readConfigFile } from './config-file.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'assay-config-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

async function read(files: Record<string, string>, evaluated?: unknown): Promise<unknown> {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  try {
    return await readConfigFile(root, async (file) => ({
      ...(evaluated as object),
      name: path.basename(file),
    }));
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

test('is empty without a file', async () => {
  expect(await read({})).toEqual({});
});

test('reads JSON with comments', async () => {
  expect(await read({ 'assay.config.json': '// ours\n{ "parallel": 4, "fail_fast": true, }' })).toEqual({
    parallel: 4,
    fail_fast: true,
  });
});

test.each(['assay.config.yml', 'assay.config.yaml'])('reads %s', async (name) => {
  expect(await read({ [name]: '# ours\nparallel: 4\ntag: [smoke]\n' })).toEqual({
    parallel: 4,
    tag: ['smoke'],
  });
});

test('takes a file of comments as empty', async () => {
  expect(await read({ 'assay.config.yml': '# later\n' })).toEqual({});
});

test.each(['assay.config.ts', 'assay.config.js', 'assay.config.mjs'])(
  'has %s evaluated elsewhere',
  async (name) => {
    expect(await read({ [name]: 'throw 1' }, { runs: 2 })).toEqual({ runs: 2, name });
  },
);

test('reports unknown settings with their lines', async () => {
  expect(await read({ 'assay.config.json': '{\n  "paralel": 4,\n  "failFast": true\n}' })).toEqual([
    { message: 'unknown setting "paralel"', at: 'assay.config.json:2', hint: 'did you mean "parallel"?' },
    { message: 'unknown setting "failFast"', at: 'assay.config.json:3', hint: 'did you mean "fail_fast"?' },
  ]);
  rmSync(path.join(root, 'assay.config.json'));
  expect(await read({ 'assay.config.yml': 'runs: 2\n\ntimout: 5s\n' })).toEqual([
    { message: 'unknown setting "timout"', at: 'assay.config.yml:3', hint: 'did you mean "timeout"?' },
  ]);
  rmSync(path.join(root, 'assay.config.yml'));
  expect(await read({ 'assay.config.ts': '' }, { zzz: 1 })).toEqual([
    { message: 'unknown setting "zzz"', at: 'assay.config.ts' },
  ]);
});

test('reports syntax errors with their lines', async () => {
  expect(await read({ 'assay.config.json': '{\n "runs" 1 }' })).toEqual([
    { message: 'invalid JSON: colon expected', at: 'assay.config.json:2' },
  ]);
  rmSync(path.join(root, 'assay.config.json'));
  expect(await read({ 'assay.config.yml': 'runs: 1\nruns: 2\n' })).toEqual([
    { message: 'invalid YAML: Map keys must be unique', at: 'assay.config.yml:2' },
  ]);
});

test('refuses a list and two files', async () => {
  expect(await read({ 'assay.config.json': '[]' })).toEqual([
    { message: 'the configuration must be an object', at: 'assay.config.json' },
  ]);
  expect(await read({ 'assay.config.yml': 'runs: 1' })).toEqual([
    {
      message: 'there are two configurations: assay.config.json and assay.config.yml',
      at: root,
      hint: 'keep one of them',
    },
  ]);
});
