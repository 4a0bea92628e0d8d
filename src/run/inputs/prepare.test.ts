import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { prepareRun } from './prepare.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-prepare-')));
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

const prepare = async () =>
  prepareRun({
    settings: { name: './agent.ts', allow_empty: false, require_tests: false, runs: 1 },
    sources: [{ type: 'file', path: join(root, 'cases.jsonl') }],
    cwd: root,
    root,
    env: {},
    select: () => true,
  });

test('the files of a run are its cases, its agent and the scripts of its assertions', async () => {
  write('agent.ts', 'export default () => 1;');
  write('scripts/check.ts', 'import { limit } from "./limit.ts"; export function Check() { return limit; }');
  write('scripts/limit.ts', 'export const limit = true;');
  write('cases.jsonl', '{"id":"a","input":"x","assert":{"type":"script","script":"scripts.check.Check"}}');
  const { files, total } = await prepare();
  expect({ total, files: [...files].sort() }).toEqual({
    total: 1,
    files: ['agent.ts', 'cases.jsonl', 'scripts/check.ts', 'scripts/limit.ts'].map((name) =>
      join(root, name),
    ),
  });

  write('scripts/limit.ts', 'export const limit = ;');
  const error: unknown = await prepare().catch((thrown: unknown) => thrown);
  expect(error instanceof ConfigError ? error.problems : error).toMatchObject([
    { message: 'Unexpected ";"', at: 'scripts/limit.ts:1:22' },
  ]);
});
