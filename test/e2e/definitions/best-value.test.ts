// A matrix says which value is best, how sure that is, and which cases fail for one value only.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';
import { variable } from '../support/definition-files.ts';

/** Passes with the chance that the case names for the model; the same in every run of the program. */
const FLAKY = `const seen = new Map();
const PRICES = { sonnet: 0.004, gpt: 0.001 };

function chance(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489917);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

export default ([{ content }], { variables: { Model } }) => {
  const key = content + Model;
  seen.set(key, (seen.get(key) ?? 0) + 1);
  const output = chance(key + seen.get(key)) < JSON.parse(content).rates[Model] ? 'right' : 'wrong';
  return { output, usage: { input_tokens: 100, output_tokens: 20 }, cost_usd: PRICES[Model] };
};\n`;

type Rates = { sonnet: number; gpt: number };

function application(rates: readonly Rates[]): string {
  return folder({
    'app.yao': '{}',
    'tests/flaky.mjs': FLAKY,
    'tests/choice.type.json': {
      id: 'choice',
      name: 'Choice',
      kind: 'agent-eval',
      variablesSchema: {
        schemaVersion: '1.0',
        variables: [variable('Model', 'string', { defaultValue: 'gpt' })],
      },
    },
    'tests/qa.test.json': {
      id: 'qa',
      name: 'QA',
      type: 'choice',
      agent: './flaky.mjs',
      cases: rates.map((one, at) => ({
        id: `q${at}`,
        input: JSON.stringify({ at, rates: one }),
        expected: 'right',
      })),
    },
  });
}

const same = (count: number, sonnet: number, gpt: number): Rates[] =>
  Array.from({ length: count }, () => ({ sonnet, gpt }));

type Report = {
  best: { value: string; clear: boolean; p: number; candidates: string[]; more_runs: number | null }[];
  by_variable: { Model: Record<string, unknown>[] };
  only_fails_for: { id: string; value: string; p: number }[];
  may_only_fail_for: { id: string; value: string; runs: number }[];
};

async function runMatrix(rates: readonly Rates[], runs: number) {
  const cwd = application(rates);
  const args = ['run', 'qa', '--matrix', 'Model=sonnet,gpt', '--runs', String(runs)];
  const { exitCode, stdout } = await assay([...args, '-o', 'run.jsonl', '-o', 'r.json', '-o', 'r.md'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  return { stdout, markdown: text('r.md'), json: JSON.parse(text('r.json')) as Report };
}

test('a clear winner, and a case that surely fails for the other value only', async () => {
  const rates = [...same(12, 1, 1), ...same(8, 0.95, 0.5), { sonnet: 1, gpt: 0 }];
  const { stdout, markdown, json } = await runMatrix(rates, 6);
  expect(json.best).toMatchObject([
    { value: 'sonnet', clear: true, candidates: ['sonnet'], more_runs: null },
  ]);
  expect(json.by_variable.Model).toMatchObject([
    { value: 'sonnet', cost_usd: 0.004, tokens: 120, rank: [1, 1], may_be_best: true },
    { value: 'gpt', cost_usd: 0.001, tokens: 120, rank: [2, 2], may_be_best: false },
  ]);
  expect(json.only_fails_for).toContainEqual(expect.objectContaining({ id: 'q20', value: 'gpt' }));
  for (const text of [stdout, markdown]) {
    expect(text).toContain('Best: sonnet, clear.');
    expect(text).toMatch(/Only fails for Model=gpt: .*qa\/q20/);
  }
  expect(stdout).toContain('  Model   passed  pass rate  cases like these  rank    cost  tokens  average\n');
});

test('values that do equally well are not clear, and one failure proves nothing', async () => {
  const rates = [...same(10, 1, 1), ...same(10, 0.75, 0.75)];
  const { stdout, markdown, json } = await runMatrix(rates, 2);
  expect(json.best).toMatchObject([
    { clear: false, candidates: expect.arrayContaining(['sonnet', 'gpt']) as unknown },
  ]);
  expect(json.by_variable.Model).toMatchObject([{ rank: [1, 2] }, { rank: [1, 2] }]);
  expect(json.only_fails_for).toEqual([]);
  expect(json.may_only_fail_for.length).toBeGreaterThan(0);
  for (const text of [stdout, markdown]) {
    expect(text).toMatch(/Not clear: (?:sonnet or gpt|gpt or sonnet) \(p 0\.\d+\); /);
    expect(text).toMatch(/May fail only for Model=\w+ \(not proven: 2 runs\): /);
    expect(text).not.toMatch(/Only fails for Model/);
  }
});
