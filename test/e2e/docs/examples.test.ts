// The examples do what the documentation says of them.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, readLog } from '../support/assay.ts';
import { copyOfExamples } from '../support/documents.ts';

test('every example passes', async () => {
  const cwd = join(copyOfExamples(), 'examples');
  const { exitCode, stdout } = await assay(
    ['test', '-i', 'assistants', '--parallel', '4', '-o', 'log.jsonl'],
    { cwd },
  );
  expect(exitCode, `printed:\n${stdout}`).toBe(0);
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  const agents = new Set(results.map((result) => result.agent_id));
  const names = readdirSync('examples/assistants');
  const tested = names.filter((name) => existsSync(`examples/assistants/${name}/tests`));
  expect(agents).toEqual(new Set(tested));
  expect(summary).toMatchObject({
    passed: results.length,
    failed: 0,
    skipped: 0,
    stable_cases: results.length,
  });
});

test('every example of a definition does what its comment says', async () => {
  const cwd = join(copyOfExamples(), 'examples');
  const nightly = await assay(['suite', 'nightly', '-o', 'nightly.jsonl'], { cwd });
  expect([nightly.exitCode, nightly.stderr]).toEqual([0, '']);
  const { start, summary } = readLog(join(cwd, 'nightly.jsonl'));
  expect([start.inputs.map(({ test: id }) => id), summary?.failed]).toEqual([
    ['greeting', 'totals', 'prices'],
    0,
  ]);
  const models = await assay(['suite', 'models', '--json'], { cwd });
  expect(models.exitCode).toBe(1);
  expect(JSON.parse(models.stdout)).toMatchObject({
    summary: { total: 8, passed: 6, failed: 2 },
    only_fails_for: [
      { test_id: 'greeting', id: 'by name', variable: 'AIConfiguration', value: 'local.terse' },
    ],
  });
});
